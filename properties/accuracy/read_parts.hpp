#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "reference/bounds/read_bound.hpp"
#include "reference/problem/head.hpp"
#include "reference/rules/cache_sets.hpp"

namespace deltaproof {

/// What the cache adds to the state's output of one head of one sequence (rule `hola`): sigmoid(gate) o_cache, from
/// given sets. It depends on q, k, v alone, not on the state.
struct ReadPart {
  HeadInputs head;       ///< of rule `hola`, whole sequence
  CacheSets sets;
  Matrix value, radius;  ///< tokens x V: the reference's, and how far it may be from the exact one
  ReadFormats formats;   ///< that the kernel is assumed to read in
  Terms bound;           ///< tokens x V: how far a kernel may be from the exact one
};

/// The parts of all heads, worked out when they are asked for. A few are kept: those of the heads that the threads of a
/// check are at.
class ReadParts {
 public:
  /// The sets that a head's reads see.
  using SetsOf = std::function<CacheSets(const Sequence&, std::int64_t head)>;
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
