#include "tests/kernels/faults/fault_problems.hpp"

#include <utility>

#include "properties/regimes/draw.hpp"
#include "properties/regimes/families.hpp"
#include "properties/runs/solve_check.hpp"

namespace deltaproof {
namespace {

constexpr std::uint64_t seed = 5;

struct Sizes {
  std::int64_t tokens, K, V, B = 1, H = 1, HV = 1;
};

/// The problems of one kernel.
struct Problems {
  std::string arithmetic;
  Dtype input;

  Problem make(const std::string& name, const char* regime, Rule rule, const Sizes& s, Metadata metadata = {},
               const TensorMap& more = {}) const {
    const RegimeShape shape{
        .tokens = s.tokens, .K = s.K, .V = s.V, .B = s.B, .H = s.H, .HV = s.HV, .input = input};
    TensorMap tensors = regime_problem(*find_regime(regime), rule, shape, seed).tensors();
    for (const auto& [key, tensor] : more) tensors[key] = tensor;
    metadata.insert({"chunk_size", "32"});
    metadata["format"] = "deltaproof.case/1";
    metadata["rule"] = rule_info(rule).name;
    metadata["arithmetic"] = arithmetic;
    metadata["states_every"] = metadata["chunk_size"];
    return Problem::make(name, metadata, std::move(tensors));
  }

  Problem tails() const;
  Problem packed() const;
  Problem pool() const;
  Problem small_rows() const;
};

Tensor states(std::int64_t rows, std::int64_t heads, std::int64_t K, std::int64_t V, bool vk = false) {
  Generator g(seed, {0x6661756c74});
  std::vector<double> values;
  for (std::int64_t i = 0; i < rows * heads; ++i) {
    const Matrix state = draw::state(K, V, g);
    values.insert(values.end(), state.data(), state.data() + state.size());
  }
  return Tensor::from(Dtype::f32, {rows, heads, vk ? V : K, vk ? K : V}, values);
}

Problem Problems::tails() const {
  return make("tails", "typical", Rule::gated_delta, {.tokens = 37, .K = 24, .V = 40, .HV = 2}, {},
              {{"initial_state", states(1, 2, 24, 40)}});
}

Problem Problems::packed() const {
  return make("packed, grouped heads, vk", "rand_sig_gdn", Rule::delta,
              {.tokens = 50, .K = 40, .V = 24, .H = 2, .HV = 4}, {{"state_layout", "vk"}},
              {{"cu_seqlens", Tensor::from(Dtype::i64, {5}, {0, 19, 19, 22, 50})},
               {"initial_state", states(4, 4, 40, 24, true)}});
}

Problem Problems::pool() const {
  return make("pool", "typical", Rule::scalar_decay, {.tokens = 20, .K = 16, .V = 24, .B = 3}, {},
              {{"state_indices", Tensor::from(Dtype::i32, {3}, {3, -1, 1})},
               {"initial_state", states(4, 1, 16, 24)}});
}

// Rows that the kernel normalises and that are far from normal: small keys, and q of length 3.
Problem Problems::small_rows() const {
  const Problem drawn = make("small rows", "kla_tinykey", Rule::gated_delta, {.tokens = 20, .K = 16, .V = 16},
                             {{"qk_l2norm", "kernel"}});
  TensorMap inputs = drawn.tensors();
  std::vector<double> q = inputs.at("q").values();
  for (double& x : q) x *= 3;
  inputs["q"] = Tensor::from(input, inputs.at("q").shape, q);
  return drawn.with_inputs(std::move(inputs));
}

}  // namespace

std::vector<Problem> fault_problems(const std::string& arithmetic, Dtype input) {
  const Problems of{arithmetic, input};
  const Sizes small{.tokens = 20, .K = 16, .V = 16};
  return {of.tails(),
          of.packed(),
          of.pool(),
          of.small_rows(),
          of.make("small keys", "kla_tinykey", Rule::kla, small),
          of.make("resets", "resets", Rule::gated_delta, {.tokens = 40, .K = 16, .V = 16}),
          of.make("two slabs", "rand_sig_gdn", Rule::gated_delta, {.tokens = 34, .K = 72, .V = 72}),
          of.make("channels", "typical", Rule::vector_decay_delta, {.tokens = 70, .K = 40, .V = 24},
                  {{"chunk_size", "64"}}),
          of.make("chunks of 64", "typical", Rule::gated_delta, {.tokens = 70, .K = 16, .V = 16},
                  {{"chunk_size", "64"}}),
          of.make("chunks of 16", "typical", Rule::delta, small, {{"chunk_size", "16"}})};
}

std::vector<SolveProblem> fault_solves() {
  std::vector<SolveProblem> problems;
  for (std::uint64_t i = 0; i < usual_solve_cases; ++i) problems.push_back(solve_case(seed, i));
  return problems;
}

}  // namespace deltaproof
