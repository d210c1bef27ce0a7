#include "properties/diagnose/hunt/objective.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/oracle/answer.hpp"
#include "reference/rules/steps.hpp"

namespace deltaproof {
namespace {

constexpr std::array<std::string_view, objectives.size()> names = {"bound", "sigma", "relative"};

// The error may be mixed with the reference's to this share.
constexpr double known_to = 1.0 / 8;

bool all_certain(const HeadAnswer& answer) {
  return std::all_of(answer.certain.begin(), answer.certain.end(), [](bool certain) { return certain; });
}

// Outputs below this share of what their queries could read are left out.
constexpr double least_read = 1.0 / 16;

// rms over tokens of scale |q_t| |S_t|, the largest |o_t| that a query of this length could have. With a cache there is more to read.
bool reads_cancel(const HeadInputs& head, const HeadAnswer& answer) {
  if (rule_info(head.options.rule).system != System::update_family) return false;
  const auto steps = make_steps<double>(head);
  double sum = 0;
  for (Index t = 0; t < head.tokens; ++t) {
    double square = 0;
    for (Index i = 0; i < head.K; ++i) {
      const double q = steps.q[static_cast<std::size_t>(t * head.K + i)];
      square += q * q;
    }
    sum += square * answer.states[static_cast<std::size_t>(t)].squaredNorm();
  }
  return !(answer.o.norm() >= least_read * std::abs(steps.scale) * std::sqrt(sum));
}

std::optional<double> of_head(const Problem& problem, const Sequence& sequence, std::int64_t head, const Tensor& o) {
  const HeadInputs inputs = head_inputs(problem, sequence, head);
  const HeadAnswer answer = answer_double(inputs, {.every = 1});
  const Matrix run = output_rows(o, problem, sequence, head);
  const Format& format = dtype_format(o.dtype);
  const double largest = answer.o.cwiseAbs().maxCoeff();
  if (!(largest >= std::ldexp(1.0, format.min_exponent)) || !run.allFinite() || !all_certain(answer)) return {};
  if (reads_cancel(inputs, answer)) return {};
  const double error = (run - answer.o).norm(), radius = answer.o_radius.norm();
  if (!(radius <= known_to * error)) return {};
  const double relative = error / answer.o.norm();
  return std::isfinite(relative) ? std::optional(relative) : std::nullopt;
}

}  // namespace

std::string_view objective_name(Objective objective) { return names[static_cast<std::size_t>(objective)]; }

std::optional<Objective> find_objective(std::string_view name) {
  for (const Objective each : objectives) {
    if (objective_name(each) == name) return each;
  }
  return std::nullopt;
}

std::optional<double> relative_error(const Problem& problem, const Outputs& outputs) {
  const Tensor* o = outputs.find("o");
  if (o == nullptr || o->size() == 0) return std::nullopt;
  std::optional<double> largest;
  for (const Sequence& sequence : problem.sequences()) {
    if (sequence.state_row < 0 || sequence.length == 0) continue;
    for (std::int64_t head = 0; head < problem.dims().HV; ++head) {
      const std::optional<double> error = of_head(problem, sequence, head, *o);
      if (error && (!largest || *error > *largest)) largest = error;
    }
  }
  return largest;
}

ObjectiveValues values_of(const Problem& problem, const Outputs& outputs, const Verdict& verdict) {
  ObjectiveValues values;
  if (verdict.status == Status::uninformative || verdict.compared == 0) return values;
  values[static_cast<std::size_t>(Objective::bound)] =
      std::min(verdict.worst_ratio, std::numeric_limits<double>::max());
  const std::optional<AdvisoryReport>& advisory = verdict.advisory;
  if (advisory && advisory->off.empty() && advisory->sigma_compared > 0) {
    values[static_cast<std::size_t>(Objective::sigma)] =
        std::min(advisory->sigma_largest, std::numeric_limits<double>::max());
  }
  values[static_cast<std::size_t>(Objective::relative)] = relative_error(problem, outputs);
  return values;
}

double rank_value(Objective objective, double value, Dtype type) {
  return objective == Objective::relative ? value / unit_roundoff(dtype_format(type)) : value;
}

}  // namespace deltaproof
