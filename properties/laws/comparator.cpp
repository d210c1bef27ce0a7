// The gate itself, not the kernel: what check_accuracy lets pass on this problem. No kernel is run.
#include "kernels/given_outputs.hpp"
#include "properties/laws/comparator.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "kernels/bits.hpp"
#include "properties/accuracy/accuracy.hpp"
#include "properties/accuracy/answer.hpp"
#include "properties/laws/applies.hpp"
#include "properties/laws/second_run.hpp"
#include "properties/laws/table.hpp"
#include "properties/laws/tensors.hpp"

namespace deltaproof::laws {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Outputs right_outputs(const Problem& problem) {
  const Safetensors answer = full_answer(problem.with_arithmetic("fp64"), {});
  Tensor state = answer.tensors.at("final_state");
  if (problem.options().state_layout == StateLayout::vk) state = transposed(state);
  const Tensor& o = answer.tensors.at("o");
  Outputs outputs;
  outputs.tensors["o"] = Tensor::from(problem.find("q")->dtype, o.shape, o.values());
  outputs.tensors["final_state"] = Tensor::from(Dtype::f32, state.shape, state.values());
  return outputs;
}

// Values that have a right answer; -1 if there is none.
std::int64_t largest(const Problem& problem, const Tensor& tensor, const char* name) {
  std::int64_t at = -1;
  double size = 0;
  const About judged = answered(problem);
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    if (std::abs(tensor.value(i)) <= size || !judged(place_of(problem, name, i))) continue;
    at = i;
    size = std::abs(tensor.value(i));
  }
  return at;
}

struct Damaged {
  std::string what;
  Outputs outputs;
};

Damaged everywhere(const Outputs& right, const char* what, double value) {
  Damaged damaged{what, right};
  for (auto& [name, tensor] : damaged.outputs.tensors) tensor = filled(tensor, value);
  return damaged;
}

Damaged at_one(const Outputs& right, const char* what, const char* tensor, std::int64_t at, double value) {
  Damaged damaged{fmt::format("{} in {}", what, tensor), right};
  set_value(damaged.outputs.tensors[tensor], at, value);
  return damaged;
}

// The row with the largest value, each of its values that much too large.
Damaged bad_row(const Outputs& right, std::int64_t at) {
  Damaged damaged{"one bad row", right};
  Tensor& o = damaged.outputs.tensors["o"];
  const std::int64_t V = o.shape.back(), first = at / V * V;
  const double size = std::abs(o.value(at));
  for (std::int64_t c = 0; c < V; ++c) set_value(o, first + c, o.value(first + c) + size);
  return damaged;
}

std::vector<Damaged> damages(const Problem& problem, const Outputs& right) {
  std::vector<Damaged> all{everywhere(right, "zeros", 0), everywhere(right, "all NaN", nan)};
  for (const char* name : {"o", "final_state"}) {
    const Tensor& tensor = right.tensors.at(name);
    const std::int64_t at = largest(problem, tensor, name);
    if (at < 0) continue;
    all.push_back(at_one(right, "one NaN", name, at, nan));
    all.push_back(at_one(right, "one flipped sign", name, at, -tensor.value(at)));
    if (tensor.shape.size() == 4 && std::string_view(name) == "o") all.push_back(bad_row(right, at));
  }
  return all;
}

// Every sequence is padding: there is nothing to compare.
Problem empty_comparison(const Problem& problem) {
  TensorMap inputs = problem.tensors();
  inputs["initial_state"] = states_before(problem);
  inputs["state_indices"] = Tensor::from(Dtype::i32, {problem.dims().N},
                                         std::vector<double>(static_cast<std::size_t>(problem.dims().N), -1));
  return problem.with_inputs(std::move(inputs));
}

bool is_zero(const Outputs& outputs) {
  for (const auto& [name, tensor] : outputs.tensors) {
    for (const double x : tensor.values()) {
      if (x != 0) return false;
    }
  }
  return true;
}

std::string why_not(const Trial& trial) { return outside_update_family(trial.problem); }

void check(const Trial& trial, Verdict& verdict) {
  const auto gate = [](const Problem& problem, const Kernel& kernel) {
    AccuracyOptions options;
    options.conformity = false;
    return check_accuracy(problem, kernel, options);
  };
  try_gate(trial.problem, gate, verdict);
}

}  // namespace

void try_gate(const Problem& problem, const Gate& gate, Verdict& verdict) {
  verdict.bound = "the gate's";
  const Outputs right = right_outputs(problem);
  const Verdict of_right = gate(problem, GivenOutputs("fp64", right));
  ++verdict.compared;
  if (is_zero(right)) {
    verdict.status = Status::uninformative;
    verdict.reason = "the right answer is zero: damage by zeros would be none";
    return;
  }
  if (of_right.status == Status::uninformative) {
    verdict.status = Status::uninformative;
    verdict.reason = "of the right answer: " + of_right.reason;
    return;
  }
  if (of_right.status != Status::passed) {
    return broken(verdict, of_right.first_bad, "the right answer does not pass: " + of_right.reason);
  }
  for (const Damaged& damaged : damages(problem, right)) {
    ++verdict.compared;
    if (gate(problem, GivenOutputs("fp64", damaged.outputs)).status == Status::passed) {
      broken(verdict, {}, "the gate lets pass: " + damaged.what);
    }
  }
  ++verdict.compared;
  if (gate(empty_comparison(problem), GivenOutputs("fp64", right)).status != Status::uninformative) {
    broken(verdict, {}, "a comparison of nothing is not uninformative");
  }
}

const Property comparator{
    "comparator",
    "of the gate, no kernel: it lets the right answer pass, and not zeros, a bad row, one NaN, all "
    "NaN, one flipped sign or a comparison of nothing",
    &why_not, &check};

}  // namespace deltaproof::laws
