#include "properties/accuracy/tightness.hpp"

#include <algorithm>
#include <cmath>

#include "properties/accuracy/conclude.hpp"
#include "properties/accuracy/judge_unit.hpp"
#include "properties/accuracy/rows.hpp"

namespace deltaproof {
namespace {

class Measure {
 public:
  void add(const ComparedBlock& block) {
    for (Index i = 0; i < block.value->size(); ++i) {
      const double expected = block.expected->data()[i];
      const double bound = block.bound->data()[i] + block.radius->data()[i];
      const double error = std::abs(block.value->data()[i] - expected);
      ++result_.compared;
      if (bound == 0) ++exact_;
      if (!(error <= bound)) ++result_.violations;
      error_square_ += error * error;
      expected_square_ += expected * expected;
      largest_error_ = std::max(largest_error_, error);
      largest_bound_ = std::max(largest_bound_, bound);
      if (error == 0) continue;
      result_.largest_ratio = std::max(result_.largest_ratio, error / bound);
      slack_.push_back(bound / error);
    }
  }

  Tightness result() {
    if (!slack_.empty()) {
      const auto middle = slack_.begin() + static_cast<std::ptrdiff_t>(slack_.size() / 2);
      std::nth_element(slack_.begin(), middle, slack_.end());
      result_.median_slack = *middle;
      result_.largest_over_largest = largest_bound_ / largest_error_;
      result_.relative_rms = std::sqrt(error_square_ / expected_square_);
    }
    if (result_.compared > 0) {
      result_.unambiguous = static_cast<double>(exact_) / static_cast<double>(result_.compared);
    }
    return result_;
  }

 private:
  Tightness result_;
  double error_square_ = 0, expected_square_ = 0, largest_error_ = 0, largest_bound_ = 0;
  std::int64_t exact_ = 0;
  std::vector<double> slack_;
};

}  // namespace

RunTightness measure_tightness(const Problem& problem, const Kernel& kernel,
                               const AccuracyOptions& options) {
  const Outputs outputs = kernel.run(problem);
  const std::string arithmetic = kernel.arithmetic();
  JudgeContext context{problem, outputs, arithmetic, choose_bound(arithmetic, problem),
                       tensor_core(options.tensor_core)};
  const std::string name = bound_name(context.choice, states_are_exact(context.choice, outputs));
  RunTightness result;
  for (const Rows rows : row_hypotheses(problem, context.choice)) {
    Measure o, states;
    context.observe = [&](const ComparedBlock& block) { (block.is_state ? states : o).add(block); };
    for (const Unit& unit : plan_units(problem, outputs, context.choice)) {
      const HeadInputs head = with_rows(head_inputs(problem, *unit.sequence, unit.head), rows,
                                        coarsest_input(problem));
      judge_unit(context, unit, head);
    }
    result = {name, o.result(), states.result()};
    if (result.o.violations + result.states.violations == 0) break;
  }
  return result;
}

RunTightness measure_pin(const Problem& problem, const Kernel& kernel) {
  const std::optional<Declared> declared = declared_order(kernel, problem);
  if (!declared) return {};
  const Outputs outputs = kernel.run(problem);
  const BoundChoice choice = choose_bound(kernel.arithmetic(), problem);
  ConformityContext context = conformity_context(problem, outputs, *declared);
  context.bits = false;
  Measure o, states;
  context.observe = [&](const ComparedBlock& block) { (block.is_state ? states : o).add(block); };
  judge_conformity(context, plan_units(problem, outputs, choice), 1);
  return {states_are_exact(choice, outputs) ? "PIN" : "PIN (carried)", o.result(), states.result()};
}

}  // namespace deltaproof
