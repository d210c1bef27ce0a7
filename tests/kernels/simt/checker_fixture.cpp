#include "tests/kernels/simt/checker_fixture.hpp"

#include <dlfcn.h>

#include <bit>
#include <fstream>
#include <map>
#include <span>
#include <stdexcept>
#include <string_view>

#include "kernels/simt/checker.hpp"
#include "kernels/simt/fault_signals.hpp"
#include "kernels/simt/host_memory.hpp"
#include "tests/kernels/simt/fault_round_trip.hpp"

namespace deltaproof {

namespace {

const char* library_file(Build build) {
  switch (build) {
    case Build::plain: return CHECKER_LIBRARY_PLAIN;
    case Build::checked_gcc: return CHECKER_LIBRARY_GCC;
    case Build::checked_clang: return CHECKER_LIBRARY_CLANG;
  }
  return "";
}

CheckerKernels kernels_of(Build build) {
  void* library = dlopen(library_file(build), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(dlerror());
  return reinterpret_cast<CheckerKernelsFunction>(dlsym(library, "checker_kernels"))();
}

const CheckerKernel& find_kernel(Build build, std::string_view name) {
  static std::map<Build, CheckerKernels> loaded;
  if (!loaded.contains(build)) loaded[build] = kernels_of(build);
  for (const CheckerKernel& kernel : std::span(loaded[build].kernels, loaded[build].count)) {
    if (kernel.name == name) return kernel;
  }
  throw std::runtime_error("no kernel " + std::string(name));
}

}  // namespace

bool available(Build build) { return *library_file(build) != '\0'; }

std::vector<Build> checked_builds() {
  std::vector<Build> builds{Build::checked_gcc};
  if (available(Build::checked_clang)) builds.push_back(Build::checked_clang);
  return builds;
}

CheckerResult run_checked(const CheckerRun& run) {
  std::vector<std::uint32_t> in = run.in;
  for (int i = 1; run.in.empty() && i <= run.count; ++i) {
    in.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(i)));
  }
  const int count = static_cast<int>(in.size());

  HostMemory memory;
  const HostBuffer& in_buffer = memory.input({"in", "[T]"}, std::as_bytes(std::span(in)));
  HostBuffer& out_buffer = memory.output({"out", "[T]"}, in.size() * sizeof(float));
  HostBuffer& scratch_buffer = memory.output({"scratch", "[T]"}, in.size() * sizeof(float));
  Checker checker(memory, {run.step_budget});
  CheckerHooks* const hooks = run.build == Build::plain ? run.hooks : &checker;
  LaunchGuard guard({&memory, run.timeout, hooks});
  ExecutorOptions options;
  options.schedule = run.schedule;
  options.threads = run.threads;
  options.checker = &guard;
  const ScopedExecutor scope(options);

  CheckerKernel kernel = find_kernel(run.build, run.kernel);
  if (kernel.dynamic_shared != 0) kernel.dynamic_shared = run.dynamic_shared;
  const auto as_floats = [](HostBuffer& buffer) { return reinterpret_cast<float*>(buffer.data()); };
  CheckerBuffers buffers{reinterpret_cast<const float*>(in_buffer.data()), as_floats(out_buffer),
                         as_floats(scratch_buffer), count, 0};
  CheckerResult result{};
  try {
    for (const int shift : run.before) {
      buffers.shift = shift;
      kernel.run(kernel, buffers);
    }
    if (run.poisons) scratch_buffer.poison();
    buffers.shift = run.shift;
    kernel.run(kernel, buffers);
  } catch (const std::runtime_error& error) {
    result.error = error.what();
    expect_round_trip(result.error);
  }
  result.out.assign(buffers.out, buffers.out + count);
  result.accesses = checker.accesses();
  return result;
}

std::string line_of(const std::string& file, const std::string& text) {
  std::ifstream source(DELTAPROOF_SOURCE_DIR "/tests/kernels/simt/" + file);
  std::string line;
  int found = 0;
  for (int number = 1; std::getline(source, line); ++number) {
    if (line.find(text) == std::string::npos) continue;
    if (found != 0) throw std::runtime_error(text + " occurs twice in " + file);
    found = number;
  }
  if (found == 0) throw std::runtime_error(text + " does not occur in " + file);
  return file + ":" + std::to_string(found);
}

}  // namespace deltaproof
