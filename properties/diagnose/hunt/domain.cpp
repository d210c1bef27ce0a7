#include "properties/diagnose/hunt/domain.hpp"

#include "reference/problem/head.hpp"
#include "reference/rules/steps.hpp"

namespace deltaproof {
namespace {

constexpr double largest_step = 2.05;  // properties/regimes/stays_in_fp32.cpp

bool in_domain(const HeadInputs& head) {
  const auto steps = make_steps<double>(head);
  for (Index t = 0; t < head.tokens; ++t) {
    double square = 0;
    for (Index i = 0; i < head.K; ++i) square += steps.k[static_cast<std::size_t>(t * head.K + i)] *
                                                 steps.k[static_cast<std::size_t>(t * head.K + i)];
    const double step = steps.b[static_cast<std::size_t>(t)] * square;
    if (!(step >= 0 && step <= largest_step)) return false;
  }
  return true;
}

}  // namespace

bool in_domain(const Problem& problem) {
  const RuleInfo& info = state_rule(problem.options());
  if (info.system != System::update_family || !info.residual) return true;
  for (const Sequence& sequence : problem.sequences()) {
    if (sequence.state_row < 0 || sequence.length == 0) continue;
    for (std::int64_t head = 0; head < problem.dims().HV; ++head) {
      if (!in_domain(head_inputs(problem, sequence, head).state_part())) return false;
    }
  }
  return true;
}

}  // namespace deltaproof
