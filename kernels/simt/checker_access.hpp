#pragma once

/// The way of an access through the checker, inline for the callbacks: tens of millions of them make a run.

#include "kernels/simt/checker_block.hpp"
#include "kernels/simt/shadow_access.hpp"

namespace deltaproof::checker {

inline std::uintptr_t number(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

inline shadow::Place place_of(const Origin& origin) {
  return origin.code != 0 ? shadow::Place{static_cast<std::uint32_t>(origin.code), false}
                          : shadow::Place{origin.site, true};
}

inline void BlockChecker::instrumented(const void* address, std::size_t bytes, bool is_write, const void* code) {
  const Origin origin{number(code), nullptr, 0, 0};
  if (steps_left_ == 0) report_steps(origin);
  --steps_left_;
  if (stack_.holds(number(address), bytes) || bytes == 0) return;
  check(number(address), bytes, is_write ? shadow::Kind::write : shadow::Kind::read, origin);
}

inline void BlockChecker::check(std::uintptr_t address, std::size_t bytes, shadow::Kind kind,
                                const Origin& origin) {
  if (check_shared(address, bytes, kind, origin) || check_global(address, bytes, kind, origin)) return;
  if (kind == shadow::Kind::read && readable(address, bytes)) return;
  report_bounds(address, bytes, kind, origin);
}

inline bool BlockChecker::check_shared(std::uintptr_t address, std::size_t bytes, shadow::Kind kind,
                                       const Origin& origin) {
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

inline void BlockChecker::enter_shared(SharedRegion& region, shadow::Shadow& cells, std::uintptr_t base,
                                       std::uintptr_t address, std::size_t bytes, shadow::Kind kind,
                                       const Origin& origin) {
  if (!region.allowed.holds(address, bytes)) report_bounds(address, bytes, kind, origin);
  shadow::Finding finding;
  const shadow::Clash clash = cells.access<shadow::Space::shared>(address - base, bytes, kind, self_,
                                                                  place_of(origin), false, false, finding);
  if (clash == shadow::Clash::none) return;
  const std::uintptr_t byte = base + finding.offset;
  report_finding(finding, describe(byte, 1), bytes, kind, origin);
}

inline bool BlockChecker::check_global(std::uintptr_t address, std::size_t bytes, shadow::Kind kind,
                                       const Origin& origin) {
  const Region* region = last_region_;
  if (region == nullptr || address - region->begin >= region->size) {
    region = view_.find(address);
    if (region == nullptr || address - region->begin >= region->size) return false;
    last_region_ = region;
  }
  const std::size_t offset = address - region->begin;
  if (bytes > region->size - offset) report_bounds(address, bytes, kind, origin);
  if (region->shadow == nullptr) {
    if (kind != shadow::Kind::read) report_bounds(address, bytes, kind, origin);
    return true;
  }
  shadow::Finding finding;
  const shadow::Clash clash = region->shadow->access<shadow::Space::global>(
      offset, bytes, kind, self_, place_of(origin), region->initialised, concurrent_, finding);
  if (clash == shadow::Clash::none) return true;
  report_finding(finding, describe(region->begin + finding.offset, 1), bytes, kind, origin);
}

}  // namespace deltaproof::checker
