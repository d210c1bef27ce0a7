#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace deltaproof {

/// One line of the program's table.
struct Row {
  std::string name;
  std::uint64_t compared = 0, differing = 0;
  std::string first;  ///< first difference, in words
  double seconds = 0;
};

/// Prints the row at once.
void print(const Row& row);
void print_heading();

std::string hexadecimal(std::uint32_t bits);

}  // namespace deltaproof
