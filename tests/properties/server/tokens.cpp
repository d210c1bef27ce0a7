#include "tests/properties/server/tokens.hpp"

#include <utility>

#include "properties/regimes/generator.hpp"

namespace deltaproof::server {
namespace {

struct Inputs {
  std::vector<double> q, k, v, g, beta;

  void add(Token token) {
    Generator draw(17, {token});
    for (std::int64_t i = 0; i < K; ++i) q.push_back(0.35 * draw.normal());
    for (std::int64_t i = 0; i < K; ++i) k.push_back(0.35 * draw.normal());
    for (std::int64_t i = 0; i < HV * V; ++i) v.push_back(draw.normal());
    for (std::int64_t i = 0; i < HV; ++i) g.push_back(draw.uniform(-0.3, 0));
    for (std::int64_t i = 0; i < HV; ++i) beta.push_back(draw.uniform(0.1, 0.9));
  }
};

}  // namespace

const char* engine_name(Engine engine) { return engine == Engine::recurrent ? "recurrent" : "chunk"; }

Tensor zero_pool(std::int64_t rows) {
  return Tensor::from(Dtype::f32, {rows, HV, K, V}, std::vector<double>(static_cast<std::size_t>(rows * HV * K * V)));
}

Problem launch_problem(Engine engine, const std::vector<Tokens>& sequences, const std::vector<int>& rows,
                       Tensor pool) {
  const auto B = static_cast<std::int64_t>(sequences.size());
  const auto T = static_cast<std::int64_t>(sequences.front().size());
  Inputs inputs;
  for (const Tokens& tokens : sequences) {
    for (const Token token : tokens) inputs.add(token);
  }
  TensorMap tensors;
  tensors["q"] = Tensor::from(Dtype::bf16, {B, T, 1, K}, inputs.q);
  tensors["k"] = Tensor::from(Dtype::bf16, {B, T, 1, K}, inputs.k);
  tensors["v"] = Tensor::from(Dtype::bf16, {B, T, HV, V}, inputs.v);
  tensors["g"] = Tensor::from(Dtype::f32, {B, T, HV}, inputs.g);
  tensors["beta"] = Tensor::from(Dtype::f32, {B, T, HV}, inputs.beta);
  tensors["state_indices"] = Tensor::from(Dtype::i32, {B}, std::vector<double>(rows.begin(), rows.end()));
  tensors["initial_state"] = std::move(pool);
  const Metadata metadata{{"format", "deltaproof.case/1"},
                          {"rule", "gated_delta"},
                          {"chunk_size", "16"},
                          {"states_every", "16"},
                          {"arithmetic", engine == Engine::recurrent ? "deltaproof-recurrent" : "deltaproof-chunk"}};
  return Problem::make("launch", metadata, std::move(tensors));
}

}  // namespace deltaproof::server
