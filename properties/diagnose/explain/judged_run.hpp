#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "properties/accuracy/cache_run.hpp"
#include "properties/diagnose/explain/chunk_terms.hpp"
#include "properties/diagnose/explain/run_map.hpp"
#include "reference/arithmetic/declared.hpp"

namespace deltaproof {

struct JudgedRunOptions {
  std::string tensor_core = "any";
  int threads = 0;                       ///< 0: all cores
  bool conformity = true;                ///< hold it against the declared order of roundings, too
  std::function<void(double)> progress = {};  ///< called with the share done, from any thread
};

/// A run, judged, with what it was judged by at hand.
class JudgedRun {
 public:
  /// `problem` and `outputs` must outlive it. Throws what check_accuracy throws.
  JudgedRun(const Problem& problem, const Outputs& outputs, const std::optional<Declared>& declared,
            const JudgedRunOptions& options);

  const Measured& measured() const { return measured_; }
  const Verdict& verdict() const { return measured_.verdict; }
  const Problem& problem() const { return problem_; }
  const Outputs& outputs() const { return outputs_; }
  /// Of rule hola that of the state beside the cache; else the problem itself.
  const Problem& state() const { return cache_ ? cache_->state() : problem_; }
  const BoundChoice& choice() const { return choice_; }
  /// Whether each chunk was judged from the kernel's own state before it.
  bool teacher_forced() const { return states_are_exact(choice_, outputs_); }
  /// Rule hola only.
  const CacheRun* cache() const { return cache_ ? &*cache_ : nullptr; }

  /// Terms of the bound at a place of `o` or of a state, largest first; none where there are none.
  std::vector<BoundTerm> terms_at(const Location& where) const;
  /// The chunk of a place of `o` or of a state; nothing outside the update family, or where nothing is known of it.
  std::optional<ChunkTerms> chunk_at(const Location& where) const;
  /// The run held against what its declared order of roundings can give: centres, and radii as what is allowed. Empty if no
  /// such sets are known.
  std::vector<MeasuredBlock> against_declared() const;
  /// Exported scores of rule hola against the right ones, as tokens x 1 of a tensor `scores`; else none.
  std::vector<MeasuredBlock> scores() const;

 private:
  JudgeContext context() const;

  const Problem& problem_;
  const Outputs& outputs_;
  std::optional<Declared> declared_;
  JudgedRunOptions options_;
  BoundChoice choice_;
  Rows rows_ = Rows::as_given;
  std::optional<CacheRun> cache_;
  std::vector<Unit> units_;
  Measured measured_;
};

}  // namespace deltaproof
