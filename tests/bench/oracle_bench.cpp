// State-element updates a second (K V a token) of the oracle, with its certificate, beside the same
// text on MPFR at 113 bits and a plain float recurrence. Items are updates; with threads, all of
// them together.
#include <benchmark/benchmark.h>

#include <cmath>
#include <random>

#include "plain_recurrence.hpp"
#include "reference/oracle/answer.hpp"

namespace deltaproof::bench {
namespace {

Matrix normal(Index rows, Index columns, double size, std::mt19937_64& random) {
  std::normal_distribution<double> deviate;
  Matrix matrix(rows, columns);
  for (Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = size * deviate(random);
  return matrix;
}

HeadInputs gated_delta(Index tokens, Index K, Index V) {
  std::mt19937_64 random(1);
  const double unit = 1 / std::sqrt(static_cast<double>(K));
  HeadInputs head;
  head.options.rule = Rule::gated_delta;
  head.options.scale = unit;
  head.tokens = tokens;
  head.K = K;
  head.V = V;
  head.q = normal(tokens, K, unit, random);
  head.k = normal(tokens, K, unit, random);
  head.v = normal(tokens, V, 1, random);
  head.g = -normal(tokens, 1, 0.1, random).cwiseAbs();
  head.write =
      normal(tokens, 1, 1, random).unaryExpr([](double x) { return 1 / (1 + std::exp(-x)); });
  head.initial_state = Matrix::Zero(K, V);
  return head;
}

void count_updates(benchmark::State& state, const HeadInputs& head) {
  state.SetItemsProcessed(state.iterations() * head.tokens * head.K * head.V);
}

void oracle_double(benchmark::State& state) {
  const HeadInputs head = gated_delta(state.range(0), state.range(1), state.range(1));
  for (auto _ : state) benchmark::DoNotOptimize(answer_double(head, {}).o_radius.data());
  count_updates(state, head);
}

void oracle_double_with_states(benchmark::State& state) {
  const HeadInputs head = gated_delta(state.range(0), state.range(1), state.range(1));
  const AnswerRequest request{.every = 64, .trace = true, .u = true};
  for (auto _ : state) benchmark::DoNotOptimize(answer_double(head, request).o_radius.data());
  count_updates(state, head);
}

void oracle_mpfr_113(benchmark::State& state) {
  const HeadInputs head = gated_delta(state.range(0), state.range(1), state.range(1));
  for (auto _ : state) benchmark::DoNotOptimize(answer_mpfr(head, {}, 113).o_radius.data());
  count_updates(state, head);
}

std::vector<float> floats(const Matrix& matrix) {
  return {matrix.data(), matrix.data() + matrix.size()};
}

void plain_float(benchmark::State& state) {
  const HeadInputs head = gated_delta(state.range(0), state.range(1), state.range(1));
  const PlainProblem problem{static_cast<int>(head.tokens),
                             static_cast<int>(head.K),
                             static_cast<int>(head.V),
                             floats(head.q),
                             floats(head.k),
                             floats(head.v),
                             floats(head.g.array().exp().matrix()),
                             floats(head.write)};
  for (auto _ : state) benchmark::DoNotOptimize(plain_recurrence(problem).data());
  count_updates(state, head);
}

BENCHMARK(oracle_double)
    ->Args({64, 128})
    ->Args({1024, 128})
    ->Args({1024, 64})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(oracle_double)
    ->Args({1024, 128})
    ->Threads(2)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(oracle_double_with_states)->Args({1024, 128})->Unit(benchmark::kMillisecond);
BENCHMARK(oracle_mpfr_113)->Args({64, 128})->Unit(benchmark::kMillisecond);
BENCHMARK(oracle_mpfr_113)
    ->Args({64, 128})
    ->Threads(2)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(plain_float)->Args({64, 128})->Args({1024, 128})->Unit(benchmark::kMillisecond);
BENCHMARK(plain_float)->Args({1024, 128})->Threads(2)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace deltaproof::bench
