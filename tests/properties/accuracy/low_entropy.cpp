#include "low_entropy.hpp"

#include <cmath>
#include <map>
#include <memory>
#include <numbers>
#include <sstream>
#include <tuple>

namespace deltaproof {

Recipe::Recipe(std::uint64_t seed) : random_(std::make_shared<std::mt19937_64>(seed)) {
  q = [this](std::int64_t, std::int64_t, std::int64_t) { return normal(); };
  k = [this](std::int64_t, std::int64_t, std::int64_t) {
    return normal() / std::sqrt(static_cast<double>(sizes.K));
  };
  v = q;
  g = [this](std::int64_t, std::int64_t) { return uniform(-0.1, 0); };
  beta = [this](std::int64_t, std::int64_t) { return uniform(0.1, 0.9); };
}

double Recipe::uniform(double low, double high) {
  return low + (high - low) * static_cast<double>((*random_)() >> 11) * 0x1p-53;
}

double Recipe::normal() {
  const double size = std::sqrt(-2 * std::log(1 - uniform(0, 1)));
  return size * std::cos(2 * std::numbers::pi * uniform(0, 1));
}

Problem Recipe::problem(const std::string& arithmetic) const {
  const auto channels = [&](std::int64_t heads, std::int64_t width, const OfChannel& value) {
    return filled(dtype, {1, sizes.T, heads, width}, [&](std::int64_t i) {
      return value(i / width / heads, i / width % heads, i % width);
    });
  };
  const auto tokens = [&](Dtype type, const OfToken& value) {
    return filled(type, {1, sizes.T, sizes.HV},
                  [&](std::int64_t i) { return value(i / sizes.HV, i % sizes.HV); });
  };
  const bool residual = arithmetic != "fla-simple-gla-chunk";
  TensorMap inputs;
  inputs["q"] = channels(sizes.H, sizes.K, q);
  inputs["k"] = channels(sizes.H, sizes.K, k);
  inputs["v"] = channels(sizes.HV, sizes.V, v);
  inputs["g"] = tokens(Dtype::f32, g);
  if (residual) inputs["beta"] = tokens(beta_dtype, beta);
  if (initial_state) {
    inputs["initial_state"] = filled(Dtype::f32, {1, sizes.HV, sizes.K, sizes.V}, [&](std::int64_t i) {
      return initial_state(i / sizes.V % sizes.K, i / sizes.V / sizes.K, i % sizes.V);
    });
  }
  Metadata more;
  if (scale) more["scale"] = (std::ostringstream() << *scale).str();
  return make_problem(residual ? "gated_delta" : "scalar_decay", arithmetic, std::move(inputs), more);
}

namespace {

// Nothing is written: o = scale q S for all tokens.
void only_read(Recipe& r) {
  r.k = [](std::int64_t, std::int64_t, std::int64_t) { return 0; };
  r.g = [](std::int64_t, std::int64_t) { return 0; };
  r.initial_state = [&r](std::int64_t, std::int64_t, std::int64_t) { return r.normal(); };
}

}  // namespace

const std::vector<LowEntropy>& low_entropy_inputs() {
  using I = std::int64_t;
  static const std::vector<LowEntropy> list = {
      {"arbitrary", [](Recipe&) {}},
      {"values_plus_minus_one", [](Recipe& r) { r.v = [&r](I, I, I) { return r.normal() < 0 ? -1 : 1; }; }},
      {"values_constant", [](Recipe& r) { r.v = [](I, I, I) { return 1; }; }},
      {"keys_one_hot", [](Recipe& r) { r.k = [&r](I t, I, I c) { return c == t % r.sizes.K ? 1 : 0; }; }},
      {"keys_and_queries_one_hot",
       [](Recipe& r) {
         r.k = [&r](I t, I, I c) { return c == t % r.sizes.K ? 1 : 0; };
         r.q = [&r](I t, I, I c) { return c == (7 * t + 3) % r.sizes.K ? 1 : 0; };
       }},
      {"tokens_in_pairs",
       [](Recipe& r) {
         const auto repeated = [](const Recipe::OfChannel& value) {
           auto kept = std::make_shared<std::map<std::tuple<I, I, I>, double>>();
           return [=](I t, I h, I c) {
             const auto [at, fresh] = kept->try_emplace({t / 2, h, c}, 0.0);
             if (fresh) at->second = value(t, h, c);
             return at->second;
           };
         };
         r.q = repeated(r.q);
         r.k = repeated(r.k);
         r.v = repeated(r.v);
       }},
      {"padded_with_one_token",
       [](Recipe& r) {
         const auto padded = [](const Recipe::OfChannel& value) {
           return [=](I t, I h, I c) {
             return t < 64 ? value(t, h, c) : std::sin(1.0 + 3.7 * static_cast<double>(c)) * (c % 3 == 0 ? 0.3 : 0.1);
           };
         };
         r.q = padded(r.q);
         r.k = padded(r.k);
         r.v = padded(r.v);
         r.beta = [](I, I) { return 0.3; };
         r.g = [](I, I) { return -0.05; };
       }},
      {"equal_value_columns",
       [](Recipe& r) {
         r.v = [](I t, I h, I) { return scattered(t, 10 + h); };
       }},
      {"equal_value_columns_in_one_head",
       [](Recipe& r) {
         r.sizes = {.T = 16, .H = 64, .HV = 64, .K = 8, .V = 256};
         r.v = [&r](I t, I h, I) { return h == 5 ? scattered(t, 10) : r.normal(); };
       }},
      {"equal_value_columns_in_one_chunk",
       [](Recipe& r) {
         r.sizes = {.T = 1024, .H = 1, .HV = 1, .K = 16, .V = 128};
         r.v = [&r](I t, I h, I) { return t / 64 == 5 ? scattered(t, 10 + h) : r.normal(); };
       }},
      {"equal_queries_in_one_head",
       [](Recipe& r) {
         r.sizes = {.T = 64, .H = 16, .HV = 16, .K = 16, .V = 64};
         const Recipe::OfChannel q = r.q;
         r.q = [=](I t, I h, I c) { return h == 3 ? scattered(c, 10) : q(t, h, c); };
         only_read(r);
       },
       30},
      {"equal_queries_in_one_chunk",
       [](Recipe& r) {
         r.sizes = {.T = 1024, .K = 16, .V = 64};
         const Recipe::OfChannel q = r.q;
         r.q = [=](I t, I h, I c) { return t < 64 ? scattered(c, 10) : q(t, h, c); };
         only_read(r);
       },
       30},
      {"equal_queries_two_columns",
       [](Recipe& r) {
         r.sizes = {.T = 64, .K = 16, .V = 2};
         r.q = [](I, I h, I c) { return scattered(c, 10 + h); };
         only_read(r);
       },
       25},
      // Some queries are nearly orthogonal to their key: rounding q first changes what is rounded next by binades.
      {"many_first_tokens", [](Recipe& r) { r.sizes = {.T = 1, .H = 128, .HV = 128, .K = 8, .V = 128}; }, 10},
      {"zero_rows",
       [](Recipe& r) {
         const Recipe::OfChannel q = r.q, k = r.k, v = r.v;
         r.q = [=](I t, I h, I c) { return t % 5 == 0 ? 0 : q(t, h, c); };
         r.k = [=](I t, I h, I c) { return t % 3 == 0 ? 0 : k(t, h, c); };
         r.v = [=](I t, I h, I c) { return t % 7 == 0 ? 0 : v(t, h, c); };
       }},
      {"zero_queries", [](Recipe& r) { r.q = [](I, I, I) { return 0; }; }},
      {"scale_zero", [](Recipe& r) { r.scale = 0; }},
      {"integers",
       [](Recipe& r) {
         r.q = r.v = [&r](I, I, I) { return std::round(r.uniform(-4, 4)); };
         r.k = [&r](I, I, I c) { return c < 4 ? std::round(r.uniform(-1, 1)) : 0; };
         r.beta = [](I, I) { return 0.5; };
         r.g = [](I, I) { return 0; };
         r.scale = 1;
       }},
      // Sums of two integers in [128, 255]: every second one lies halfway between two numbers of bf16.
      {"outputs_at_ties",
       [](Recipe& r) {
         r.sizes = {.T = 64, .H = 2, .HV = 2, .K = 64, .V = 64};
         r.q = [](I t, I, I c) { return c == t || c == (5 * t + 7) % 64 ? 1 : 0; };
         r.k = [](I, I, I) { return 0; };
         r.g = [](I, I) { return 0; };
         r.scale = 1;
         r.initial_state = [&r](I, I, I) { return std::round(r.uniform(128, 255)); };
       }},
      {"scores_at_a_tie",
       [](Recipe& r) {
         r.q = [](I, I, I c) { return c == 0 ? 256 : c == 1 ? 1 : 0; };
         r.k = [&r](I t, I, I c) { return c < 2 ? 1 : c == 2 + t % (r.sizes.K - 2) ? 0.5 : 0; };
         r.beta = [](I, I) { return 0.01; };
         r.g = [](I, I) { return 0; };
       }},
      {"everything_positive",
       [](Recipe& r) {
         r.q = r.v = [&r](I, I, I) { return std::abs(r.normal()); };
         r.k = [&r](I, I, I) { return std::abs(r.normal()) / 8; };
         r.g = [](I, I) { return 0; };
         r.initial_state = [&r](I, I, I) { return std::abs(r.normal()); };
       }},
      {"values_tiny", [](Recipe& r) { r.v = [&r](I, I, I) { return 0x1p-100 * r.normal(); }; }},
      {"values_huge", [](Recipe& r) { r.v = [&r](I, I, I) { return 0x1p60 * r.normal(); }; }},
      {"half", [](Recipe& r) { r.dtype = Dtype::f16; }},
      {"half_subnormal_values",
       [](Recipe& r) {
         r.dtype = Dtype::f16;
         r.v = [&r](I, I, I) { return 0x1p-22 * r.normal(); };
       }},
      {"half_strong_decay",
       [](Recipe& r) {
         r.dtype = Dtype::f16;
         r.g = [&r](I, I) { return r.uniform(-3, -1); };
       }},
      {"one_token", [](Recipe& r) { r.sizes.T = 1; }},
      {"one_token_equal_value_columns",
       [](Recipe& r) {
         r.sizes = {.T = 1, .K = 32, .V = 128};
         r.v = [](I t, I h, I) { return scattered(t, 10 + h); };
       },
       50},
      {"one_token_more_than_a_chunk", [](Recipe& r) { r.sizes.T = 65; }},
      {"beta_in_16_bits", [](Recipe& r) { r.beta_dtype = Dtype::bf16; }},
      {"beta_one", [](Recipe& r) { r.beta = [](I, I) { return 1; }; }},
      {"eight_channels", [](Recipe& r) { r.sizes.K = r.sizes.V = 8; }},
      {"given_state", [](Recipe& r) { r.initial_state = [&r](I, I, I) { return r.normal(); }; }},
      {"strong_decay", [](Recipe& r) { r.g = [&r](I, I) { return r.uniform(-3, -1); }; }},
      {"resets", [](Recipe& r) { r.g = [](I t, I) { return t % 16 == 3 ? -100 : -0.01; }; }},
      {"keys_nearly_parallel",
       [](Recipe& r) {
         r.k = [&r](I, I, I c) {
           return (c == 0 ? 1 : 0) + 0.05 * r.normal() / std::sqrt(static_cast<double>(r.sizes.K));
         };
         r.beta = [&r](I, I) { return r.uniform(0.9, 1); };
         r.g = [](I, I) { return 0; };
       }},
      {"keys_in_a_plane_beta_high",
       [](Recipe& r) {
         r.k = [&r](I, I, I c) { return c < 3 ? r.normal() / std::sqrt(3.0) : 0; };
         r.beta = [&r](I, I) { return r.uniform(0.9, 1.4); };
       }},
      {"values_linear_in_keys",
       [](Recipe& r) {
         r.k = [](I t, I h, I c) { return scattered(((t % 32) * 2 + h) * 32 + c, 3) * 0.3; };
         r.v = [&r](I t, I h, I c) { return r.k(t, h, (c + 1) % 32) - r.k(t, h, (c + 2) % 32); };
         r.beta = [](I, I) { return 1; };
         r.g = [](I, I) { return 0; };
       }},
      {"masked_tokens",
       [](Recipe& r) {
         r.g = [](I t, I) { return t % 11 == 3 ? -1e4 : -0.01; };
         r.beta = [](I t, I) { return t % 7 == 2 ? 0 : 0.7; };
       }},
      {"scale_tiny", [](Recipe& r) { r.scale = 1e-20; }},
      {"scale_negative", [](Recipe& r) { r.scale = -3.3; }},
      {"values_subnormal", [](Recipe& r) { r.v = [&r](I, I, I) { return 0x1p-126 * r.normal(); }; }},
      {"values_near_overflow", [](Recipe& r) { r.v = [&r](I, I, I) { return 0x1p118 * r.normal(); }; }},
      {"columns_of_very_different_size",
       [](Recipe& r) { r.v = [&r](I, I, I c) { return std::ldexp(r.normal(), static_cast<int>(4 * c - 60)); }; }},
      {"large_state",
       [](Recipe& r) { r.initial_state = [&r](I, I, I) { return 1e5 * r.normal(); }; }},
      {"everything_one",
       [](Recipe& r) {
         r.q = r.k = r.v = [](I, I, I) { return 1; };
         r.beta = [&r](I, I) { return 1.0 / static_cast<double>(r.sizes.K); };
       }},
      {"beta_two_unit_keys",
       [](Recipe& r) {
         r.k = [&r](I t, I, I c) { return c == (t * t + 3 * t) % r.sizes.K ? 1 : 0; };
         r.beta = [](I, I) { return 2; };
       }},
      {"condition_of_hundreds",
       [](Recipe& r) {
         r.k = [&r](I, I, I c) {
           return (c == 0 ? 1 : 0) + 0.3 * r.normal() / std::sqrt(static_cast<double>(r.sizes.K));
         };
         r.beta = [&r](I, I) { return r.uniform(1.5, 1.7); };
         r.g = [](I, I) { return 0; };
       }},
      {"condition_of_hundreds_wide",
       [](Recipe& r) {
         r.k = [&r](I, I, I) { return 1.6 * r.normal() / std::sqrt(static_cast<double>(r.sizes.K)); };
         r.beta = [&r](I, I) { return r.uniform(0.7, 1.0); };
         r.g = [](I, I) { return 0; };
         r.initial_state = [&r](I, I, I) { return r.normal(); };
       }},
  };
  return list;
}

}  // namespace deltaproof
