#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "reference/bounds/read_bound.hpp"
#include "reference/problem/head.hpp"
#include "reference/rules/cache_sets.hpp"

namespace deltaproof {

/// The sets that a head's reads see, and of each block whether its set was chosen by `o` itself among several that are
/// right: within the bound it was chosen by it is right, no nearer.
struct ReadSets {
  CacheSets sets;
  std::vector<bool> chosen;
};

/// What the cache adds to the state's output of one head of one sequence (rule `hola`): sigmoid(gate) o_cache, from
/// given sets. It depends on q, k, v alone, not on the state.
struct ReadPart {
  HeadInputs head;       ///< of rule `hola`, whole sequence
  ReadSets read;
  Matrix value, radius;  ///< tokens x V: the reference's, and how far it may be from the exact one
  ReadFormats formats;   ///< that the kernel is assumed to read in
  Terms bound;           ///< tokens x V: how far a kernel may be from the exact one
};

/// Rows [begin, begin + count) of the whole bound.
Matrix bound_rows(const ReadPart& part, Index begin, Index count);

/// Makes the radii of `o` from token `begin` on infinite where the read is of a chosen set: the kernel may have read another.
void forget_chosen(const ReadPart& part, Index begin, Matrix& radius);

/// The parts of all heads, worked out when they are asked for. A few are kept: those of the heads that the threads of a
/// check are at.
class ReadParts {
 public:
  using SetsOf = std::function<ReadSets(const Sequence&, std::int64_t head)>;
  using FormatsOf = std::function<ReadFormats(const HeadInputs&)>;

  /// `problem`: of rule `hola`; it must outlive this. `apart`: keep the terms of the bound apart.
  ReadParts(const Problem& problem, SetsOf sets, FormatsOf formats, bool apart = false)
      : problem_(problem), sets_(std::move(sets)), formats_(std::move(formats)), apart_(apart) {}

  /// From any thread.
  std::shared_ptr<const ReadPart> of(const Sequence& sequence, std::int64_t head) const;
  /// The same parts with the terms of their bounds kept apart.
  ReadParts apart() const { return ReadParts(problem_, sets_, formats_, true); }
  const Problem& problem() const { return problem_; }

 private:
  struct Slot {
    std::int64_t sequence, head;
    std::once_flag made;
    ReadPart part;
  };

  const Problem& problem_;
  SetsOf sets_;
  FormatsOf formats_;
  bool apart_;
  mutable std::mutex mutex_;
  mutable std::deque<std::shared_ptr<Slot>> slots_;
};

}  // namespace deltaproof
