#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "properties/diagnose/explain/run_map.hpp"
#include "reference/problem/problem.hpp"

namespace deltaproof {

/// The places of one axis of a tensor that hold something wrong.
struct AxisSpread {
  std::string axis;  ///< "sequence", "head", "chunk", "token", "position" (in the chunk), "row", "column"
  std::vector<std::int64_t> bad, judged;  ///< ascending
  std::string words;  ///< axis_words of them
};

/// Where a tensor is wrong.
struct TensorSpread {
  std::string tensor;
  bool is_state = false;
  std::int64_t bad = 0, judged = 0;  ///< values
  std::vector<AxisSpread> axes;      ///< of a tensor without a wrong value: none
  std::vector<std::string> patterns; ///< what the axes say together: "the last token of every chunk"

  const AxisSpread* find(const std::string& axis) const;
};

/// Of every tensor that was judged, those of `o` first.
std::vector<TensorSpread> spread_of(const RunMap& run, const Problem& problem);

/// What the wrong tokens of `o`, or the wrong states, have in common beside the axes one by one.
std::vector<std::string> spread_patterns(const TensorSpread& spread, const RunMap& run, const Problem& problem);

}  // namespace deltaproof
