#include "properties/laws/one_step.hpp"

#include <cmath>

#include "kernels/stepwise.hpp"
#include "properties/laws/pieces.hpp"
#include "reference/rules/steps.hpp"

namespace deltaproof::laws {
namespace {

double size_of(const Mpfr& x) { return std::max(std::abs(lower(x)), std::abs(upper(x))); }

// Sums of at most 2^14 non-negative products lose a relative 2^-38 in double.
constexpr double outward = 1 + 0x1p-30;

std::vector<Mpfr> residual_of(const Write& write, bool residual) {
  return residual ? deltaproof::residual(write.step) : write.step.v;
}

Write write_of(const HeadInputs& head, const Matrix& after, const Matrix& bound) {
  const Steps<Mpfr> steps = make_steps<Mpfr>(head);
  Write write;
  write.K = head.K, write.V = head.V, write.head = &head;
  write.step = {head.K, head.V, elements<Mpfr>(head.initial_state), steps.k, steps.v};
  for (Index i = 0; steps.decay != Decay::none && i < head.K; ++i) {
    const Mpfr& alpha = steps.alpha[static_cast<std::size_t>(steps.decay == Decay::per_channel ? i : 0)];
    for (Index c = 0; c < head.V; ++c) write.step.decayed[static_cast<std::size_t>(i * head.V + c)] *= alpha;
  }
  write.e = residual_of(write, steps.residual);
  write.b = steps.b[0];
  write.key_square = square_sum(steps.k.data(), head.K);
  write.after = elements<Mpfr>(after);
  write.bound.assign(bound.data(), bound.data() + bound.size());
  return write;
}

}  // namespace

std::vector<Mpfr> Write::read(const std::vector<Mpfr>& x, const std::vector<Mpfr>& from) const {
  std::vector<Mpfr> sums(static_cast<std::size_t>(V), Mpfr(0));
  for (Index i = 0; i < K; ++i) {
    for (Index c = 0; c < V; ++c) {
      const auto at = static_cast<std::size_t>(i * V + c);
      sums[static_cast<std::size_t>(c)] += x[static_cast<std::size_t>(i)] * (after[at] - from[at]);
    }
  }
  return sums;
}

std::vector<double> Write::read_bound(const std::vector<Mpfr>& x) const {
  std::vector<double> sums(static_cast<std::size_t>(V), 0);
  for (Index i = 0; i < K; ++i) {
    const double size = size_of(x[static_cast<std::size_t>(i)]);
    for (Index c = 0; size > 0 && c < V; ++c) {
      sums[static_cast<std::size_t>(c)] += outward * size * bound[static_cast<std::size_t>(i * V + c)];
    }
  }
  return sums;
}

std::vector<Mpfr> Write::exact() const {
  std::vector<Mpfr> S = step.decayed;
  for (Index i = 0; i < K; ++i) {
    for (Index c = 0; c < V; ++c) {
      S[static_cast<std::size_t>(i * V + c)] +=
          b * step.k[static_cast<std::size_t>(i)] * e[static_cast<std::size_t>(c)];
    }
  }
  return S;
}

Location Write::at(const char* tensor, Index c, Index i) const {
  Location place = where;
  place.tensor = tensor;
  place.row = i, place.column = c;
  return place;
}

std::optional<Problem> one_token(const Kernel& kernel, const Problem& problem, std::int64_t token, Bounded& bounded) {
  if (token == 0) return tokens_of(problem, 0, 1, states_before(problem));
  const Problem before = tokens_of(problem, 0, token, states_before(problem));
  const Outputs outputs = kernel.run(before);
  if (finite_states(before, outputs.tensors.at("final_state"))) {
    return tokens_of(problem, token, 1, outputs.tensors.at("final_state"));
  }
  const RunBound bound = bound_in_range(before, kernel, outputs);
  bounded.about("the state before the token");
  bounded.outputs(before, bound.expected, bound.bound, outputs,
                  [](const Location& where) { return where.tensor == "final_state"; });
  return std::nullopt;
}

void for_writes(const Kernel& kernel, const Problem& problem, const Outputs& outputs, std::int64_t token,
                const std::function<void(const Write&)>& law) {
  const RunBound bound = bound_in_range(problem, kernel, outputs);
  for (const Sequence& sequence : problem.sequences()) {
    if (sequence.state_row < 0 || sequence.length == 0) continue;
    for (std::int64_t h = 0; h < problem.dims().HV; ++h) {
      const HeadInputs head = head_inputs(problem, sequence, h);
      const auto state = [&](const Outputs& of) {
        return state_of(of.tensors.at("final_state"), problem, sequence.state_row, h);
      };
      Write write = write_of(head, state(outputs), state(bound.bound));
      write.where.sequence = sequence.index, write.where.token = token, write.where.head = h;
      law(write);
    }
  }
}

bool is_in_fp32(const Write& write) {
  for (const Mpfr& e : write.e) {
    if (!(size_of(write.b * e) < 0x1p120)) return false;
  }
  return true;
}

void check_one_write(const Trial& trial, Generator& draw, Bounded& bounded,
                     const std::function<void(const Write&)>& law, const std::function<Problem(const Problem&)>& as) {
  const WorkingPrecision precision(step_bits);
  const std::int64_t token = drawn_token(trial.problem, draw);
  if (const auto alone = one_token(trial.kernel, trial.problem, token, bounded)) {
    const Problem problem = as ? as(*alone) : *alone;
    for_writes(trial.kernel, problem, trial.kernel.run(problem), token, [&](const Write& write) {
      if (is_in_fp32(write)) law(write);
    });
  }
  bounded.conclude();
}

std::int64_t drawn_token(const Problem& problem, Generator& draw) {
  std::vector<std::int64_t> lengths;
  for (const Sequence& sequence : problem.sequences()) {
    if (sequence.state_row >= 0 && sequence.length > 0) lengths.push_back(sequence.length);
  }
  if (lengths.empty()) return 0;
  const std::int64_t length =
      lengths[static_cast<std::size_t>(draw.integer(0, static_cast<int>(lengths.size()) - 1))];
  return draw.integer(0, static_cast<int>(length) - 1);
}

void compare(Bounded& bounded, const Location& where, const Mpfr& value, const Mpfr& expected, double allowed,
             const Mpfr& wrong) {
  const double x = to_double(value), right = to_double(expected);
  // Twice half a spacing of doubles; below 2^-1022 the spacing is 2^-1074. What is not finite widens no bound: it
  // would be kept by anything.
  const double rounding = std::isfinite(x) ? 0x1p-53 * (std::abs(x) + std::abs(right)) + 0x1p-1074 : 0;
  bounded.value(where, x, right, allowed + rounding, to_double(wrong));
}

}  // namespace deltaproof::laws
