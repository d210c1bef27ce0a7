#include "tests/kernels/device/table.hpp"

#include <cinttypes>
#include <cstdio>

namespace deltaproof {

void print_heading() {
  std::printf("%-34s %14s %12s %8s  %s\n", "what", "compared", "differing", "s", "first difference");
}

void print(const Row& row) {
  std::printf("%-34s %14" PRIu64 " %12" PRIu64 " %8.2f  %s\n", row.name.c_str(), row.compared, row.differing,
              row.seconds, row.first.c_str());
  std::fflush(stdout);
}

std::string hexadecimal(std::uint32_t bits) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08" PRIx32, bits);
  return text;
}

}  // namespace deltaproof
