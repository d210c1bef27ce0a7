#include "kernels/simt/block.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace deltaproof {

constinit thread_local BlockRunner* BlockRunner::running_block_ = nullptr;
constinit thread_local const RunningThread* BlockRunner::running_thread_ = nullptr;

const RunningThread* current_thread() { return BlockRunner::running_thread_; }

void fail_running_thread(const char* what, const char* file, int line) {
  BlockRunner* const block = BlockRunner::running();
  block->fail(&block->current(), what, file, line);
}

BlockRunner& BlockRunner::mine() {
  thread_local std::unique_ptr<BlockRunner> runner;
  if (runner == nullptr) runner = std::make_unique<BlockRunner>();
  return *runner;
}

void BlockRunner::begin_launch(LaunchState& launch, const SharedMemoryPlan& plan, std::uint32_t worker) {
  launch_ = &launch;
  checker_ = launch.options.checker;
  step_budget_ = launch.options.step_budget;
  while (fibers_.size() < launch.threads) {
    fibers_.push_back(std::make_unique<Fiber>(fibers_.size()));
    fibers_usable_ = false;
  }
  shared_.attach(plan);
  memory_ = {worker, 0, launch.threads, shared_.static_range(), shared_.dynamic_range()};
}

void BlockRunner::end_launch() {
  const std::optional<std::size_t> damage = shared_.detach();
  if (damage && !launch_->stopped()) {
    launch_->fail(nullptr, nullptr,
                  fmt::format("a block wrote beyond its dynamic shared memory: byte {} of {}", *damage,
                              launch_->request.dynamic_shared).c_str(),
                  nullptr, 0);
  }
  launch_ = nullptr;
}

void BlockRunner::prepare_fibers() {
  for (const auto& fiber : fibers_) {
    fiber->context.prepare(fiber->stack.low(), fiber->stack.high(), &fiber_main);
    fiber->copies.clear();
  }
  fibers_usable_ = true;
}

void BlockRunner::place_threads(std::uint64_t block) {
  const simt_launch_request& request = launch_->request;
  const simt_index here = block_index(request, block);
  simt_index place{0, 0, 0};
  for (std::uint32_t i = 0; i < launch_->threads; ++i) {
    Fiber& fiber = *fibers_[i];
    fiber.thread = {{place, here, request.block, request.grid, i % 32, i / 32}, i, memory_.worker, block,
                    fiber.stack.low(), fiber.stack.high(), nullptr, 0};
    fiber.warp = &warps_[i / 32];
    if (++place.x == request.block.x) {
      place.x = 0;
      if (++place.y == request.block.y) {
        place.y = 0;
        ++place.z;
      }
    }
  }
  const std::uint32_t warps = (launch_->threads + 31) / 32;
  for (std::uint32_t w = 0; w < warps; ++w) {
    const std::uint32_t lanes = std::min(32u, launch_->threads - 32 * w);
    warps_[w].number = w;
    warps_[w].alive = all_lanes >> (32 - lanes);
    warps_[w].at_barrier = 0;
    warps_[w].meeting_count = 0;
    ready_.lanes[w] = warps_[w].alive;
  }
  ready_.warps = all_lanes >> (32 - warps);
  chooser_ = ThreadChooser(launch_->options.schedule, launch_->options.seed, block, warps);
}

void BlockRunner::run(std::uint64_t block) {
  if (!fibers_usable_) prepare_fibers();
  place_threads(block);
  memory_.block = block;
  alive_ = launch_->threads;
  at_barrier_ = 0;
  barrier_places_differ_ = false;
  steps_ = 0;
  shared_.poison_block();
  if (checker_ != nullptr) checker_->block_begin(memory_);

  const std::uint32_t first = chooser_.next(ready_);
  running_ = fibers_[first].get();
  running_block_ = this;
  running_thread_ = &running_->thread;
  if (checker_ != nullptr) checker_->switched_in(running_->thread);
  os_thread_.switch_to(running_->context);
  running_block_ = nullptr;
  running_thread_ = nullptr;

  finish_block();
  if (checker_ != nullptr) checker_->block_end(memory_);
}

void BlockRunner::finish_block() {
  fibers_usable_ = alive_ == 0;
  if (launch_->stopped()) return;
  if (const std::optional<std::size_t> damage = shared_.damage()) {
    const simt_index here = block_index(launch_->request, memory_.block);
    launch_->fail(&here, nullptr,
                  fmt::format("wrote beyond its dynamic shared memory: byte {} of {}", *damage,
                              launch_->request.dynamic_shared).c_str(),
                  nullptr, 0);
  }
}

void BlockRunner::fiber_main() {
  running_block_->running_->context.entered(&running_block_->os_thread_);
  for (;;) {
    const simt_launch_request& request = running_block_->launch_->request;
    request.body(request.arguments);
    running_block_->thread_returns();
  }
}

void BlockRunner::budget_is_spent() {
  block_fails(fmt::format("step budget: more than {} switches between threads in one block; ", step_budget_));
}

void BlockRunner::thread_returns() {
  Fiber& self = *running_;
  if (!self.copies.in_flight().empty()) {
    const AsyncCopy& copy = self.copies.in_flight().front();
    fail(&self.thread, "returns while this cp.async is in flight: cp_async_wait is missing", copy.file, copy.line);
  }
  self.copies.clear();
  Warp& warp = this->warp();
  warp.alive &= ~lane_bit();
  running_waits();
  --alive_;
  for (std::uint32_t i = warp.meeting_count; i-- > 0;) {
    Meeting& meeting = warp.meetings[i];
    if (meeting.arrived == (meeting.mask & warp.alive)) complete(warp, meeting);
  }
  if (alive_ == 0) return self.context.switch_to(os_thread_);
  if (at_barrier_ == alive_) release_barrier();
  next_turn();
}

void BlockRunner::fail(const RunningThread* thread, const char* what, const char* file, int line) {
  const simt_index here = block_index(launch_->request, memory_.block);
  launch_->fail(&here, thread != nullptr ? &thread->position.thread : nullptr, what, file, line);
  abandon();
}

void BlockRunner::fail(const RunningThread* thread, std::string what, const char* file, int line) {
  const simt_index here = block_index(launch_->request, memory_.block);
  launch_->fail(&here, thread != nullptr ? &thread->position.thread : nullptr, what.c_str(), file, line);
  std::string().swap(what);  // the fiber is left without unwinding
  abandon();
}

void BlockRunner::abandon() { running_->context.leave_for(os_thread_); }

}  // namespace deltaproof
