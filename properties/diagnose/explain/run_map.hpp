#pragma once

#include <string>
#include <vector>

#include "properties/diagnose/measured.hpp"

namespace deltaproof {

/// A run laid out for looking at: `o` of one head of one sequence in one piece (rows: its tokens), states one by one.
/// Of tokens that were not judged nothing is known: `allowed` is infinite.
class RunMap {
 public:
  explicit RunMap(const std::vector<MeasuredBlock>& blocks);

  /// By tensor, sequence, head, token.
  const std::vector<MeasuredBlock>& planes() const { return planes_; }
  /// `token`: tokens before a state; 0 for `o`. nullptr: there is none.
  const MeasuredBlock* find(const std::string& tensor, std::int64_t sequence, std::int64_t head,
                            std::int64_t token) const;
  std::int64_t bad() const { return bad_; }
  std::int64_t judged() const { return judged_; }

 private:
  std::vector<MeasuredBlock> planes_;
  std::int64_t bad_ = 0, judged_ = 0;
};

/// Whether a right value is known there.
bool is_judged(const MeasuredBlock& block, Index i, Index j);

/// Where element (i, j) is.
Location place_of(const MeasuredBlock& block, Index i, Index j);

/// An element of a run.
struct MeasuredPlace {
  const MeasuredBlock* block = nullptr;
  Index i = 0, j = 0;
};
/// The earliest bad element in the order of a run; block is null if there is none.
MeasuredPlace first_bad(const RunMap& run);
/// The element with the largest ratio, the earliest of equals.
MeasuredPlace worst(const RunMap& run);

/// Calls visit(block, i, j) for each bad element.
template <class Visit>
void for_each_bad(const RunMap& run, Visit&& visit) {
  for (const MeasuredBlock& block : run.planes()) {
    for (Index i = 0; i < block.value.rows(); ++i) {
      for (Index j = 0; j < block.value.cols(); ++j) {
        if (block.ratio(i, j) > 1) visit(block, i, j);
      }
    }
  }
}

}  // namespace deltaproof
