// Rule `hola` of the reference in double at the length it is meant for: T = 32,768, w = 64, C = 256, 4 heads, d = 256.
// With certificate: o, final state and scores with radii, the sets that are certain. Without: the text of the rule alone.
// Two threads over the heads; each head's inputs are made when it is begun and dropped with its answer. `Time` is the
// wall's, `CPU` that of the process.
#include <benchmark/benchmark.h>

#include <sys/resource.h>

#include <atomic>
#include <cmath>
#include <random>
#include <thread>
#include <vector>

#include "reference/oracle/answer.hpp"
#include "reference/rules/hola.hpp"

namespace deltaproof::bench {
namespace {

constexpr int heads = 4, threads = 2;

HeadInputs hola_head(Index tokens, Index d, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> deviate;
  const auto normal = [&](Index rows, Index columns, double size) {
    Matrix matrix(rows, columns);
    for (Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = size * deviate(random);
    return matrix;
  };
  HeadInputs head;
  head.options.rule = Rule::hola;
  head.options.qk_l2norm = L2Norm::both;
  head.options.scale = 1 / std::sqrt(static_cast<double>(d));
  head.tokens = tokens, head.K = head.V = d;
  head.q = normal(tokens, d, 1);
  head.k = normal(tokens, d, 1);
  head.v = normal(tokens, d, 1);
  head.g = -normal(tokens, 1, 0.1).cwiseAbs();
  head.write = normal(tokens, 1, 1).unaryExpr([](double x) { return 1 / (1 + std::exp(-x)); });
  head.initial_state = Matrix::Zero(d, d);
  head.gamma_q = head.gamma_k = Matrix::Ones(1, d);
  head.sink = 0.0;
  head.cache_gate = -4;
  return head;
}

template <class Compute>
void over_heads(benchmark::State& state, Compute&& compute) {
  for (auto _ : state) {
    std::atomic<unsigned> next = 0;
    const auto work = [&] {
      for (unsigned h = next++; h < heads; h = next++) compute(hola_head(state.range(0), state.range(1), h));
    };
    std::vector<std::thread> others;
    for (int i = 1; i < threads; ++i) others.emplace_back(work);
    work();
    for (std::thread& thread : others) thread.join();
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["peak GiB so far"] = static_cast<double>(usage.ru_maxrss) / (1024 * 1024);
}

void hola_certified(benchmark::State& state) {
  over_heads(state, [](const HeadInputs& head) { benchmark::DoNotOptimize(answer_double(head, {}).o_radius.data()); });
}

void hola_text(benchmark::State& state) {
  over_heads(state, [](const HeadInputs& head) { benchmark::DoNotOptimize(hola_layer<double>(head).o.data()); });
}

void sizes(benchmark::internal::Benchmark* b) {
  b->Args({4096, 256})
      ->Args({32768, 256})
      ->Iterations(1)
      ->UseRealTime()
      ->MeasureProcessCPUTime()
      ->Unit(benchmark::kSecond);
}
BENCHMARK(hola_text)->Apply(sizes);
BENCHMARK(hola_certified)->Apply(sizes);

}  // namespace
}  // namespace deltaproof::bench
