#include "properties/laws/second_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "kernels/bits.hpp"
#include "properties/accuracy/refused_score.hpp"
#include "properties/laws/tensors.hpp"

namespace deltaproof::laws {
namespace {

// What has failed before stays failed.
void leave(Verdict& verdict, Status status, std::string reason) {
  if (verdict.status != Status::passed) return;
  verdict.status = status;
  verdict.reason = std::move(reason);
}

}  // namespace

std::optional<Outputs> second_run(const Trial& trial, const Problem& problem, Verdict& verdict) {
  if (const std::string why = trial.kernel.refusal(problem); !why.empty()) {
    leave(verdict, Status::skipped, fmt::format("the second run is refused: {}", why));
    return std::nullopt;
  }
  try {
    return trial.kernel.run(problem);
  } catch (const std::runtime_error&) {
    const std::optional<std::string> score = refused_score(trial.kernel, problem);
    if (!score) throw;
    leave(verdict, Status::skipped,
          fmt::format("the second run is refused, as its order of roundings has it: {}", *score));
    return std::nullopt;
  }
}

void expect_second_run(const Trial& trial, const Problem& problem, const Outputs& expected, const std::string& what,
                       Verdict& verdict) {
  const std::optional<Outputs> got = second_run(trial, problem, verdict);
  if (got) expect_bits(problem, expected, *got, what, verdict, answered(problem));
}

void skip(Verdict& verdict, const std::string& reason) { leave(verdict, Status::skipped, reason); }

About answered(const Problem& problem) {
  return [&problem](const Location& where) { return is_judged(problem, where); };
}

About answered(const Problem& problem, About about) {
  return [right = answered(problem), about = std::move(about)](const Location& where) {
    return right(where) && about(where);
  };
}

bool is_before(const Location& where, std::int64_t token) {
  if (where.tensor == "o" || where.tensor == "scores") return where.token < token;
  return where.tensor != "final_state" && where.token <= token;
}

bool all_finite(const Problem& problem, const Outputs& outputs, const About& about) {
  for (const std::string name : {"o", "final_state"}) {
    const Tensor& tensor = outputs.tensors.at(name);
    for (std::int64_t i = 0; i < tensor.size(); ++i) {
      if (!std::isfinite(tensor.value(i)) && about(place_of(problem, name, i))) return false;
    }
  }
  return true;
}

void broken(Verdict& verdict, const Location& where, const std::string& reason) {
  ++verdict.violations;
  if (verdict.status != Status::passed) return;
  verdict.status = Status::failed;
  verdict.has_first_bad = true;
  verdict.first_bad = where;
  verdict.reason = fmt::format("{}; the first at {}", reason, to_string(where));
}

bool overflowed(const Problem& problem, const Outputs& outputs, const About& about, Verdict& verdict) {
  if (all_finite(problem, outputs, about)) return false;
  leave(verdict, Status::uninformative, "a run overflows: 0 times what is infinite is NaN");
  return true;
}

Outputs without_signs_of_zero(Outputs outputs) {
  for (auto& [name, tensor] : outputs.tensors) {
    for (std::int64_t i = 0; is_floating(tensor.dtype) && i < tensor.size(); ++i) {
      if (tensor.value(i) == 0) set_value(tensor, i, 0);
    }
  }
  return outputs;
}

Tensor states_before(const Problem& problem) {
  if (const Tensor* states = problem.find("initial_state")) return *states;
  const Dimensions& d = problem.dims();
  const bool vk = problem.options().state_layout == StateLayout::vk;
  return filled({Dtype::f32, {d.pool, d.HV, vk ? d.V : d.K, vk ? d.K : d.V}, {}}, 0);
}

std::int64_t longest_answered(const Problem& problem) {
  std::int64_t longest = 0;
  for (const Sequence& s : problem.sequences()) {
    if (s.state_row >= 0) longest = std::max(longest, s.length);
  }
  return longest;
}

}  // namespace deltaproof::laws
