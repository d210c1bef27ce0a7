// The whole check of a recording: the right answer and its bound, PIN and the emulation, on all cores; beside it
// the bound alone, and each of the two others alone. Peak memory of the process in MiB.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include "kernels/recorded.hpp"
#include "properties/accuracy/accuracy.hpp"
#include "properties/accuracy/conclude.hpp"

namespace deltaproof::bench {
namespace {

const CaseFile& trained() {
  static const CaseFile file = read_case(DELTAPROOF_SOURCE_DIR "/golden/recorded/kla_trained_layer0_T512.safetensors");
  return file;
}

void count_memory(benchmark::State& state) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["peak_MiB"] = static_cast<double>(usage.ru_maxrss) / 1024;
}

void check(benchmark::State& state, bool conformity) {
  AccuracyOptions options;
  options.conformity = conformity;
  for (auto _ : state) {
    const Verdict verdict = check_accuracy(trained().problem, RecordedKernel(trained()), options);
    if (verdict.status != Status::passed) state.SkipWithError("the recording did not pass");
  }
  count_memory(state);
}

void conformity_alone(benchmark::State& state, bool pin, bool bits) {
  const Problem& problem = trained().problem;
  const Outputs& outputs = *trained().outputs;
  const Declared declared = built_in(problem.options().arithmetic, problem.options().rule).value();
  ConformityContext context = conformity_context(problem, outputs, declared);
  context.pin = pin;
  context.bits = bits;
  const std::vector<Unit> units = plan_units(problem, outputs, choose_bound(declared.text, problem));
  for (auto _ : state) benchmark::DoNotOptimize(judge_conformity(context, units, 0).bits.compared);
  count_memory(state);
}

BENCHMARK_CAPTURE(check, everything, true)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(check, bound_alone, false)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(conformity_alone, pin, true, false)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(conformity_alone, bits, false, true)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace deltaproof::bench
