#include "kernels/simt/checker_block.hpp"

#include <bit>

#include "kernels/simt/checker_access.hpp"

namespace deltaproof::checker {

using shadow::Kind;

thread_local constinit BlockChecker* running_checker = nullptr;

namespace {

constexpr std::size_t shared_granule = 4;

/// Every lane is at clock 1 and has seen nothing of the others.
void reset(std::array<std::array<std::uint16_t, 32>, 32>& clocks) {
  for (auto& seen : clocks) seen.fill(0);
  for (std::size_t lane = 0; lane < 32; ++lane) clocks[lane][lane] = 1;
}

}  // namespace

BlockChecker::BlockChecker(LaunchView& view, std::uint64_t step_budget)
    : view_(view), budget_(step_budget), steps_left_(step_budget), clocks_(32) {
  for (auto& warp : clocks_) reset(warp);
}

void BlockChecker::set_region(SharedRegion& region, const MemoryRange& range, const char* name) {
  region.name = name;
  region.allowed = {number(range.begin), range.begin == nullptr ? 0 : range.size};
  region.capacity = {number(range.begin), range.begin == nullptr ? 0 : range.capacity};
  if (region.shadow.bytes() < region.capacity.size) {
    region.shadow = shadow::Shadow(region.capacity.size, shared_granule);
  }
}

void BlockChecker::begin(const BlockMemory& memory) {
  set_region(static_, memory.static_shared, "static shared memory");
  const MemoryRange& dynamic = memory.dynamic_shared;
  dynamic_home_ = dynamic.begin != nullptr && static_.capacity.holds(number(dynamic.begin), 1) ? &static_ : &dynamic_;
  set_region(dynamic_, dynamic, "dynamic shared memory");
  concurrent_ = view_.launch().workers > 1;
  recent_regions_.fill(nullptr);
  sources_.clear();
  self_ = {};
  self_.block = view_.first_block() + static_cast<std::uint32_t>(memory.block);
  self_.first_block = view_.first_block();
  self_.mixed = &mixed_;
  thread_ = nullptr;
  stack_ = {};
  barrier();
}

void BlockChecker::end() {
  accesses_ += budget_ - steps_left_;
  steps_left_ = budget_;
  thread_ = nullptr;
  stack_ = {};
}

void BlockChecker::barrier() {
  ++self_.epoch;
  mixed_.clear();
  for (; moved_warps_ != 0; moved_warps_ &= moved_warps_ - 1) {
    reset(clocks_[static_cast<std::size_t>(std::countr_zero(moved_warps_))]);
  }
  refresh();
}

/// All of `mask` have then seen what any of them had seen or done; what each does from now on, none has.
void BlockChecker::warp_barrier(std::uint32_t warp, std::uint32_t mask) {
  auto& clocks = clocks_[warp];
  std::array<std::uint16_t, 32> joined{};
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    const auto& seen = clocks[static_cast<std::size_t>(std::countr_zero(left))];
    for (std::size_t i = 0; i < 32; ++i) joined[i] = joined[i] > seen[i] ? joined[i] : seen[i];
  }
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(left));
    clocks[lane] = joined;
    ++clocks[lane][lane];
  }
  moved_warps_ |= 1u << warp;
  refresh();
}

void BlockChecker::refresh() {
  if (thread_ != nullptr) self_.clock = clocks_[self_.warp][self_.lane][self_.lane];
}

void BlockChecker::switch_to(const RunningThread& thread) {
  accesses_ += budget_ - steps_left_;
  steps_left_ = budget_;
  thread_ = &thread;
  stack_ = {number(thread.stack_begin), static_cast<std::uintptr_t>(thread.stack_end - thread.stack_begin)};
  self_.thread = static_cast<std::uint16_t>(thread.index);
  self_.warp = static_cast<std::uint16_t>(thread.index / 32);
  self_.lane = static_cast<std::uint16_t>(thread.index % 32);
  const auto& seen = clocks_[self_.warp][self_.lane];
  self_.clock = seen[self_.lane];
  self_.seen = seen.data();
}

std::uint32_t BlockChecker::site(const char* file, int line) {
  RecentSite& recent = recent_sites_[static_cast<std::size_t>(line) % recent_sites_.size()];
  if (recent.file != file || recent.line != line) recent = {file, line, view_.site(file, line)};
  return recent.number;
}

void BlockChecker::from_executor(const void* address, std::size_t bytes, Access access, const char* file,
                                 int line) {
  const Origin origin{0, file, line, site(file, line)};
  const Kind kind = access == Access::write ? Kind::land : access == Access::issue ? Kind::issue : Kind::read;
  if (bytes == 0 || stack_.holds(number(address), bytes)) return;
  check(number(address), bytes, kind, origin);
  if (access == Access::open_source || access == Access::close_source) {
    follow_source(number(address), bytes, access, origin.site);
  }
}

void BlockChecker::follow_source(std::uintptr_t address, std::size_t bytes, Access access, std::uint32_t site) {
  const Region* const region = find_region(address);
  if (region == nullptr || region->shadow == nullptr) return;  // nothing that a kernel may write to
  const OpenSource source{address, bytes, self_.thread, site};
  if (access == Access::open_source) {
    sources_.open(source);
  } else {
    sources_.close(source);
  }
}

/// What every thread may read besides: the kernel's arguments, its own identity, constants of its library.
bool BlockChecker::readable(std::uintptr_t address, std::size_t bytes) const {
  const MemoryRange& arguments = view_.launch().arguments;
  if (Span{number(arguments.begin), arguments.size}.holds(address, bytes)) return true;
  if (Span{number(thread_), sizeof(RunningThread)}.holds(address, bytes)) return true;
  for (const Span& segment : view_.library()) {
    if (segment.holds(address, bytes)) return true;
  }
  return false;
}

}  // namespace deltaproof::checker
