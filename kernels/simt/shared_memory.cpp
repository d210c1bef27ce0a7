#include "kernels/simt/shared_memory.hpp"

#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "kernels/simt/filled.hpp"

// Of the C library: where the TLS block of a library is for the calling thread, allocated if need be.
struct tls_index_of_module {
  unsigned long module, offset;
};
extern "C" void* __tls_get_addr(tls_index_of_module*);

namespace deltaproof {

namespace {

std::byte* tls_block(std::size_t module) {
  tls_index_of_module index{module, 0};
  return static_cast<std::byte*>(__tls_get_addr(&index));
}

struct ModuleSearch {
  const void* address;
  bool found, executable;
  std::size_t module, size;
  int visited;
};

int look_at_module(dl_phdr_info* info, std::size_t, void* data) {
  auto& search = *static_cast<ModuleSearch*>(data);
  const bool first = search.visited++ == 0;  // the executable, says the manual page
  const auto address = reinterpret_cast<std::uintptr_t>(search.address);
  std::size_t tls_size = 0;
  bool found = false;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type == PT_LOAD) found |= address - info->dlpi_addr - header.p_vaddr < header.p_memsz;
    if (header.p_type == PT_TLS) tls_size = header.p_memsz;
  }
  if (!found) return 0;
  search = {search.address, true, first, info->dlpi_tls_modid, tls_size, search.visited};
  return 1;
}

ModuleSearch module_of(const void* address) {
  ModuleSearch search{address, false, false, 0, 0, 0};
  dl_iterate_phdr(look_at_module, &search);
  return search;
}

void fill_canary(std::byte* begin, const std::byte* end) {
  const std::ptrdiff_t count = (end - begin) / 2;
  for (std::ptrdiff_t i = 0; i < count; ++i) std::memcpy(begin + 2 * i, &SharedMemory::canary, 2);
}

}  // namespace

SharedMemoryPlan plan_shared_memory(const simt_launch_request& request) {
  const ModuleSearch found = module_of(reinterpret_cast<const void*>(request.body));
  if (!found.found || found.executable || found.module == module_of(reinterpret_cast<void*>(&module_of)).module) {
    throw std::runtime_error("the kernel lies in the executable; build it as a library of its own, loaded by "
                             "dlopen (cmake: deltaproof_host_kernels)");
  }
  SharedMemoryPlan plan{found.module, found.size, 0, request.dynamic_shared, request.dynamic_shared_capacity};
  if (found.module == 0) plan.block_size = 0;
  if (request.dynamic_shared_symbol == nullptr) plan.dynamic_capacity = 0;
  if (plan.dynamic_size > plan.dynamic_capacity) {
    throw std::runtime_error(fmt::format("{} bytes of dynamic shared memory, but the kernel library's array has {}",
                                         plan.dynamic_size, plan.dynamic_capacity));
  }
  if (plan.dynamic_capacity != 0) {
    const auto* symbol = static_cast<const std::byte*>(request.dynamic_shared_symbol);
    plan.dynamic_offset = found.module == 0 ? 0 : static_cast<std::size_t>(symbol - tls_block(found.module));
    if (plan.dynamic_offset > plan.block_size || plan.dynamic_capacity > plan.block_size - plan.dynamic_offset) {
      throw std::runtime_error("the dynamic shared array is not thread-local memory of the kernel's library");
    }
  }
  return plan;
}

void SharedMemory::attach(const SharedMemoryPlan& plan) {
  plan_ = plan;
  base_ = plan.module == 0 ? nullptr : tls_block(plan.module);
  if (base_ == nullptr) return;
  // Without the dynamic array, which nobody looks at between launches.
  const std::byte* after = base_ + plan.dynamic_offset + plan.dynamic_capacity;
  kept_.assign(base_, base_ + plan.dynamic_offset);
  kept_.insert(kept_.end(), after, static_cast<const std::byte*>(base_ + plan.block_size));
  fill_canary(base_ + plan.dynamic_offset + plan.dynamic_size, after);
}

std::optional<std::size_t> SharedMemory::detach() {
  if (base_ == nullptr) return std::nullopt;
  const std::optional<std::size_t> damage = first_damage(plan_.dynamic_capacity);
  const std::size_t after = plan_.dynamic_offset + plan_.dynamic_capacity;
  // Either part may be empty, which memcpy from no memory must not be.
  std::copy_n(kept_.begin(), plan_.dynamic_offset, base_);
  std::copy_n(kept_.begin() + static_cast<std::ptrdiff_t>(plan_.dynamic_offset), plan_.block_size - after, base_ + after);
  base_ = nullptr;
  return damage;
}

void SharedMemory::poison_block() {
  if (base_ == nullptr) return;
  const std::size_t after = plan_.dynamic_offset + plan_.dynamic_capacity;
  std::memset(base_, poison, plan_.dynamic_offset + plan_.dynamic_size);
  std::memset(base_ + after, poison, plan_.block_size - after);
}

MemoryRange SharedMemory::dynamic_range() const {
  if (base_ == nullptr || plan_.dynamic_capacity == 0) return {nullptr, 0, 0};
  return {base_ + plan_.dynamic_offset, plan_.dynamic_size, plan_.dynamic_capacity};
}

bool SharedMemory::contains(const void* address, std::size_t bytes) const {
  const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(address) - base_);
  if (base_ == nullptr || offset >= plan_.block_size || bytes > plan_.block_size - offset) return false;
  const std::size_t used = plan_.dynamic_offset + plan_.dynamic_size;
  return offset + bytes <= used || offset >= plan_.dynamic_offset + plan_.dynamic_capacity;
}

std::optional<std::size_t> SharedMemory::first_damage(std::size_t most) const {
  if (base_ == nullptr) return std::nullopt;
  const std::byte* const array = base_ + plan_.dynamic_offset;
  const std::size_t end = plan_.dynamic_size + std::min(most, plan_.dynamic_capacity - plan_.dynamic_size);
  if (is_filled(array + plan_.dynamic_size, array + end, canary)) return std::nullopt;
  for (std::size_t at = plan_.dynamic_size; at + 2 <= end; at += 2) {
    std::uint16_t value;
    std::memcpy(&value, array + at, 2);
    if (value == canary) continue;
    std::byte expected[2];
    std::memcpy(expected, &canary, 2);
    return at + (array[at] == expected[0] ? 1 : 0);
  }
  return std::nullopt;
}

}  // namespace deltaproof
