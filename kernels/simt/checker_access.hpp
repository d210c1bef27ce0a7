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
  if (dynamic_.allowed.holds(address, bytes)) {
    enter_shared(*dynamic_home_, address, bytes, kind, origin);
    return true;
  }
  if (dynamic_.capacity.holds(address, 1)) report_bounds(address, bytes, kind, origin);
  if (!static_.allowed.holds(address, bytes)) return false;
  const bool into_dynamic = dynamic_home_ == &static_ && address < dynamic_.capacity.begin &&
                            bytes > dynamic_.capacity.begin - address;
  if (into_dynamic) report_bounds(address, bytes, kind, origin);
  if (view_.knows_shared_variables() && view_.shared_variable(address - static_.capacity.begin, bytes) == nullptr) {
    report_bounds(address, bytes, kind, origin);
  }
  enter_shared(static_, address, bytes, kind, origin);
  return true;
}

inline void BlockChecker::enter_shared(SharedRegion& home, std::uintptr_t address, std::size_t bytes,
                                       shadow::Kind kind, const Origin& origin) {
  const std::uintptr_t base = home.capacity.begin;
  shadow::Finding finding;
  const shadow::Clash clash = home.shadow.access<shadow::Space::shared>(address - base, bytes, kind, self_,
                                                                        place_of(origin), false, false, finding);
  if (clash == shadow::Clash::none) return;
  report_finding(finding, describe(base + finding.offset, 1), bytes, kind, origin);
}

/// Kernels go from buffer to buffer; the last few cover most of it.
inline const Region* BlockChecker::find_region(std::uintptr_t address) {
  for (const Region* region : recent_regions_) {
    if (region != nullptr && address - region->begin < region->size) return region;
  }
  const Region* const region = view_.find(address);
  if (region == nullptr || address - region->begin >= region->size) return nullptr;
  recent_regions_[next_recent_++ % recent_regions_.size()] = region;
  return region;
}

inline bool BlockChecker::check_global(std::uintptr_t address, std::size_t bytes, shadow::Kind kind,
                                       const Origin& origin) {
  const Region* const region = find_region(address);
  if (region == nullptr) return false;
  const std::size_t offset = address - region->begin;
  if (bytes > region->size - offset) report_bounds(address, bytes, kind, origin);
  if (region->shadow == nullptr) {
    if (kind != shadow::Kind::read) report_bounds(address, bytes, kind, origin);
    return true;
  }
  if (kind != shadow::Kind::read && !sources_.empty()) {
    if (const OpenSource* source = sources_.overlap(address, bytes)) report_source(*source, address, bytes, origin);
  }
  shadow::Finding finding;
  const shadow::Clash clash = region->shadow->access<shadow::Space::global>(
      offset, bytes, kind, self_, place_of(origin), region->initialised, concurrent_, finding);
  if (clash == shadow::Clash::none) return true;
  report_finding(finding, describe(region->begin + finding.offset, 1), bytes, kind, origin);
}

}  // namespace deltaproof::checker
