#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/kernel.hpp"
#include "properties/defects/published_rules.hpp"
#include "properties/laws/property.hpp"

namespace deltaproof {

/// A column of the kill matrix: a rule of this suite, or a published one.
struct MatrixRule {
  std::string_view name;
  bool ours = true;
};
/// LOC (or ADJ; a value that is not finite), PIN, 6 sigma, structured error, bits of the emulation, properties (laws,
/// and what `check_run` asks beside accuracy); then the published ones in their order.
std::span<const MatrixRule> matrix_rules();
inline constexpr std::size_t our_matrix_rules = 6;

enum class Outcome { not_applicable, survived, killed };

/// What every rule makes of one kernel on one problem.
struct Judgement {
  std::string why_not;            ///< the kernel refuses the problem; then nothing was judged
  std::vector<Outcome> outcomes;  ///< of matrix_rules()
  std::string property;    ///< the first that killed: a law, "chunk by chunk", "scores", "selection", "rows of others" ..
  bool unchanged = false;  ///< every bit of the run is that of the undamaged kernel
};

/// A problem, the right answers for published rules, and what rules make of the kernel without a defect: everything
/// to judge defective ones on it.
class JudgedProblem {
 public:
  /// `laws` are put to each kernel in order until one kills it.
  JudgedProblem(Problem problem, const Kernel& undamaged, std::vector<const Property*> laws, std::uint64_t seed);

  Judgement judge(const Kernel& kernel) const;
  const Judgement& undamaged() const { return undamaged_; }
  const Problem& problem() const { return problem_; }

 private:
  void judge_run(const Kernel& kernel, Judgement& judgement) const;
  void judge_laws(const Kernel& kernel, Judgement& judgement) const;
  void judge_as_published(const Outputs& outputs, Judgement& judgement) const;

  Problem problem_;
  std::vector<const Property*> laws_;
  std::uint64_t seed_;
  PublishedRules published_;
  Outputs right_;
  Judgement undamaged_;
};

/// The laws that the matrix asks. Left out: `repeatable` (its kernels are functions of the problem), those that are
/// about no kernel (`chunk_form`, `comparator`), and `slow_decay`, whose 2048 tokens take as long as all others
/// together.
std::vector<const Property*> matrix_laws();

}  // namespace deltaproof
