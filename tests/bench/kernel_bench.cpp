// The built-in kernels on the host executor, on all cores: T = 1,024, K = V = 128, one head, bf16. The plain build
// with the tensor core's model to the bit and with fp32 accumulation in its place (what the model costs), and the
// checked build. `ratio` is the time over that of the plain build with hopper in this run.
#include <benchmark/benchmark.h>

#include <chrono>
#include <string>

#include "kernels/built_in/built_in_kernel.hpp"
#include "kernels/built_in/open_device.hpp"
#include "properties/regimes/families.hpp"

namespace deltaproof::bench {
namespace {

Problem problem(const std::string& kernel) {
  RegimeShape shape;
  shape.tokens = 1024, shape.K = 128, shape.V = 128;
  const Problem drawn = regime_problem(*find_regime("typical"), Rule::gated_delta, shape, 1);
  return drawn.with_arithmetic(std::string(find_built_in_kernel(kernel)->arithmetic));
}

BuiltInKernel kernel_on_host(const std::string& name, HostBuild build, const char* core) {
  HostDeviceOptions options;
  options.build = build;
  options.folder = DELTAPROOF_KERNEL_FOLDER;
  options.tensor_core = &tensor_core(core);
  return {*find_built_in_kernel(name), open_host_device(options)};
}

double seconds_of(const BuiltInKernel& kernel, const Problem& given) {
  const auto start = std::chrono::steady_clock::now();
  benchmark::DoNotOptimize(kernel.run(given).tensors.size());
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void host(benchmark::State& state, const char* name, HostBuild build, const char* core) {
  const Problem given = problem(name);
  const BuiltInKernel measured = kernel_on_host(name, build, core);
  const BuiltInKernel plain = kernel_on_host(name, HostBuild::plain, "hopper");
  double ours = 0, theirs = 0;
  for (auto _ : state) {
    ours += seconds_of(measured, given);
    state.PauseTiming();
    theirs += seconds_of(plain, given);
    state.ResumeTiming();
  }
  state.counters["ratio"] = ours / theirs;
}

#define DELTAPROOF_HOST_BENCHMARK(...) \
  BENCHMARK_CAPTURE(host, __VA_ARGS__)->UseRealTime()->Unit(benchmark::kMillisecond)
DELTAPROOF_HOST_BENCHMARK(chunk_hopper, "chunk", HostBuild::plain, "hopper");
DELTAPROOF_HOST_BENCHMARK(chunk_fp32, "chunk", HostBuild::plain, "fp32_rn");
DELTAPROOF_HOST_BENCHMARK(chunk_checked, "chunk", HostBuild::checked, "hopper");
DELTAPROOF_HOST_BENCHMARK(recurrent_plain, "recurrent", HostBuild::plain, "hopper");
DELTAPROOF_HOST_BENCHMARK(recurrent_checked, "recurrent", HostBuild::checked, "hopper");

}  // namespace
}  // namespace deltaproof::bench
