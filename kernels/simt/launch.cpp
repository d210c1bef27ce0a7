#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <optional>
#include <string>

#include "kernels/simt/abi.hpp"
#include "kernels/simt/block.hpp"
#include "kernels/simt/fault_text.hpp"
#include "kernels/simt/launch_kernel_name.hpp"
#include "kernels/simt/launch_pool.hpp"
#include "kernels/simt/launch_state.hpp"
#include "kernels/simt/shared_memory.hpp"

namespace deltaproof {

namespace {

// CUDA C++ Programming Guide, technical specifications per compute capability; shared memory: that of 9.0.
constexpr std::uint32_t largest_grid_x = 0x7fffffff, largest_grid_yz = 65535;
constexpr std::uint32_t largest_block_xy = 1024, largest_block_z = 64, most_threads = 1024;
constexpr std::size_t most_static_shared = 48 << 10, most_dynamic_shared = 227 << 10, most_shared = 227 << 10;

/// Two mappings (stack, guard page) a fiber; Linux allows 65,530 a process.
constexpr std::uint32_t most_fibers = 24'576;

/// Why CUDA would refuse the launch.
std::optional<std::string> refusal(const simt_launch_request& request) {
  const auto bad = [](const char* what, char axis, std::uint32_t value, std::uint32_t most) {
    return value == 0 || value > most
               ? std::optional(fmt::format("{} dimension {} is {}; allowed are 1 to {}", what, axis, value, most))
               : std::nullopt;
  };
  const simt_index& grid = request.grid;
  const simt_index& block = request.block;
  for (const auto& reason :
       {bad("grid", 'x', grid.x, largest_grid_x), bad("grid", 'y', grid.y, largest_grid_yz),
        bad("grid", 'z', grid.z, largest_grid_yz), bad("block", 'x', block.x, largest_block_xy),
        bad("block", 'y', block.y, largest_block_xy), bad("block", 'z', block.z, largest_block_z)}) {
    if (reason) return reason;
  }
  if (const std::uint32_t threads = block.x * block.y * block.z; threads > most_threads) {
    return fmt::format("block of {} x {} x {} = {} threads; allowed are {}", block.x, block.y, block.z, threads,
                       most_threads);
  }
  if (request.dynamic_shared > most_dynamic_shared) {
    return fmt::format("{} bytes of dynamic shared memory; allowed are {}", request.dynamic_shared,
                       most_dynamic_shared);
  }
  return std::nullopt;
}

/// Of shared memory, once it is known what the library has.
std::optional<std::string> refusal(const simt_launch_request& request, const SharedMemoryPlan& plan) {
  const std::size_t of_library = plan.block_size - plan.dynamic_capacity;
  if (of_library <= most_static_shared && of_library + plan.dynamic_size <= most_shared) return std::nullopt;
  const std::size_t own = own_static_shared(request);
  if (own > most_static_shared) {
    return fmt::format("{} bytes of static shared memory; allowed are {}", own, most_static_shared);
  }
  if (own + plan.dynamic_size <= most_shared) return std::nullopt;
  return fmt::format("{} bytes of static and {} of dynamic shared memory are {}; allowed are {}", own,
                     plan.dynamic_size, own + plan.dynamic_size, most_shared);
}

int worker_count(const LaunchState& launch) {
  const auto wanted = static_cast<std::uint64_t>(std::max(launch.options.threads, 1));
  return static_cast<int>(std::min({wanted, launch.blocks, std::uint64_t{most_fibers / launch.threads}}));
}

/// One OS thread's share of the blocks.
void work(LaunchState& launch, const SharedMemoryPlan& plan, const BlockOrder& order,
          std::atomic<std::uint64_t>& turn, int worker) {
  BlockRunner& runner = BlockRunner::mine();
  try {
    runner.begin_launch(launch, plan, static_cast<std::uint32_t>(worker));
  } catch (const std::exception& error) {
    launch.fail(nullptr, nullptr, error.what(), nullptr, 0);
    return;
  }
  while (!launch.stopped()) {
    const std::uint64_t next = turn.fetch_add(1, std::memory_order_relaxed);
    if (next >= launch.blocks) break;
    runner.run(order(next));
  }
  runner.end_launch();
}

std::optional<std::string> run(const simt_launch_request& request) {
  const auto refused = [&](const std::string& why) {
    LaunchFault fault{kernel_name(request), {}, {}, request.file, request.line, true, why};
    return to_string(fault);
  };
  if (const auto reason = refusal(request)) return refused(*reason);
  SharedMemoryPlan plan;
  try {
    plan = plan_shared_memory(request);
  } catch (const std::exception& error) {
    return refused(error.what());
  }
  if (const auto reason = refusal(request, plan)) return refused(*reason);

  LaunchState launch(request, executor_options());
  const int workers = worker_count(launch);
  const auto* arguments = static_cast<const std::byte*>(request.arguments);
  const LaunchMemory memory{&request, {arguments, request.arguments_size, request.arguments_size},
                            static_cast<std::uint32_t>(workers), launch.blocks};
  CheckerHooks* const checker = launch.options.checker;
  if (checker != nullptr) checker->launch_begin(memory);
  const BlockOrder order(launch.options.schedule, launch.options.seed, launch.blocks);
  std::atomic<std::uint64_t> turn = 0;
  run_on_pool(workers - 1, [&](int worker) { work(launch, plan, order, turn, worker); });
  try {
    if (checker != nullptr) checker->launch_end(memory);
  } catch (const std::exception& error) {
    launch.fail(nullptr, nullptr, error.what(), nullptr, 0);  // unless there was a fault before
  }
  return launch.stopped() ? std::optional(launch.fault()) : std::nullopt;
}

}  // namespace

}  // namespace deltaproof

int simt_launch(const simt_launch_request* request) {
  using namespace deltaproof;
  if (BlockRunner* const block = BlockRunner::running()) {
    block->fail(&block->current(), "launch inside a kernel", request->file, request->line);
  }
  std::optional<std::string> error;
  try {
    error = run(*request);
  } catch (const std::exception& thrown) {
    error = thrown.what();
  }
  if (!error) return 0;
  if (request->error_capacity != 0) {
    const std::size_t length = std::min(error->size(), request->error_capacity - 1);
    std::memcpy(request->error, error->data(), length);
    request->error[length] = '\0';
  }
  return 1;
}
