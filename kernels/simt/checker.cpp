#include "kernels/simt/checker.hpp"

#include <vector>

#include "kernels/simt/checker_block.hpp"
#include "kernels/simt/checker_memory.hpp"

namespace deltaproof {

struct Checker::State {
  State(const HostMemory& memory, CheckerOptions chosen) : view(memory), options(chosen) {}

  checker::LaunchView view;
  CheckerOptions options;
  std::vector<std::unique_ptr<checker::BlockChecker>> workers;
};

Checker::Checker(const HostMemory& memory, CheckerOptions options)
    : state_(std::make_unique<State>(memory, options)) {}

Checker::~Checker() = default;

void Checker::launch_begin(const LaunchMemory& memory) {
  state_->view.begin(memory);
  while (state_->workers.size() < memory.workers) {
    state_->workers.push_back(
        std::make_unique<checker::BlockChecker>(state_->view, state_->options.step_budget));
  }
}

void Checker::launch_end(const LaunchMemory&) {}

void Checker::block_begin(const BlockMemory& memory) {
  checker::running_checker = state_->workers[memory.worker].get();
  checker::running_checker->begin(memory);
}

void Checker::block_end(const BlockMemory&) {
  checker::running_checker->end();
  checker::running_checker = nullptr;
}

void Checker::block_barrier(const BlockMemory&) { checker::running_checker->barrier(); }

void Checker::warp_barrier(const BlockMemory&, std::uint32_t warp, std::uint32_t mask) {
  checker::running_checker->warp_barrier(warp, mask);
}

void Checker::switched_in(const RunningThread& thread) { checker::running_checker->switch_to(thread); }

void Checker::access(const RunningThread&, const void* address, std::size_t bytes, Access access, const char* file,
                     int line) {
  checker::running_checker->from_executor(address, bytes, access, file, line);
}

std::uint64_t Checker::accesses() const {
  std::uint64_t sum = 0;
  for (const auto& worker : state_->workers) sum += worker->accesses();
  return sum;
}

}  // namespace deltaproof
