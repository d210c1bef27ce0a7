#include <bit>
#include <cstdint>
#include <cstdio>
#include <string>

#include "kernels/simt/checker_block.hpp"
#include "kernels/simt/symbolise.hpp"

namespace deltaproof::checker {

using shadow::Clash;
using shadow::Kind;

namespace {

/// Memory of the executor at this distance from an address is taken for what was meant.
constexpr std::uintptr_t near_bytes = 1 << 16;

const char* verb(Kind kind) {
  switch (kind) {
    case Kind::read: return "reads";
    case Kind::issue: return "copies (cp.async)";
    case Kind::land: return "completes a cp.async of";
    case Kind::write: break;
  }
  return "writes";
}

simt_index coordinates(std::uint64_t index, const simt_index& extent) {
  const std::uint64_t row = index / extent.x;
  return {static_cast<std::uint32_t>(index % extent.x), static_cast<std::uint32_t>(row % extent.y),
          static_cast<std::uint32_t>(row / extent.y)};
}

/// Where `address` lies relative to one memory of the block; false if it is not near.
bool describe_in(const Span& memory, const char* name, std::uintptr_t address, std::size_t bytes, char* out,
                 std::size_t capacity) {
  if (memory.begin == 0) return false;
  const std::uintptr_t end = memory.begin + memory.size;
  if (address >= memory.begin && address < end) {
    std::snprintf(out, capacity, "byte %zu of the %zu bytes of %s%s", address - memory.begin, memory.size, name,
                  bytes > end - address ? ", across their end" : "");
    return true;
  }
  if (address >= end && address - end < near_bytes) {
    std::snprintf(out, capacity, "%zu bytes beyond the end of the %zu bytes of %s", address - end, memory.size, name);
    return true;
  }
  if (address < memory.begin && memory.begin - address < near_bytes) {
    std::snprintf(out, capacity, "%zu bytes before the start of the %zu bytes of %s", memory.begin - address,
                  memory.size, name);
    return true;
  }
  return false;
}

/// One of the threads that read a cell, not `self` if there is another.
std::uint32_t earlier_reader(const shadow::Cell& cell, const shadow::Accessor& self) {
  const bool own_warp = cell.read_block == self.block && cell.read_warp == self.warp;
  const std::uint32_t others = own_warp ? cell.read_lanes & ~(1u << self.lane) : cell.read_lanes;
  const int lane = std::countr_zero(others != 0 ? others : cell.read_lanes);
  return cell.read_warp * 32u + static_cast<std::uint32_t>(lane);
}

void copy_place(std::uintptr_t code, char* file, std::size_t capacity, int& line) {
  const SourcePlace place = symbolise(code - 1);  // the callback returns behind the access
  std::snprintf(file, capacity, "%s", place.file.c_str());
  line = place.line;
}

}  // namespace

/// In the library's static shared memory: the array it is in, or the one that ends nearest before.
bool BlockChecker::describe_static(std::uintptr_t address, std::size_t bytes) {
  if (!static_.allowed.holds(address, 1)) return false;
  const std::size_t offset = address - static_.capacity.begin;
  const SharedVariable* variable = view_.shared_variable_before(offset);
  if (variable == nullptr) return describe_in(static_.allowed, static_.name, address, bytes, where_, sizeof where_);
  const bool outside = offset - variable->begin >= variable->size;
  const std::uintptr_t beyond = offset - variable->begin - variable->size;
  if (outside && dynamic_.capacity.begin - address < beyond) return false;  // rather before the dynamic array
  const std::string name = "__shared__ " + variable->name;
  return describe_in({static_.capacity.begin + variable->begin, variable->size}, name.c_str(), address, bytes, where_,
                     sizeof where_);
}

const char* BlockChecker::describe(std::uintptr_t address, std::size_t bytes) {
  const MemoryRange& arguments = view_.launch().arguments;
  const Span argument_bytes{reinterpret_cast<std::uintptr_t>(arguments.begin), arguments.size};
  const auto in = [&](const Span& memory, const char* name) {
    return describe_in(memory, name, address, bytes, where_, sizeof where_);
  };
  const bool in_dynamic = dynamic_.capacity.holds(address, 1) && in(dynamic_.allowed, dynamic_.name);
  const Region* const region = view_.find(address);
  const bool in_buffer = region != nullptr && address - region->begin < region->size;
  if (in_dynamic) return where_;
  if (!in_buffer && (describe_static(address, bytes) || in(dynamic_.allowed, dynamic_.name) ||
                     in(static_.allowed, static_.name) || in(argument_bytes, "the kernel's arguments") ||
                     in(stack_, "the thread's stack"))) {
    return where_;
  }
  return describe_address(&view_.memory(), reinterpret_cast<const void*>(address), bytes, where_, sizeof where_);
}

const char* BlockChecker::thread_name(std::uint32_t thread, std::uint32_t block, bool other_block,
                                      char (&out)[128]) const {
  const simt_position& here = thread_->position;
  const simt_index t = coordinates(thread, here.block_dim);
  if (!other_block) {
    std::snprintf(out, sizeof out, "thread (%u, %u, %u)", t.x, t.y, t.z);
    return out;
  }
  const simt_index b = coordinates(block - view_.first_block(), here.grid_dim);
  std::snprintf(out, sizeof out, "thread (%u, %u, %u) of block (%u, %u, %u)", t.x, t.y, t.z, b.x, b.y, b.z);
  return out;
}

/// Cells keep the low half of a code address; the rest is that of the kernel.
const char* BlockChecker::earlier_place(std::uint32_t place, bool is_site, char (&out)[512]) const {
  if (is_site) {
    const Site site = view_.site(place);
    std::snprintf(out, sizeof out, "%s:%d", site.file, site.line);
    return out;
  }
  const auto distance = static_cast<std::int32_t>(place - static_cast<std::uint32_t>(view_.code()));
  const std::uintptr_t code = view_.code() + static_cast<std::uintptr_t>(std::intptr_t{distance});
  std::snprintf(out, sizeof out, "%s", to_string(symbolise(code - 1)).c_str());
  return out;
}

void BlockChecker::report_finding(const shadow::Finding& finding, const char* place, std::size_t bytes, Kind kind,
                                  const Origin& origin) {
  const shadow::Cell& cell = finding.before;
  char who[128];
  char at[512];
  if (finding.clash == Clash::uninitialised) {
    std::snprintf(message_, sizeof message_, "uninitialised: reads %zu bytes that no thread has written yet: %s",
                  bytes, place);
    fail(origin);
  }
  const bool earlier_read = finding.clash == Clash::write_after_read;
  const std::uint32_t block = earlier_read ? cell.read_block : cell.write_block;
  const std::uint32_t thread = earlier_read ? earlier_reader(cell, self_) : cell.write_thread;
  const bool site = (cell.flags & (earlier_read ? shadow::read_site : shadow::write_site)) != 0;
  thread_name(thread, block, block != self_.block, who);
  earlier_place(earlier_read ? cell.read_place : cell.write_place, site, at);
  if (finding.clash == Clash::in_flight) {
    std::snprintf(message_, sizeof message_,
                  "%s %zu bytes while a cp.async to them is in flight (issued by %s at %s, not waited for): %s",
                  verb(kind), bytes, who, at, place);
    fail(origin);
  }
  const bool several = earlier_read && (cell.flags & (shadow::several_warps | shadow::several_blocks)) != 0;
  std::snprintf(message_, sizeof message_, "race: %s %zu bytes that %s%s%s %s at %s, and %s: %s", verb(kind), bytes,
                several ? "several threads, among them " : "", who, several ? "," : "",
                earlier_read ? "read" : "wrote", at,
                block != self_.block ? "nothing orders blocks of one launch" : "no barrier orders the two", place);
  fail(origin);
}

void BlockChecker::report_source(const OpenSource& source, std::uintptr_t address, std::size_t bytes,
                                 const Origin& origin) {
  char who[128];
  char at[512];
  thread_name(source.thread, self_.block, false, who);
  earlier_place(source.site, true, at);
  std::snprintf(message_, sizeof message_,
                "race: writes %zu bytes while a cp.async from them is in flight (issued by %s at %s, not waited "
                "for): %s", bytes, who, at, describe(address, 1));
  fail(origin);
}

void BlockChecker::report_bounds(std::uintptr_t address, std::size_t bytes, Kind kind, const Origin& origin) {
  const Region* region = view_.find(address);
  const bool inside = region != nullptr && Span{region->begin, region->size}.holds(address, bytes);
  std::snprintf(message_, sizeof message_, inside ? "read only: %s %zu bytes of an input, %s"
                                                  : "out of bounds: %s %zu bytes, %s",
                verb(kind), bytes, describe(address, bytes));
  fail(origin);
}

void BlockChecker::misaligned(const void* address, std::size_t bytes, bool is_write, const void* code) {
  std::snprintf(message_, sizeof message_, "misaligned: %s %zu bytes at an address that is not a multiple of %zu: %s",
                verb(is_write ? Kind::write : Kind::read), bytes, bytes < 8 ? bytes : 8,
                describe(reinterpret_cast<std::uintptr_t>(address), bytes));
  fail({reinterpret_cast<std::uintptr_t>(code), nullptr, 0, 0});
}

void BlockChecker::report_steps(const Origin& origin) {
  std::snprintf(message_, sizeof message_,
                "step budget: %llu memory accesses without a barrier or other call into the executor, so this "
                "loop is taken for endless",
                static_cast<unsigned long long>(budget_));
  fail(origin);
}

void BlockChecker::index_out_of_bounds(const char* file, int line, std::int64_t index, const char* type) {
  std::snprintf(message_, sizeof message_, "out of bounds: index %lld of an array of type %s",
                static_cast<long long>(index), type);
  fail_running_thread(message_, file, line);
}

/// Nothing on this stack is destroyed: the executor leaves it for good.
void BlockChecker::fail(const Origin& origin) {
  if (origin.code == 0) fail_running_thread(message_, origin.file, origin.line);
  int line = 0;
  copy_place(origin.code, file_, sizeof file_, line);
  fail_running_thread(message_, file_, line);
}

}  // namespace deltaproof::checker
