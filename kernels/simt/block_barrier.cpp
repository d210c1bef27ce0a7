#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "kernels/simt/block.hpp"

namespace deltaproof {

void BlockRunner::syncthreads(const char* file, int line) {
  at(file, line);
  if (at_barrier_ == 0) {
    first_at_barrier_ = &running_->thread;
  } else if (first_at_barrier_->line != line || std::strcmp(first_at_barrier_->file, file) != 0) {
    barrier_places_differ_ = true;
  }
  Warp& warp = this->warp();
  warp.at_barrier |= lane_bit();
  running_waits();
  if (++at_barrier_ == alive_) release_barrier();
  next_turn();
}

void BlockRunner::release_barrier() {
  if (alive_ != launch_->threads) {
    block_fails("__syncthreads after threads of the block have returned; ");
  }
  if (barrier_places_differ_) {
    block_fails("threads of one block meet at different __syncthreads; ");
  }
  for (std::uint32_t w = 0; 32 * w < launch_->threads; ++w) {
    set_ready(warps_[w], warps_[w].at_barrier);
    warps_[w].at_barrier = 0;
  }
  at_barrier_ = 0;
  if (checker_ != nullptr) checker_->block_barrier(memory_);
}

void BlockRunner::no_thread_can_run() { block_fails("deadlock; "); }

void BlockRunner::block_fails(std::string what) {
  what += whereabouts();
  fail(nullptr, std::move(what), nullptr, 0);
}

std::string BlockRunner::whereabouts_of(std::uint32_t thread) const {
  const Warp& warp = warps_[thread / 32];
  const std::uint32_t lane = thread % 32, bit = 1u << lane;
  const RunningThread& where = fibers_[thread]->thread;
  if ((warp.alive & bit) == 0) return "returned";
  if ((warp.at_barrier & bit) != 0) return fmt::format("at __syncthreads, {}:{}", where.file, where.line);
  if ((ready_.lanes[thread / 32] & bit) == 0) {
    return fmt::format("at {} with mask {:#010x}, {}:{}", call_name(warp.waits_at[lane]), warp.waits_with[lane],
                       where.file, where.line);
  }
  if (where.file == nullptr) return "can run";
  return fmt::format("can run, last seen at {}:{}", where.file, where.line);
}

std::string BlockRunner::whereabouts() const {
  struct Place {
    std::string place, threads;
    std::uint32_t last;
    bool range, many;
  };
  std::vector<Place> places;
  for (std::uint32_t i = 0; i < launch_->threads; ++i) {
    const std::string place = whereabouts_of(i);
    const auto known = std::find_if(places.begin(), places.end(), [&](const Place& p) { return p.place == place; });
    if (known == places.end()) {
      places.push_back({place, std::to_string(i), i, false, false});
      continue;
    }
    if (known->last + 1 == i) {
      known->range = true;
    } else {
      if (known->range) known->threads += fmt::format("-{}", known->last);
      known->threads += fmt::format(", {}", i);
      known->range = false;
    }
    known->last = i;
    known->many = true;
  }
  std::string text;
  for (const Place& p : places) {
    if (!text.empty()) text += "; ";
    text += fmt::format("{} {}{}: {}", p.many ? "threads" : "thread", p.threads,
                        p.range ? fmt::format("-{}", p.last) : "", p.place);
  }
  return text;
}

}  // namespace deltaproof
