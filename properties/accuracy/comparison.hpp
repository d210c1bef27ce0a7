#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "reference/problem/matrix.hpp"
#include "reference/verdict.hpp"

namespace deltaproof {

/// One block of values to compare: rows are tokens of `o`, or key channels of one state.
struct ComparedBlock {
  std::string tensor;
  std::int64_t sequence = 0, head = 0;
  bool is_state = false;
  std::int64_t first_token = 0;  ///< of row 0 of `o`; for a state, tokens before it
  std::int64_t chunk_size = 64;
  const Matrix* value = nullptr;     ///< the kernel's
  const Matrix* expected = nullptr;  ///< the reference's
  const Matrix* bound = nullptr;     ///< how far a correct kernel may be from the exact answer
  const Matrix* radius = nullptr;    ///< how far the reference may be from it
  const Matrix* shifted = nullptr;   ///< the wrong answer 'one step late': same shape; nullptr: none
};

/// Where element (i, j) of a block is.
Location place_in(const ComparedBlock& block, Index i, Index j);

/// Whether a run reaches `x` before `y`: a state comes after the tokens before it.
bool earlier(const Location& x, const Location& y);

/// The running result of a comparison; merging is associative and, ties aside, commutative.
class Comparison {
 public:
  void add(const ComparedBlock& block);
  /// Only counts values that are not finite, as violations: for values with no reference of their own.
  void add_non_finite(const ComparedBlock& block);
  void merge(const Comparison& other);

  std::int64_t compared = 0;
  std::int64_t violations = 0;
  std::int64_t unbounded = 0;  ///< values whose bound or radius is not finite: nothing is known there
  std::int64_t non_finite = 0; ///< values that are NaN or infinite

  struct Element {
    bool found = false;
    double ratio = 0;  ///< error / (bound + radius); infinite for a value that is not finite
    double value = 0, expected = 0, error = 0, bound = 0;
    Location location;
  };
  Element worst;
  Element first_bad;
  Location first_unbounded;

  /// Probes of vacuity for each (tensor, head): which wrong answers the bound would have accepted in some
  /// chunk. Each chunk (each state) counts by itself: one that is well bounded says nothing of another.
  std::vector<Probe> probes() const;

  /// The same for two bounds together: a wrong answer is accepted where both would have accepted it. `other` has
  /// compared the same values.
  std::vector<Probe> probes_with(const Comparison& other) const;

 private:
  struct Wrong {
    bool differs = false;   // from the right answer, somewhere
    bool rejected = false;  // by some bound
  };
  struct Wrongs {
    Wrong zeros, shifted, flipped;
  };
  // Tensor, head, sequence, and the first token of a chunk of `o` or the tokens before a state.
  using Place = std::tuple<std::string, std::int64_t, std::int64_t, std::int64_t>;
  std::map<Place, Wrongs> wrongs_;

  void compare_element(const ComparedBlock& block, Index i, Index j);
  void probe(const ComparedBlock& block, Wrongs& wrongs, Index i, Index j);
};

}  // namespace deltaproof
