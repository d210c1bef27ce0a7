#include "properties/accuracy/accuracy.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "properties/accuracy/judge_unit.hpp"
#include "properties/accuracy/outputs_hash.hpp"
#include "reference/problem/arithmetics.hpp"
#include "reference/problem/input_error.hpp"

namespace deltaproof {
namespace {

// Judges units on several threads; each keeps the inputs of the head it is at.
class Judges {
 public:
  Judges(const JudgeContext& context, const std::vector<Unit>& units, const AccuracyOptions& options)
      : context_(context), units_(units), options_(options) {}

  UnitResult run() {
    const int wanted = options_.threads > 0 ? options_.threads
                                            : static_cast<int>(std::thread::hardware_concurrency());
    const auto count = std::min<std::size_t>(static_cast<std::size_t>(std::max(1, wanted)), units_.size());
    std::vector<std::thread> threads;
    for (std::size_t i = 1; i < count; ++i) threads.emplace_back([this] { work(); });
    work();
    for (std::thread& thread : threads) thread.join();
    if (failure_) std::rethrow_exception(failure_);
    return std::move(total_);
  }

 private:
  void work() try {
    HeadInputs head;
    const Unit* of = nullptr;
    while (true) {
      const std::size_t i = next_++;
      if (i >= units_.size() || stopped_) return;
      const Unit& unit = units_[i];
      if (of == nullptr || of->sequence != unit.sequence || of->head != unit.head) {
        head = head_inputs(context_.problem, *unit.sequence, unit.head);
        of = &unit;
      }
      const UnitResult result = judge_unit(context_, unit, head);
      const std::lock_guard lock(mutex_);
      total_.comparison.merge(result.comparison);
      total_.bits = std::max(total_.bits, result.bits);
      ++done_;
      if (options_.progress) {
        options_.progress(static_cast<double>(done_) / static_cast<double>(units_.size()));
      }
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
    stopped_ = true;
  }

  const JudgeContext& context_;
  const std::vector<Unit>& units_;
  const AccuracyOptions& options_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
  std::size_t done_ = 0;
  UnitResult total_;
  std::exception_ptr failure_;
};

void fill_numbers(const Comparison& comparison, Verdict& verdict) {
  verdict.compared = comparison.compared;
  verdict.violations = comparison.violations;
  verdict.worst_ratio = comparison.worst.ratio;
  verdict.worst = comparison.worst.location;
  verdict.value = comparison.worst.value;
  verdict.expected = comparison.worst.expected;
  verdict.error = comparison.worst.error;
  verdict.bound_value = comparison.worst.bound;
  verdict.has_first_bad = comparison.first_bad.found;
  verdict.first_bad = comparison.first_bad.location;
  verdict.probes = comparison.probes();
}

// "final_state (8 heads): zeros, flipped sign; o (head 2): zeros"
std::string vacuous_probes(const std::vector<Probe>& probes) {
  std::map<std::string, std::pair<std::set<std::int64_t>, std::set<std::string>>> by_tensor;
  for (const Probe& probe : probes) {
    if (!probe.accepted) continue;
    by_tensor[probe.tensor].first.insert(probe.head);
    by_tensor[probe.tensor].second.insert(probe.wrong_answer);
  }
  std::string list;
  for (const auto& [tensor, found] : by_tensor) {
    const auto& [heads, wrong] = found;
    if (!list.empty()) list += "; ";
    list += heads.size() == 1 ? fmt::format("{} (head {}): ", tensor, *heads.begin())
                              : fmt::format("{} ({} heads): ", tensor, heads.size());
    list += fmt::format("{}", fmt::join(wrong, ", "));
  }
  return list;
}

void decide(const JudgeContext& context, const Comparison& comparison, Verdict& verdict) {
  if (comparison.non_finite > 0) {
    verdict.status = Status::failed;
    verdict.reason = fmt::format("{} of {} output values are not finite, the first at {}",
                                 comparison.non_finite, comparison.compared,
                                 to_string(comparison.first_bad.location));
    return;
  }
  if (comparison.violations > 0) {
    verdict.status = context.choice.assumed ? Status::nonconforming : Status::failed;
    verdict.reason = fmt::format("{} of {} values are further from the right answer than {} allows",
                                 comparison.violations, comparison.compared, verdict.bound);
    if (context.choice.assumed) {
      verdict.reason += "; no arithmetic was declared, assumed: chunks of the case's chunk_size, every "
                        "intermediate in the input's type, TF32 merge, fp32 state";
    }
    return;
  }
  if (comparison.compared == 0) {
    verdict.status = Status::uninformative;
    verdict.reason = "there was nothing to compare";
    return;
  }
  if (comparison.unbounded > 0) {
    verdict.status = Status::uninformative;
    verdict.reason = fmt::format("{} of {} values have no finite bound, the first at {}",
                                 comparison.unbounded, comparison.compared,
                                 to_string(comparison.first_unbounded));
    return;
  }
  if (const std::string accepted = vacuous_probes(verdict.probes); !accepted.empty()) {
    verdict.status = Status::uninformative;
    verdict.reason = "the bound would also accept wrong answers: " + accepted;
    return;
  }
  verdict.status = Status::passed;
}

const Unit* unit_of(const std::vector<Unit>& units, const Location& where) {
  for (const Unit& unit : units) {
    if (unit.sequence->index != where.sequence || unit.head != where.head) continue;
    const std::int64_t first = unit.begin, end = unit.begin + unit.length;
    const bool inside = where.row >= 0 ? where.token > first && where.token <= end
                                       : where.token >= first && where.token < end;
    if (inside) return &unit;
  }
  return nullptr;
}

}  // namespace

Verdict check_accuracy(const Problem& problem, const Kernel& kernel, const AccuracyOptions& options) {
  const std::string arithmetic = kernel.arithmetic();
  if (find_arithmetic(arithmetic) == nullptr) {
    throw InputError("unknown arithmetic '" + arithmetic + "'; `deltaproof list arithmetics` names them");
  }
  const TensorCoreModel* tensor_core = find_tensor_core(options.tensor_core);
  if (tensor_core == nullptr) {
    throw InputError("unknown tensor core '" + options.tensor_core + "'");
  }
  Verdict verdict;
  verdict.case_name = problem.name();
  verdict.kernel = kernel.name();
  verdict.arithmetic = arithmetic;
  verdict.property = "accuracy";
  const Outputs outputs = kernel.run(problem);
  verdict.outputs_hash = outputs_hash(outputs);
  const JudgeContext context{problem, outputs, arithmetic, choose_bound(arithmetic, problem), *tensor_core};
  verdict.bound = bound_name(context.choice, states_are_exact(context.choice, outputs));
  for (const std::string& name : problem.unused()) {
    verdict.notes.push_back("tensor '" + name + "' is not used by this rule");
  }
  if (context.choice.kind == BoundChoice::Kind::none) {
    verdict.status = Status::uninformative;
    verdict.reason = context.choice.why_none;
    return verdict;
  }
  const std::vector<Unit> units =
      sample_units(plan_units(problem, outputs, context.choice), options.sample, options.seed);
  const UnitResult result = Judges(context, units, options).run();
  fill_numbers(result.comparison, verdict);
  decide(context, result.comparison, verdict);
  if (result.bits > 53) {
    verdict.notes.push_back(fmt::format("the reference needed {} bits", result.bits));
  }
  if (verdict.status != Status::passed && result.comparison.worst.found) {
    if (const Unit* unit = unit_of(units, verdict.worst)) {
      const HeadInputs head = head_inputs(problem, *unit->sequence, unit->head);
      verdict.terms = terms_at(context, *unit, head, verdict.worst);
    }
  }
  return verdict;
}

}  // namespace deltaproof
