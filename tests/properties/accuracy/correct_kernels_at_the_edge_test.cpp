// Correct kernels on inputs that take them to the edge of what their arithmetic allows: coherent
// roundings, subnormal operands, flushed exponentials, chains that start from a large value. None
// is called wrong.
#include <gtest/gtest.h>

#include <cmath>
#include <type_traits>

#include "recordings.hpp"
#include "small_problems.hpp"

namespace deltaproof {
namespace {

float to_bf16(float x) { return static_cast<float>(round_to_nearest_even(formats::bf16, x)); }
float to_f16(float x) { return static_cast<float>(round_to_nearest_even(formats::f16, x)); }

// head / heads, from 0 to 1.
float share(std::int64_t head, std::int64_t heads) {
  return static_cast<float>(head) / static_cast<float>(heads);
}

Outputs only(const std::string& name, Tensor tensor) {
  Outputs outputs;
  outputs.tensors[name] = std::move(tensor);
  return outputs;
}

void expect_accepted(const Problem& problem, const Outputs& outputs) {
  const Verdict verdict = judge_by_bound_alone(problem, outputs);
  EXPECT_NE(verdict.status, Status::failed) << describe(verdict);
  EXPECT_NE(verdict.status, Status::nonconforming) << describe(verdict);
  EXPECT_EQ(verdict.violations, 0);
}

void expect_passed(const Problem& problem, const Outputs& outputs) {
  const Verdict verdict = judge_by_bound_alone(problem, outputs);
  EXPECT_EQ(verdict.status, Status::passed) << describe(verdict);
}

// A key of 62 equal elements whose roundings to bf16, once normalised, all go one way: a
// coefficient formed from the stored key is off by the sum of them.
TEST(KlaChunk, MayFormItsCoefficientFromTheStoredKey) {
  constexpr std::int64_t heads = 256, K = 64;
  std::vector<float> key(K, 248.0f);
  key[62] = 250;
  key[63] = 174;
  const auto eta = [](std::int64_t h) { return 1 + 0.02f * share(h, heads); };
  const auto gate = [](std::int64_t h) {
    return std::log(0.5f * (1 + 0.02f * static_cast<float>(scattered(h, 1))));
  };
  TensorMap inputs;
  inputs["k"] = filled(Dtype::bf16, {1, 2, 1, K}, [&](std::int64_t i) {
    return i < K ? static_cast<double>(key[static_cast<std::size_t>(i)]) : 0.0;
  });
  inputs["q"] = inputs["k"];
  inputs["v"] = filled(Dtype::bf16, {1, 2, heads, 1}, [](std::int64_t i) { return i < heads; });
  inputs["eta"] =
      filled(Dtype::f32, {1, 2, heads}, [&](std::int64_t i) { return i < heads ? eta(i) : 1; });
  inputs["g"] = filled(Dtype::f32, {1, 2, heads},
                       [&](std::int64_t i) { return i < heads ? 0 : gate(i - heads); });

  float square = 0, stored_square = 0;
  for (const float x : key) square += x * x;
  for (float& x : key) x = to_bf16(x / std::sqrt(square + 1e-6f));
  for (const float x : key) stored_square += x * x;
  const Tensor state = filled(Dtype::f32, {1, heads, K, 1}, [&](std::int64_t i) {
    const std::int64_t h = i / K;
    const float u = to_bf16(eta(h) / (stored_square + 1e-6f));
    return key[static_cast<std::size_t>(i % K)] * to_bf16(u * std::exp(gate(h)));
  });
  const Problem problem =
      make_problem("kla", "fla-chunk", std::move(inputs),
                   {{"qk_l2norm", "k"}, {"eps", "1e-6"}, {"qk_l2norm_eps", "1e-6"}});
  expect_passed(problem, only("final_state", state));
}

// k e^{..} below the smallest normal number of f16, by a kernel that scales keys.
TEST(GenericChunk, MayRoundScaledKeysAmongSubnormalNumbersOfF16) {
  constexpr std::int64_t heads = 256;
  const auto gate = [](std::int64_t h) { return -9.6f - 0.3f * share(h, heads); };
  const auto key = [](std::int64_t h) {
    return to_f16(0.1f + 0.02f * static_cast<float>(scattered(h, 1)));
  };
  const auto first = [](auto value) {
    return filled(Dtype::f16, {1, 2, heads, 1},
                  [&](std::int64_t i) { return i < heads ? value(i) : 0.0f; });
  };
  TensorMap inputs;
  inputs["k"] = first(key);
  inputs["q"] = inputs["k"];
  inputs["v"] = first([](std::int64_t) { return 1.0f; });
  inputs["g"] = filled(Dtype::f32, {1, 2, heads},
                       [&](std::int64_t i) { return i < heads ? 0 : gate(i - heads); });
  const Tensor state = filled(Dtype::f32, {1, heads, 1, 1},
                              [&](std::int64_t h) { return to_f16(key(h) * std::exp(gate(h))); });
  expect_passed(make_problem("scalar_decay", "generic", std::move(inputs), {{"scale", "1"}}),
                only("final_state", state));
}

// The same in a dot of 16 channels whose decayed queries are rounded alike.
TEST(GenericChunk, MayRoundDecayedOperandsAmongSubnormalNumbersOfF16) {
  constexpr std::int64_t heads = 64, K = 16;
  const auto gate = [](std::int64_t h) { return -9.6f - 0.3f * share(h, heads); };
  const auto query = [](std::int64_t h) { return to_f16(0.1f + 0.02f * share(h * h % 61, 61)); };
  const auto row = [](bool second, auto value) {  // [1, 2, heads, K], one token's
    return filled(Dtype::f16, {1, 2, heads, K}, [&](std::int64_t i) {
      return (i >= heads * K) == second ? value(i / K % heads) : 0.0f;
    });
  };
  TensorMap inputs;
  inputs["q"] = row(true, query);
  inputs["k"] = row(false, [](std::int64_t) { return 1.0f; });
  inputs["v"] =
      filled(Dtype::f16, {1, 2, heads, 1}, [](std::int64_t i) { return i < heads ? 1.0 : 0.0; });
  inputs["g"] = filled(Dtype::f32, {1, 2, heads, K},
                       [&](std::int64_t i) { return i < heads * K ? 0 : gate(i / K % heads); });
  const Tensor o = filled(Dtype::f16, {1, 2, heads, 1}, [&](std::int64_t i) {
    if (i < heads) return 0.0f;
    const std::int64_t h = i - heads;
    return static_cast<float>(K) * to_f16(query(h) * std::exp(gate(h)));
  });
  expect_accepted(make_problem("vector_decay", "generic", std::move(inputs), {{"scale", "1"}}),
                  only("o", o));
}

// e^{-87.6} is subnormal and flushed; what it would have multiplied is large.
TEST(GlaChunk, MayFlushADecayedOperand) {
  const auto token = [](std::int64_t which) {
    return filled(Dtype::bf16, {1, 2, 1, 1},
                  [&](std::int64_t i) { return i == which ? 1024.0 : 0.0; });
  };
  TensorMap inputs;
  inputs["q"] = token(1);
  inputs["k"] = token(0);
  inputs["v"] = token(0);
  inputs["g"] =
      filled(Dtype::f32, {1, 2, 1, 1}, [](std::int64_t i) { return i == 1 ? -87.6 : 0.0; });
  const Tensor o = filled(Dtype::bf16, {1, 2, 1, 1}, [](std::int64_t) { return 0; });
  expect_accepted(
      make_problem("vector_decay", "fla-gla-chunk", std::move(inputs), {{"scale", "1"}}),
      only("o", o));
}

// exp(log(1 - eta)), two units in the last place off, at every token alike.
TEST(SingleGate, MayBeFormedByTwoApproximateFunctions) {
  constexpr std::int64_t tokens = 40;
  for (const float eta : {0.48f, 0.499f}) {
    for (const float ulps : {-2.0f, 2.0f}) {
      TensorMap inputs;
      const Tensor zero = filled(Dtype::f32, {1, tokens, 1, 1}, [](std::int64_t) { return 0; });
      inputs["q"] = inputs["k"] = inputs["v"] = zero;
      inputs["eta"] = filled(Dtype::f32, {1, tokens, 1}, [&](std::int64_t) { return eta; });
      inputs["initial_state"] = filled(Dtype::f32, {1, 1, 1, 1}, [](std::int64_t) { return 1; });
      const float alpha = (1 - eta) + ulps * 0x1p-24f;
      float state = 1;
      for (std::int64_t t = 0; t < tokens; ++t) state *= alpha;
      const Problem problem = make_problem("kla", "fla-recurrent", std::move(inputs),
                                           {{"variant", "single_gate"}, {"scale", "1"}});
      expect_passed(problem, only("final_state", Tensor::from(Dtype::f32, {1, 1, 1, 1}, {state})));
    }
  }
}

// A delta recurrence whose residual is one chain v - k_0 S_0 - k_1 S_1 ..: each step is rounded
// relative to v, however small the state. K keys of unit length, or one large key channel.
template <typename Real>
void expect_residual_chain_passes(const std::string& arithmetic, std::int64_t K, bool one_channel,
                                  Real beta) {
  constexpr std::int64_t tokens = 2, V = 64;
  const auto k = filled(Dtype::f32, {1, tokens, 1, K}, [&](std::int64_t i) {
    if (one_channel) return i % K == 0 ? 1.0 : 1e-3 * scattered(i, 1);
    return scattered(i, 1) * std::sqrt(3 / static_cast<double>(K));
  });
  const auto q =
      filled(Dtype::f32, {1, tokens, 1, K}, [&](std::int64_t i) { return i % K == 0 ? 1.0 : 0.0; });
  const auto v = filled(Dtype::f32, {1, tokens, 1, V},
                        [](std::int64_t i) { return 1.5 + 0.5 * scattered(i, 2); });
  const auto b = filled(Dtype::f32, {1, tokens, 1}, [&](std::int64_t) { return beta; });
  std::vector<Real> state(static_cast<std::size_t>(K * V));
  std::vector<double> o;
  for (std::int64_t t = 0; t < tokens; ++t) {
    for (std::int64_t c = 0; c < V; ++c) {
      auto e = static_cast<Real>(v.value(t * V + c));
      const auto at = [&](std::int64_t i) -> Real& {
        return state[static_cast<std::size_t>(i * V + c)];
      };
      for (std::int64_t i = 0; i < K; ++i) e -= static_cast<Real>(k.value(t * K + i)) * at(i);
      const Real w = static_cast<Real>(b.value(t)) * e;
      for (std::int64_t i = 0; i < K; ++i) at(i) += static_cast<Real>(k.value(t * K + i)) * w;
      o.push_back(at(0));
    }
  }
  const Dtype stored = std::is_same_v<Real, double> ? Dtype::f64 : Dtype::f32;
  Outputs outputs;
  outputs.tensors["o"] = Tensor::from(stored, {1, tokens, 1, V}, o);
  outputs.tensors["final_state"] =
      Tensor::from(stored, {1, 1, K, V}, std::vector<double>(state.begin(), state.end()));
  TensorMap inputs = {{"q", q}, {"k", k}, {"v", v}, {"beta", b}};
  expect_passed(make_problem("delta", arithmetic, std::move(inputs), {{"scale", "1"}}), outputs);
}

TEST(RecurrenceInFp32, MaySubtractFromTheValueInOneChain) {
  expect_residual_chain_passes<float>("fla-recurrent", 128, false, 1e-3f);
}

TEST(RecurrenceInDouble, MaySubtractFromTheValueInOneChain) {
  expect_residual_chain_passes<double>("fp64", 512, true, 1e-6);
}

// Prefix sums of g in one chain: each addition drops almost half a unit in the last place.
Verdict judge_sequential_scan(const std::string& arithmetic, std::int64_t chunk) {
  const auto gate = [](std::int64_t t) { return t == 0 ? -32.0f : -(0.125f + 0.97f * 0x1p-19f); };
  float sum = 0;
  for (std::int64_t t = 0; t < chunk; ++t) sum += gate(t);
  TensorMap inputs;
  inputs["q"] = inputs["k"] = inputs["v"] =
      filled(Dtype::bf16, {1, chunk, 1, 1}, [](std::int64_t) { return 0; });
  inputs["beta"] = filled(Dtype::f32, {1, chunk, 1}, [](std::int64_t) { return 0; });
  inputs["g"] = filled(Dtype::f32, {1, chunk, 1}, gate);
  inputs["initial_state"] = filled(Dtype::f32, {1, 1, 1, 1}, [](std::int64_t) { return 1; });
  const Problem problem = make_problem(
      "gated_delta", arithmetic, std::move(inputs),
      {{"chunk_size", std::to_string(chunk)}, {"states_every", std::to_string(chunk)}});
  return judge_by_bound_alone(problem, only("final_state", filled(Dtype::f32, {1, 1, 1, 1}, [&](std::int64_t) {
                               return std::exp(static_cast<double>(sum));
                             })));
}

TEST(SequentialScan, IsInTheFamilyAboveChunksOf64AndWhereNothingIsDeclared) {
  for (const auto& [arithmetic, chunk] :
       {std::pair("fla-chunk", 128), {"fla-chunk", 65}, {"generic", 64}, {"generic", 128}}) {
    const Verdict verdict = judge_sequential_scan(arithmetic, chunk);
    EXPECT_EQ(verdict.status, Status::passed) << arithmetic << " " << chunk << describe(verdict);
  }
}

// A declared kernel of 64 tokens scans in two levels: this is outside, and can be told.
TEST(SequentialScan, IsNotInTheFamilyOfChunksOf64) {
  EXPECT_EQ(judge_sequential_scan("fla-chunk", 64).status, Status::failed);
}

// A gate that forgets everything, as masks of padded tokens are written.
TEST(EnormousGate, IsNoReasonToFail) {
  TensorMap inputs;
  inputs["q"] = inputs["k"] = inputs["v"] =
      filled(Dtype::bf16, {1, 4, 1, 1}, [](std::int64_t) { return 1; });
  inputs["g"] = filled(Dtype::f32, {1, 4, 1}, [](std::int64_t t) { return t == 2 ? -1e10 : 0.0; });
  const Outputs outputs = only("o", Tensor::from(Dtype::bf16, {1, 4, 1, 1}, {1, 2, 1, 2}));
  const Metadata scale = {{"scale", "1"}};
  expect_accepted(make_problem("scalar_decay", "fla-simple-gla-chunk", inputs, scale), outputs);
  expect_passed(make_problem("scalar_decay", "fla-recurrent", inputs, scale), outputs);
}

}  // namespace
}  // namespace deltaproof
