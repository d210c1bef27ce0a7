#include "heads.hpp"

#include <cmath>
#include <random>

namespace deltaproof::testing {
namespace {

Matrix normal(Index rows, Index columns, double size, std::mt19937_64& random) {
  std::normal_distribution<double> deviate;
  Matrix matrix(rows, columns);
  for (Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = size * deviate(random);
  return exact_in_float(matrix);
}

Matrix gates(Index rows, Index columns, std::mt19937_64& random) {
  std::uniform_real_distribution<double> deviate(0.01, 0.99);
  Matrix matrix(rows, columns);
  for (Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = deviate(random);
  return exact_in_float(matrix);
}

// Sets the write gate so that beta |k|^2 = product in every token.
void set_step_length(HeadInputs& head, double product) {
  for (Index t = 0; t < head.tokens; ++t) head.write(t, 0) = product / head.k.row(t).squaredNorm();
  head.write = exact_in_float(head.write);
}

}  // namespace

Matrix exact_in_float(const Matrix& matrix) {
  return matrix.unaryExpr([](double x) { return static_cast<double>(static_cast<float>(x)); });
}

HeadInputs random_head(Rule rule, Shape shape, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const RuleInfo& info = rule_info(rule);
  const Index T = shape.tokens, K = shape.K, V = shape.V;
  const double unit = 1 / std::sqrt(static_cast<double>(K));
  HeadInputs head;
  head.options.rule = rule;
  head.options.scale = unit;
  head.tokens = T;
  head.K = K;
  head.V = V;
  head.q = normal(T, K, unit, random);
  head.k = normal(T, K, unit, random);
  head.v = normal(T, V, 1, random);
  if (info.decay != Decay::none)
    head.g = -normal(T, info.decay == Decay::scalar ? 1 : K, 0.1, random).cwiseAbs();
  if (info.write == "beta" || info.write == "eta")
    head.write = gates(T, rule == Rule::longhorn ? V : 1, random);
  head.initial_state = normal(K, V, 0.5, random);
  if (rule == Rule::gsa) {
    head.slots = 5;
    head.slot_decay = gates(T, head.slots, random);
    head.initial_state = normal(head.slots, K, 0.5, random);
    head.initial_slot_values = normal(head.slots, V, 0.5, random);
  }
  return head;
}

std::vector<NamedHead> update_family_heads(Shape shape, std::uint64_t seed) {
  std::vector<NamedHead> heads;
  for (const RuleInfo& info : rule_table())
    if (info.system == System::update_family)
      heads.push_back({std::string(info.name), random_head(info.rule, shape, seed)});
  const auto add = [&](std::string name, Rule rule,
                       const std::function<void(HeadInputs&)>& change) {
    heads.push_back({std::move(name), random_head(rule, shape, seed)});
    change(heads.back().head);
  };
  using enum KlaVariant;
  for (const auto& [name, variant] : {std::pair{"kla no_norm", no_norm},
                                      {"kla key_norm_only", key_norm_only},
                                      {"kla learned_scalar", learned_scalar},
                                      {"kla single_gate", single_gate}})
    add(name, Rule::kla, [v = variant](HeadInputs& head) {
      head.options.variant = v;
      head.options.c = 0.7;
    });
  for (const auto& [name, position] : {std::pair{"kla 1/t", Position::inverse},
                                       {"kla 1/sqrt(t)", Position::inverse_sqrt},
                                       {"kla 1/log", Position::inverse_log}})
    add(name, Rule::kla, [p = position](HeadInputs& head) { head.options.position = p; });
  for (const auto& [name, norm] :
       {std::pair{"q", L2Norm::q}, {"k", L2Norm::k}, {"both", L2Norm::both}}) {
    for (const Rule rule : {Rule::gated_delta, Rule::kla, Rule::longhorn_exact})
      add(std::string(rule_info(rule).name) + " l2norm " + name, rule,
          [n = norm](HeadInputs& head) { head.options.qk_l2norm = n; });
  }
  return heads;
}

std::vector<NamedHead> edge_heads(Shape shape, std::uint64_t seed) {
  std::vector<NamedHead> heads;
  const auto add = [&](std::string name, Rule rule,
                       const std::function<void(HeadInputs&)>& change) {
    heads.push_back({std::move(name), random_head(rule, shape, seed)});
    change(heads.back().head);
  };
  add("beta |k|^2 = 100", Rule::delta, [](HeadInputs& head) { set_step_length(head, 100); });
  add("beta |k|^2 = 2", Rule::gated_delta, [](HeadInputs& head) { set_step_length(head, 2); });
  add("beta |k|^2 = 1.98, parallel keys", Rule::delta, [](HeadInputs& head) {
    for (Index t = 1; t < head.tokens; ++t) head.k.row(t) = head.k.row(0);
    set_step_length(head, 1.98);
  });
  for (const Rule rule : {Rule::kla, Rule::delta})
    add("zero keys, " + std::string(rule_info(rule).name), rule, [](HeadInputs& head) {
      for (Index t = 0; t < head.tokens; t += 3) head.k.row(t).setZero();
    });
  add("all zero", Rule::gated_delta, [](HeadInputs& head) {
    head.k.setZero();
    head.v.setZero();
    head.q.setZero();
    head.initial_state.setZero();
  });
  for (const double size : {0x1p100, 0x1p-100, 0x1p600, 0x1p-600, 0x1p-1060}) {
    add("v and state x " + std::to_string(std::ilogb(size)) + " bits", Rule::gated_delta,
        [=](HeadInputs& head) {
          head.v *= size;
          head.initial_state *= size;
        });
  }
  for (const double size : {0x1p60, 0x1p-60, 0x1p-400})
    add("keys x " + std::to_string(std::ilogb(size)) + " bits", Rule::kla,
        [=](HeadInputs& head) { head.k *= size; });
  for (const Rule rule : {Rule::gated_delta, Rule::vector_decay_delta, Rule::scalar_decay})
    add("g = -1000, " + std::string(rule_info(rule).name), rule, [](HeadInputs& head) {
      for (Index t = 0; t < head.tokens; t += 5) head.g.row(t).setConstant(-1000);
    });
  add("g = -740", Rule::gated_delta, [](HeadInputs& head) { head.g.setConstant(-740); });
  add("large initial state", Rule::gated_delta,
      [](HeadInputs& head) { head.initial_state *= 0x1p40; });
  return heads;
}

}  // namespace deltaproof::testing
