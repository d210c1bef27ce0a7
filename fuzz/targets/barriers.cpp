#include "fuzz/targets/barriers.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "fuzz/kernel_path.hpp"
#include "kernels/simt/executor.hpp"
#include "kernels/simt/module.hpp"

namespace deltaproof::fuzz {
namespace {

// Far more than any program takes: a thread that waits for ever would run into it.
constexpr std::uint64_t enough_steps = 1'000'000;

void check_fault(const std::string& fault, std::string_view expected, std::string_view schedule) {
  if (fault.empty()) throw Finding(fmt::format("schedule {}: no fault, though the model finds {}", schedule, expected));
  if (fault.find("step budget") != std::string::npos) throw Finding("a program without loops ran into the step budget");
  if (!fault.starts_with("kernel ") || fault.find(", block (") == std::string::npos) {
    throw Finding("a fault that names no kernel and block: " + fault);
  }
}

void check_registers(const SimtProgram& program, const Launched& launched, const ModelOutcome& right,
                     std::string_view schedule) {
  for (std::size_t at = 0; at < right.registers.size(); ++at) {
    if (launched.registers.at(at) == right.registers[at]) continue;
    throw Finding(fmt::format("schedule {}: register {} of thread {} of block {} is {:#x}, {:#x} is right", schedule,
                              at % simt_registers, at / simt_registers % program.threads,
                              at / simt_registers / program.threads, launched.registers[at], right.registers[at]));
  }
}

}  // namespace

Launched launch(const SimtProgram& program, Schedule schedule) {
  static const KernelModule library(kernel_library_path("libdeltaproof_fuzz_kernels.so"));
  static const auto run = library.function<void (*)(const SimtProgram*, unsigned*)>("deltaproof_fuzz_run_program");
  ExecutorOptions options;
  options.schedule = schedule;
  options.seed = program.count;
  options.step_budget = enough_steps;
  const ScopedExecutor scope(options);
  Launched launched;
  launched.registers.assign(std::size_t{program.blocks} * program.threads * simt_registers, 0);
  try {
    run(&program, launched.registers.data());
  } catch (const std::runtime_error& fault) {
    launched.fault = fault.what();
  }
  return launched;
}

void check_barriers(Bytes bytes, const std::function<Launched(const SimtProgram&, Schedule)>& run) {
  const SimtProgram program = read_program(bytes);
  const ModelOutcome right = model_of(program);
  const auto schedules = schedule_table();
  // Two an input, for speed: that by chance, and one of the others in turn.
  for (const std::size_t each : {std::size_t{0}, 1 + program.count % (schedules.size() - 1)}) {
    const ScheduleInfo& schedule = schedules[each];
    const Launched launched = run(program, schedule.schedule);
    if (!right.fault.empty()) {
      check_fault(launched.fault, right.fault, schedule.name);
    } else if (!launched.fault.empty()) {
      throw Finding(fmt::format("schedule {}: a fault in a program whose threads meet: {}", schedule.name, launched.fault));
    } else if (!right.races) {
      check_registers(program, launched, right, schedule.name);
    }
  }
}

}  // namespace deltaproof::fuzz
