#include <link.h>

#include <cstdint>

#include "kernels/simt/fault_signals_handler.hpp"

namespace deltaproof::faults {

namespace {

int visit_object(dl_phdr_info* object, std::size_t, void* data) {
  auto& context = *static_cast<Context*>(data);
  std::uintptr_t begin = UINTPTR_MAX, end = 0;
  bool found = false;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const auto& header = object->dlpi_phdr[i];
    if (header.p_type != PT_LOAD || (header.p_flags & PF_X) == 0) continue;
    const std::uintptr_t first = object->dlpi_addr + header.p_vaddr;
    const std::uintptr_t last = first + header.p_memsz;
    if (first < begin) begin = first;
    if (last > end) end = last;
    found = found || (context.code_begin >= first && context.code_begin < last);
  }
  if (!found) return 0;
  context.code_begin = begin;
  context.code_end = end;
  return 1;
}

}  // namespace

void find_code(const void* code, Context& context) {
  context.code_begin = reinterpret_cast<std::uintptr_t>(code);
  context.code_end = context.code_begin + 1;
  dl_iterate_phdr(visit_object, &context);
}

}  // namespace deltaproof::faults
