#include "properties/laws/made.hpp"

#include <cmath>
#include <utility>

#include "properties/laws/pieces.hpp"
#include "properties/laws/tensors.hpp"

namespace deltaproof::laws {
namespace {

void draw_all(Tensor& tensor, const std::function<double()>& value) {
  std::vector<double> values(static_cast<std::size_t>(tensor.size()));
  for (double& x : values) x = value();
  tensor = Tensor::from(tensor.dtype, tensor.shape, values);
}

Tensor zero_gates(const Problem& problem, Decay decay) {
  const Dimensions& d = problem.dims();
  std::vector<std::int64_t> shape{d.B, d.T, d.HV};
  if (decay == Decay::per_channel) shape.push_back(d.K);
  return filled({Dtype::f32, shape, {}}, 0);
}

}  // namespace

void Made::fill(const char* name, double value) {
  if (const auto found = inputs.find(name); found != inputs.end()) found->second = filled(found->second, value);
}

void Made::fill(const char* name, const std::function<double()>& value) {
  if (const auto found = inputs.find(name); found != inputs.end()) draw_all(found->second, value);
}

void Made::fill_states(const std::function<double()>& value) {
  Tensor states = states_before(of);
  draw_all(states, value);
  inputs["initial_state"] = std::move(states);
}

void Made::fill_writes(const std::function<double()>& value) {
  fill("beta", value);
  fill("eta", value);
}

void Made::set_rule(Rule rule) {
  const RuleInfo &before = rule_info(options.rule), &after = rule_info(rule);
  options.rule = rule;
  options.variant = KlaVariant::standard;
  if (after.write != before.write && !before.write.empty()) {
    if (auto node = inputs.extract(std::string(before.write)); !node.empty() && !after.write.empty()) {
      node.key() = after.write;
      inputs.insert(std::move(node));
    }
  }
  if (after.decay == Decay::none) inputs.erase("g");
  if (after.decay != Decay::none && !after.optional_decay && !inputs.contains("g")) {
    inputs["g"] = zero_gates(of, after.decay);
  }
}

std::vector<double> unit_row(std::int64_t K, int most_m, Generator& draw) {
  int m = 0;
  while (m < most_m && (std::int64_t{4} << (2 * m)) <= K) ++m;
  std::vector<double> row(static_cast<std::size_t>(K), 0);
  for (int left = 1 << (2 * m); left > 0;) {
    double& x = row[static_cast<std::size_t>(draw.integer(0, static_cast<int>(K) - 1))];
    if (x != 0) continue;
    x = std::ldexp(draw.integer(0, 1) == 0 ? -1.0 : 1.0, -m);
    --left;
  }
  return row;
}

}  // namespace deltaproof::laws
