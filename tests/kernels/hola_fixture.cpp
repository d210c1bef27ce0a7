#include "tests/kernels/hola_fixture.hpp"

#include <numeric>
#include <utility>

namespace deltaproof {
namespace {

using Shape = std::vector<std::int64_t>;

Tensor integer_tensor(Dtype type, const std::vector<std::int64_t>& values) {
  return Tensor::from(type, {static_cast<std::int64_t>(values.size())},
                      std::vector<double>(values.begin(), values.end()));
}

Tensor uniform_tensor(Generator& g, Dtype type, Shape shape, double low, double high) {
  Tensor kind{type, shape, {}};
  std::vector<double> values;
  for (std::int64_t i = 0; i < kind.size(); ++i) values.push_back(g.uniform(low, high));
  return Tensor::from(type, std::move(shape), values);
}

TensorMap sequences_of(const HolaShape& shape) {
  TensorMap made;
  if (!shape.lengths.empty()) {
    std::vector<std::int64_t> ends{0};
    for (const std::int64_t length : shape.lengths) ends.push_back(ends.back() + length);
    made["cu_seqlens"] = integer_tensor(Dtype::i64, ends);
  }
  if (!shape.pool.empty()) made["state_indices"] = integer_tensor(Dtype::i32, shape.pool);
  return made;
}

std::int64_t state_rows(const HolaShape& shape) {
  if (!shape.pool.empty()) return static_cast<std::int64_t>(shape.pool.size()) + 1;
  return shape.lengths.empty() ? shape.B : static_cast<std::int64_t>(shape.lengths.size());
}

}  // namespace

Tensor random_tensor(Generator& g, Dtype type, Shape shape, double size) {
  Tensor kind{type, shape, {}};
  std::vector<double> values;
  for (std::int64_t i = 0; i < kind.size(); ++i) values.push_back(g.normal() * size);
  return Tensor::from(type, std::move(shape), values);
}

Tensor filled_tensor(Dtype type, Shape shape, double value) {
  const Tensor kind{type, shape, {}};
  return Tensor::from(type, std::move(shape), std::vector<double>(static_cast<std::size_t>(kind.size()), value));
}

Problem hola_problem(const std::string& kernel, const HolaShape& s, const Metadata& more, std::uint64_t seed) {
  Generator g(seed, {71});
  const std::int64_t T = s.lengths.empty() ? s.T : std::accumulate(s.lengths.begin(), s.lengths.end(), std::int64_t{0});
  TensorMap tensors = sequences_of(s);
  tensors["q"] = random_tensor(g, s.input, {s.B, T, s.H, s.K});
  tensors["k"] = random_tensor(g, s.input, {s.B, T, s.H, s.K});
  tensors["v"] = random_tensor(g, s.input, {s.B, T, s.HV, s.V});
  tensors["g"] = uniform_tensor(g, Dtype::f32, {s.B, T, s.HV}, -0.3, 0);
  const bool kla = more.contains("state_rule") && more.at("state_rule") == "kla";
  tensors[kla ? "eta" : "beta"] = uniform_tensor(g, Dtype::f32, {s.B, T, s.HV}, 0.1, 0.9);
  tensors["sink"] = random_tensor(g, Dtype::f32, {s.HV});
  tensors["cache_gate"] = random_tensor(g, Dtype::f32, {s.HV});
  if (!more.contains("read") || more.at("read") == "rmsnorm") {
    tensors["gamma_q"] = uniform_tensor(g, Dtype::bf16, {s.HV, s.K}, 0.5, 1.5);
    tensors["gamma_k"] = uniform_tensor(g, Dtype::f16, {s.HV, s.K}, 0.5, 1.5);
  }
  if (s.initial_state || !s.pool.empty()) {
    const bool vk = more.contains("state_layout") && more.at("state_layout") == "vk";
    tensors["initial_state"] = random_tensor(g, Dtype::f32, {state_rows(s), s.HV, vk ? s.V : s.K, vk ? s.K : s.V}, 0.3);
  }
  Metadata metadata{{"format", "deltaproof.case/1"},
                    {"rule", "hola"},
                    {"qk_l2norm", "kernel"},
                    {"cache_size", "5"},
                    {"cache_block", "8"},
                    {"chunk_size", "16"},
                    {"states_every", "16"}};
  metadata["arithmetic"] = std::string(find_built_in_kernel(kernel)->arithmetic);
  for (const auto& [key, value] : more) metadata[key] = value;
  return Problem::make(kernel + " " + std::string(dtype_name(s.input)), metadata, std::move(tensors));
}

Problem with_tensors(const Problem& problem, const TensorMap& tensors) {
  TensorMap all = problem.tensors();
  for (const auto& [name, tensor] : tensors) all[name] = tensor;
  return problem.with_inputs(std::move(all));
}

std::vector<float> floats(const Tensor& tensor) {
  const std::vector<double> values = tensor.values();
  return {values.begin(), values.end()};
}

std::vector<std::int32_t> integers(const Tensor& tensor) {
  std::vector<std::int32_t> values;
  for (std::int64_t i = 0; i < tensor.size(); ++i) values.push_back(static_cast<std::int32_t>(tensor.integer(i)));
  return values;
}

testing::AssertionResult same_tensors(const Outputs& expected, const Outputs& actual,
                                      const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const Tensor &one = expected.tensors.at(name), &other = actual.tensors.at(name);
    if (one.shape != other.shape || one.bytes.empty()) {
      return testing::AssertionFailure() << name << ": " << shape_string(one.shape) << " and "
                                         << shape_string(other.shape);
    }
    for (std::size_t i = 0; i < one.bytes.size(); ++i) {
      if (one.bytes[i] == other.bytes[i]) continue;
      return testing::AssertionFailure() << name << ' ' << shape_string(one.shape) << " differs at element "
                                         << i / dtype_size(one.dtype);
    }
  }
  return testing::AssertionSuccess();
}

std::vector<std::int32_t> counted_sets(const std::vector<float>& scores, std::int64_t w, std::int64_t C,
                                       bool later_first) {
  const auto T = static_cast<std::int64_t>(scores.size()), blocks = (T + C - 1) / C;
  const auto score = [&](std::int64_t t) { return scores[static_cast<std::size_t>(t)]; };
  std::vector<std::int32_t> sets(static_cast<std::size_t>(blocks * w), -1);
  for (std::int64_t n = 0; n < blocks; ++n) {
    for (std::int64_t t = 0; t < n * C; ++t) {
      std::int64_t before = 0;
      for (std::int64_t other = 0; other < n * C; ++other) {
        const bool tie_before = later_first ? other > t : other < t;
        before += score(other) > score(t) || (score(other) == score(t) && tie_before);
      }
      if (before < w) sets[static_cast<std::size_t>(n * w + before)] = static_cast<std::int32_t>(t);
    }
  }
  return sets;
}

}  // namespace deltaproof
