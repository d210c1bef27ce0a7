#include "kernels/simt/checker_block.hpp"

#include <bit>

#include "kernels/simt/shadow_access.hpp"

namespace deltaproof::checker {

using shadow::Clash;
using shadow::Finding;
using shadow::Kind;
using shadow::Place;
using shadow::Space;

thread_local constinit BlockChecker* running_checker = nullptr;

namespace {

std::uintptr_t number(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

Place place_of(const Origin& origin) {
  return origin.code != 0 ? Place{static_cast<std::uint32_t>(origin.code), false} : Place{origin.site, true};
}

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
  dynamic_inside_static_ = dynamic.begin != nullptr && static_.capacity.holds(number(dynamic.begin), 1);
  set_region(dynamic_, dynamic, "dynamic shared memory");
  concurrent_ = view_.launch().workers > 1;
  last_region_ = nullptr;
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

void BlockChecker::instrumented(const void* address, std::size_t bytes, bool is_write, const void* code) {
  const Origin origin{number(code), nullptr, 0, 0};
  if (steps_left_ == 0) report_steps(origin);
  --steps_left_;
  if (stack_.holds(number(address), bytes) || bytes == 0) return;
  check(number(address), bytes, is_write ? Kind::write : Kind::read, origin);
}

void BlockChecker::from_executor(const void* address, std::size_t bytes, Access access, const char* file,
                                 int line) {
  const Origin origin{0, file, line, view_.site(file, line)};
  const Kind kind = access == Access::read ? Kind::read : access == Access::issue ? Kind::issue : Kind::land;
  if (bytes == 0 || stack_.holds(number(address), bytes)) return;
  check(number(address), bytes, kind, origin);
}

void BlockChecker::check(std::uintptr_t address, std::size_t bytes, Kind kind, const Origin& origin) {
  if (check_shared(address, bytes, kind, origin) || check_global(address, bytes, kind, origin)) return;
  if (kind == Kind::read && readable(address, bytes)) return;
  report_bounds(address, bytes, kind, origin);
}

bool BlockChecker::check_shared(std::uintptr_t address, std::size_t bytes, Kind kind, const Origin& origin) {
  if (dynamic_.capacity.holds(address, 1)) {
    SharedRegion& home = dynamic_inside_static_ ? static_ : dynamic_;
    enter_shared(dynamic_, home.shadow, home.capacity.begin, address, bytes, kind, origin);
    return true;
  }
  if (!static_.capacity.holds(address, 1)) return false;
  const bool into_dynamic = dynamic_inside_static_ && address < dynamic_.capacity.begin &&
                            bytes > dynamic_.capacity.begin - address;
  if (into_dynamic) report_bounds(address, bytes, kind, origin);
  enter_shared(static_, static_.shadow, static_.capacity.begin, address, bytes, kind, origin);
  return true;
}

void BlockChecker::enter_shared(SharedRegion& region, shadow::Shadow& cells, std::uintptr_t base,
                                std::uintptr_t address, std::size_t bytes, Kind kind, const Origin& origin) {
  if (!region.allowed.holds(address, bytes)) report_bounds(address, bytes, kind, origin);
  Finding finding;
  const Clash clash = cells.access<Space::shared>(address - base, bytes, kind, self_, place_of(origin), false,
                                                  false, finding);
  if (clash == Clash::none) return;
  const std::uintptr_t byte = base + finding.offset;
  report_finding(finding, describe(byte, 1), bytes, kind, origin);
}

bool BlockChecker::check_global(std::uintptr_t address, std::size_t bytes, Kind kind, const Origin& origin) {
  const Region* region = last_region_;
  if (region == nullptr || address - region->begin >= region->size) {
    region = view_.find(address);
    if (region == nullptr || address - region->begin >= region->size) return false;
    last_region_ = region;
  }
  const std::size_t offset = address - region->begin;
  if (bytes > region->size - offset) report_bounds(address, bytes, kind, origin);
  if (region->shadow == nullptr) {
    if (kind != Kind::read) report_bounds(address, bytes, kind, origin);
    return true;
  }
  Finding finding;
  const Clash clash = region->shadow->access<Space::global>(offset, bytes, kind, self_, place_of(origin),
                                                            region->initialised, concurrent_, finding);
  if (clash == Clash::none) return true;
  report_finding(finding, describe(region->begin + finding.offset, 1), bytes, kind, origin);
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
