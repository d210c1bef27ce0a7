#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/simt/block_async_copies.hpp"
#include "kernels/simt/checker_hooks.hpp"
#include "kernels/simt/fiber_context.hpp"
#include "kernels/simt/fiber_stack.hpp"
#include "kernels/simt/launch_state.hpp"
#include "kernels/simt/schedule.hpp"
#include "kernels/simt/shared_memory.hpp"
#include "kernels/simt/warp.hpp"

namespace deltaproof {

/// One CUDA thread. Kept from block to block and from launch to launch.
struct Fiber {
  explicit Fiber(std::size_t number) : stack(number) {}

  RunningThread thread{};
  Warp* warp = nullptr;
  FiberContext context;
  FiberStack stack;
  AsyncCopies copies;
};

/// Runs blocks one after the other on the calling OS thread: a fiber a thread; barriers and collectives are
/// rendezvous at which the chooser says who goes on. The member functions named like calls are for the kernel's
/// threads; the launch's faults end in `abandon`, which leaves all fibers of the block for good.
class BlockRunner {
 public:
  /// The calling OS thread's, made at its first use.
  static BlockRunner& mine();
  /// The one whose kernel runs on the calling OS thread; null outside a kernel.
  static BlockRunner* running() { return running_block_; }

  void begin_launch(LaunchState& launch, const SharedMemoryPlan& plan, std::uint32_t worker);
  void run(std::uint64_t block);
  void end_launch();

  const RunningThread& current() const { return running_->thread; }

  void syncthreads(const char* file, int line);
  void syncwarp(std::uint32_t mask, const char* file, int line);
  std::uint32_t shuffle(simt_shuffle_kind kind, std::uint32_t mask, std::uint32_t bits, std::uint32_t operand,
                        std::uint32_t width, const char* file, int line);
  std::uint32_t vote(simt_vote_kind kind, std::uint32_t mask, int predicate, const char* file, int line);
  void mma(const Warp::Mma& operands, const char* file, int line);
  void ldmatrix(const Warp::Ldmatrix& operands, const void* row, const char* file, int line);
  void cp_async(void* shared, const void* global, std::uint32_t bytes, const char* file, int line);
  void cp_async_commit(const char* file, int line);
  void cp_async_wait(int groups_left, const char* file, int line);

  /// Reports a fault of `thread` (null: of the block) and leaves the running fiber.
  [[noreturn]] void fail(const RunningThread* thread, const char* what, const char* file, int line);
  [[noreturn]] void fail(const RunningThread* thread, std::string what, const char* file, int line);

 private:
  friend const RunningThread* current_thread();

  static void fiber_main();
  void prepare_fibers();
  void place_threads(std::uint64_t block);
  void finish_block();

  void at(const char* file, int line) {
    running_->thread.file = file;
    running_->thread.line = line;
  }
  Warp& warp() { return *running_->warp; }
  std::uint32_t lane() const { return running_->thread.position.lane; }
  std::uint32_t lane_bit() const { return 1u << lane(); }
  const RunningThread& thread_of(const Warp& warp, std::uint32_t lane) const {
    return fibers_[32 * warp.number + lane]->thread;
  }

  /// Gives the turn to a thread that can run; returns when this one has it again.
  [[gnu::always_inline]] void next_turn() {
    if (launch_->stopped()) abandon();
    if (++steps_ > step_budget_) budget_is_spent();
    if (ready_.warps == 0) no_thread_can_run();
    Fiber& next = *fibers_[chooser_.next(ready_)];
    if (&next != running_) switch_to(next);
  }
  void switch_to(Fiber& fiber) {
    Fiber& from = *running_;
    running_ = &fiber;
    running_thread_ = &fiber.thread;
    if (checker_ != nullptr) checker_->switched_in(fiber.thread);
    from.context.switch_to(fiber.context);
  }
  [[noreturn]] void budget_is_spent();
  /// Adds where the threads are.
  [[noreturn]] void block_fails(std::string what);
  void thread_returns();
  [[noreturn]] void no_thread_can_run();
  [[noreturn]] void abandon();

  void set_ready(const Warp& warp, std::uint32_t lanes) {
    ready_.lanes[warp.number] |= lanes;
    ready_.warps |= 1u << warp.number;
  }
  void running_waits() {
    const std::uint32_t number = running_->thread.position.warp;
    ready_.lanes[number] &= ~lane_bit();
    if (ready_.lanes[number] == 0) ready_.warps &= ~(1u << number);
  }

  /// The running lane meets the others in `mask`; returns when they have all come.
  void meet(Call call, std::uint32_t mask, const char* file, int line);
  void meet_all_lanes(Call call, const char* file, int line);
  Meeting& join(Call call, std::uint32_t mask, const char* file, int line);
  [[noreturn]] void own_lane_missing(Call call, std::uint32_t mask);
  [[noreturn]] void wrong_meeting(const Meeting& other, const char* what, Call call, std::uint32_t mask);
  void complete(Warp& warp, Meeting& meeting);
  void complete_shuffle(Warp& warp, const Meeting& meeting);
  void complete_vote(Warp& warp, const Meeting& meeting);
  void complete_mma(Warp& warp, const Meeting& meeting);
  void complete_ldmatrix(Warp& warp, const Meeting& meeting);
  void require_all_lanes(const Meeting& meeting);
  void release_barrier();

  /// "threads 0-15: at __syncwarp, a.cu:3; threads 16-31: returned", for all threads of the block.
  std::string whereabouts() const;
  std::string whereabouts_of(std::uint32_t thread) const;

  static constinit thread_local BlockRunner* running_block_;
  static constinit thread_local const RunningThread* running_thread_;

  LaunchState* launch_ = nullptr;
  CheckerHooks* checker_ = nullptr;
  SharedMemory shared_;
  BlockMemory memory_{};
  std::vector<std::unique_ptr<Fiber>> fibers_;
  Fiber* running_ = nullptr;
  FiberContext os_thread_;
  bool fibers_usable_ = false;  ///< all are at their start or between two blocks

  std::array<Warp, 32> warps_{};
  ReadyThreads ready_;
  ThreadChooser chooser_;
  std::uint32_t alive_ = 0;       ///< threads that have not returned
  std::uint32_t at_barrier_ = 0;  ///< threads at __syncthreads
  bool barrier_places_differ_ = false;
  const RunningThread* first_at_barrier_ = nullptr;  ///< of this round
  std::uint64_t steps_ = 0, step_budget_ = 0;
};

}  // namespace deltaproof
