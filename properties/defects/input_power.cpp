#include "properties/defects/input_power.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "kernels/recorded.hpp"
#include "properties/accuracy/accuracy.hpp"
#include "properties/defects/published_rules.hpp"
#include "properties/defects/token_step.hpp"

namespace deltaproof {
namespace {

constexpr auto exact = [](double x) { return x; };

/// The state of one head before a token's write, as the kernel in question has it; called once for each token, in
/// order, with S_{t-1} in `S`.
using Forget = std::function<void(const Steps<double>& steps, Index t, Matrix& S)>;

// Tensors of a run, filled head by head.
struct Assembled {
  explicit Assembled(const Problem& p) : problem(p), vk(p.options().state_layout == StateLayout::vk) {
    const Dimensions& d = p.dims();
    every = p.options().states_every;
    kept = state_count(d.T, every);
    o.resize(static_cast<std::size_t>(d.B * d.T * d.HV * d.V));
    final_state.resize(static_cast<std::size_t>(d.B * d.HV * d.K * d.V));
    chunk_states.resize(static_cast<std::size_t>(d.B * kept * d.HV * d.K * d.V));
  }

  void put(std::vector<double>& states, std::int64_t row, const Matrix& S) const {
    const Matrix stored = vk ? Matrix(S.transpose()) : S;
    std::copy_n(stored.data(), stored.size(), states.begin() + row * stored.size());
  }

  void run_head(const Sequence& s, std::int64_t head, const Forget& forget) {
    const Dimensions& d = problem.dims();
    const HeadInputs inputs = head_inputs(problem, s, head);
    const Steps<double> steps = make_steps<double>(inputs);
    Matrix S = inputs.initial_state;
    for (Index t = 0; t < steps.tokens; ++t) {
      forget(steps, t, S);
      write_token(steps, t, S, exact);
      const RowVector row = read_token(steps, t, S, exact);
      std::copy_n(row.data(), d.V, o.begin() + ((s.batch * d.T + t) * d.HV + head) * d.V);
      const bool last = t + 1 == steps.tokens;
      if (last || (t + 1) % every == 0) put(chunk_states, (s.batch * kept + t / every) * d.HV + head, S);
      if (last) put(final_state, s.batch * d.HV + head, S);
    }
  }

  Outputs outputs() const {
    const Dimensions& d = problem.dims();
    const std::int64_t rows = vk ? d.V : d.K, columns = vk ? d.K : d.V;
    Outputs run;
    run.tensors["o"] = Tensor::from(problem.find("q")->dtype, {d.B, d.T, d.HV, d.V}, o);
    run.tensors["final_state"] = Tensor::from(Dtype::f32, {d.B, d.HV, rows, columns}, final_state);
    run.tensors["chunk_states"] = Tensor::from(Dtype::f32, {d.B, kept, d.HV, rows, columns}, chunk_states);
    return run;
  }

  const Problem& problem;
  bool vk;
  std::int64_t every = 0, kept = 0;
  std::vector<double> o, final_state, chunk_states;
};

Outputs run_with(const Problem& problem, const Forget& forget) {
  Assembled run(problem);
  for (const Sequence& s : problem.sequences()) {
    for (std::int64_t head = 0; head < problem.dims().HV; ++head) run.run_head(s, head, forget);
  }
  return run.outputs();
}

Status verdict_on(const Problem& problem, Outputs outputs, bool with_states) {
  if (!with_states) outputs.tensors.erase("chunk_states");
  const CaseFile file{{}, problem, std::move(outputs), {}, "short memory", {}, {}, {}};
  AccuracyOptions options;
  options.conformity = false;
  options.threads = 1;
  return check_accuracy(problem, RecordedKernel(file), options).status;
}

/// A rule: what it says of a run, as a verdict's status.
struct AskedRule {
  std::string name;
  std::function<Status(const Outputs&)> judge;
};

std::vector<AskedRule> asked_rules(const Problem& problem, const PublishedRules& published) {
  std::vector<AskedRule> rules = {
      {"LOC", [&](const Outputs& run) { return verdict_on(problem, run, true); }},
      {"ADJ", [&](const Outputs& run) { return verdict_on(problem, run, false); }},
  };
  for (const PublishedRuleInfo& info : published_rules()) {
    rules.push_back({std::string(info.name), [&published, rule = info.rule](const Outputs& run) {
                       return published.accept(rule, run) ? Status::passed : Status::failed;
                     }});
  }
  return rules;
}

}  // namespace

Outputs with_history(const Problem& problem, std::int64_t history) {
  return run_with(problem, [history](const Steps<double>& steps, Index t, Matrix& S) {
    S.setZero();
    for (Index s = std::max<Index>(0, t + 1 - history); s < t; ++s) write_token(steps, s, S, exact);
  });
}

Outputs with_lost_carry(const Problem& problem, std::int64_t boundary) {
  return run_with(problem, [boundary](const Steps<double>&, Index t, Matrix& S) {
    if (t == boundary) S.setZero();
  });
}

std::vector<std::int64_t> tried_histories(std::int64_t tokens) {
  std::vector<std::int64_t> tried;
  for (std::int64_t power = 1; power < tokens; power *= 2) {
    tried.push_back(power);
    if (power >= 2 && power + power / 2 < tokens) tried.push_back(power + power / 2);
  }
  tried.push_back(tokens);
  return tried;
}

std::vector<RulePower> input_power(const Problem& problem, std::int64_t boundary) {
  const PublishedRules published(problem);
  const std::vector<AskedRule> rules = asked_rules(problem, published);
  std::vector<RulePower> found;
  for (const AskedRule& rule : rules) found.push_back({.rule = rule.name});
  std::vector<bool> still(rules.size(), true);  // every history down to here was accepted
  const std::vector<std::int64_t> tried = tried_histories(problem.dims().T);
  for (auto history = tried.rbegin(); history != tried.rend(); ++history) {
    const Outputs run = with_history(problem, *history);
    for (std::size_t i = 0; i < rules.size(); ++i) {
      if (!still[i]) continue;
      const Status status = rules[i].judge(run);
      if (history == tried.rbegin()) found[i].says_nothing = status == Status::uninformative;
      still[i] = status == Status::passed || status == Status::suspect || status == Status::uninformative;
      if (still[i]) found[i].shortest = *history;
    }
  }
  const Outputs lost = with_lost_carry(problem, boundary);
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const Status status = rules[i].judge(lost);
    found[i].sees_lost_carry = status == Status::failed;
  }
  return found;
}

Problem power_problem(const Regime& regime, std::uint64_t seed) {
  RegimeShape shape;
  shape.tokens = 256, shape.K = 32, shape.V = 32, shape.chunk = 64;
  // What a state forgets is a matter of the state, whatever stands beside it.
  const Rule rule = regime.rule == Rule::hola ? Rule::gated_delta : regime.rule;
  const Problem drawn = regime_problem(regime, rule, shape, seed);
  return Problem::make(std::string(regime.name),
                       {{"format", "deltaproof.case/1"},
                        {"rule", std::string(rule_info(rule).name)},
                        {"chunk_size", "64"},
                        {"arithmetic", "deltaproof-chunk"}},
                       drawn.tensors());
}

}  // namespace deltaproof
