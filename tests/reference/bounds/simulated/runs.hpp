#pragma once

#include <functional>
#include <string>

#include "reference/bounds/head_bound.hpp"
#include "tests/reference/bounds/simulated/kernels.hpp"

namespace deltaproof::simulated {

/// Errors against a bound, over many values.
struct Tally {
  std::int64_t values = 0, violations = 0, unbounded = 0;
  double worst = 0;   ///< largest error / bound
  std::string where;  ///< of the worst
  std::string unbounded_at;

  void add(const Matrix& value, const Matrix& exact, const Matrix& exact_radius,
           const Matrix& bound, const std::string& place);
  void merge(const Tally& other);
};

/// A kernel over a chunk: its inputs and its own state in, its output and state out.
using ChunkRunner = std::function<ChunkOutput(const HeadInputs& slice)>;
ChunkRunner runner(const ChunkKernel& kernel);

struct Judged {
  std::string arithmetic;
  BoundChoice::Kind kind = BoundChoice::Kind::chunk;
  Format input;
  double shrink = 1;  ///< bounds are divided by this
  const TensorCoreModel* tensor_core = &deltaproof::tensor_core("any");
};

/// Each chunk against LOC from the kernel's own state, and the whole run against ADJ.
struct RunTally {
  Tally local, whole;

  void merge(const RunTally& other) {
    local.merge(other.local);
    whole.merge(other.whole);
  }
};
RunTally judge(const ChunkRunner& run, const HeadInputs& head, const Judged& judged,
               const std::string& place);

/// A head of a regime with q, k and v that fill `input` (bf16 values times 1.0123..., rounded); a
/// random state, or none for seed 1.
HeadInputs regime_inputs(std::string_view regime, Rule rule, const Format& input, Index tokens,
                         Index K, Index V, Index chunk, std::uint64_t seed);

}  // namespace deltaproof::simulated
