#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "small_problems.hpp"

namespace deltaproof {

/// Inputs of a chunk kernel, value by value: t token, h head, c channel.
struct Recipe {
  using OfChannel = std::function<double(std::int64_t t, std::int64_t h, std::int64_t c)>;
  using OfToken = std::function<double(std::int64_t t, std::int64_t h)>;

  Sizes sizes{.T = 130, .H = 2, .HV = 2, .K = 32, .V = 32};
  Dtype dtype = Dtype::bf16, beta_dtype = Dtype::f32;
  OfChannel q, k, v;
  OfToken g, beta;
  OfChannel initial_state;  ///< of key channel t, value channel c; none: absent
  std::optional<double> scale;

  /// Normal q and v, keys of norm about 1, mild decay, write coefficients all over (0.1, 0.9).
  explicit Recipe(std::uint64_t seed);
  double normal();
  double uniform(double low, double high);

  /// For kernels with a delta rule (gated_delta) or without (scalar_decay).
  Problem problem(const std::string& arithmetic) const;

 private:
  std::shared_ptr<std::mt19937_64> random_;
};

/// Inputs with few different numbers in them, or at the edge of a type: here roundings are far from random.
struct LowEntropy {
  std::string name;
  std::function<void(Recipe&)> change;
  std::uint64_t seeds = 4;  ///< that show what these inputs do

  friend std::ostream& operator<<(std::ostream& out, const LowEntropy& each) { return out << each.name; }
};

const std::vector<LowEntropy>& low_entropy_inputs();

}  // namespace deltaproof
