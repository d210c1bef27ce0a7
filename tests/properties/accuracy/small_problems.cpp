#include "small_problems.hpp"

#include <cmath>

namespace deltaproof {

Tensor filled(Dtype dtype, std::vector<std::int64_t> shape,
              const std::function<double(std::int64_t)>& value) {
  std::int64_t size = 1;
  for (const std::int64_t n : shape) size *= n;
  std::vector<double> values;
  for (std::int64_t i = 0; i < size; ++i) values.push_back(value(i));
  return Tensor::from(dtype, std::move(shape), values);
}

double scattered(std::int64_t index, std::int64_t stream) {
  auto x =
      static_cast<std::uint64_t>(index) * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(stream);
  x = (x ^ (x >> 31)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 29)) * 0x94d049bb133111ebu;
  return static_cast<double>((x ^ (x >> 32)) >> 11) * 0x1p-52 - 1;
}

TensorMap small_inputs(const std::string& rule, const Sizes& s, Dtype dtype) {
  const auto stream = [](std::int64_t n) {
    return [n](std::int64_t i) { return scattered(i, n); };
  };
  const auto gate = [](std::int64_t n) {
    return [n](std::int64_t i) { return 0.5 + 0.4 * scattered(i, n); };
  };
  const auto decay = [](std::int64_t i) { return -0.05 * (1 + scattered(i, 5)); };
  const double key = 1 / std::sqrt(static_cast<double>(s.K));
  TensorMap inputs;
  inputs["q"] = filled(dtype, {s.B, s.T, s.H, s.K}, stream(1));
  inputs["k"] =
      filled(dtype, {s.B, s.T, s.H, s.K}, [&](std::int64_t i) { return key * scattered(i, 2); });
  inputs["v"] = filled(dtype, {s.B, s.T, s.HV, s.V}, stream(3));
  const RuleInfo& info = *find_rule(rule);
  if (info.decay == Decay::scalar) inputs["g"] = filled(Dtype::f32, {s.B, s.T, s.HV}, decay);
  if (info.decay == Decay::per_channel)
    inputs["g"] = filled(Dtype::f32, {s.B, s.T, s.HV, s.K}, decay);
  if (info.system == System::longhorn) {
    inputs["beta"] = filled(Dtype::f32, {s.B, s.T, s.HV, s.V}, gate(4));
  } else if (info.system == System::gsa) {
    inputs["a"] = filled(Dtype::f32, {s.B, s.T, s.HV, s.M}, gate(4));
  } else if (!info.write.empty()) {
    inputs[std::string(info.write)] = filled(Dtype::f32, {s.B, s.T, s.HV}, gate(4));
  }
  return inputs;
}

Problem make_problem(const std::string& rule, const std::string& arithmetic, TensorMap inputs,
                     Metadata more) {
  more["format"] = "deltaproof.case/1";
  more["rule"] = rule;
  more["arithmetic"] = arithmetic;
  return Problem::make("made up", more, std::move(inputs));
}

}  // namespace deltaproof
