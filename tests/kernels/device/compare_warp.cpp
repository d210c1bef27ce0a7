#include "kernels/simt/ldmatrix_tile.hpp"
#include "tests/kernels/device/compare.hpp"
#include "tests/kernels/device/gpu_warp.hpp"

namespace deltaproof {
namespace {

void count(Row& row, std::uint32_t gpu, std::uint32_t expected, const std::string& where) {
  ++row.compared;
  if (gpu == expected) return;
  if (row.differing++ == 0) {
    row.first = where + ": GPU " + std::to_string(gpu) + ", expected " + std::to_string(expected);
  }
}

/// Lane that lane `lane` gets its value from (CUDA C++ Programming Guide, 'Warp Shuffle Functions').
int shuffle_source(simt_shuffle_kind kind, int lane, int operand, int width) {
  const int start = lane / width * width, end = start + width;
  switch (kind) {
    case simt_shuffle_index: return start + operand % width;
    case simt_shuffle_up: return lane - operand < start ? lane : lane - operand;
    case simt_shuffle_down: return lane + operand >= end ? lane : lane + operand;
    case simt_shuffle_xor: return (lane ^ operand) >= end ? lane : lane ^ operand;
  }
  return lane;
}

constexpr std::uint32_t masks[] = {0xffffffffu, 0x0000ffffu, 0x55555555u, 0xfffffffeu, 0x80000000u, 0x00000007u};

void compare_shuffle(Row& row, simt_shuffle_kind kind, std::uint32_t mask, int operand, int width) {
  const ShuffleResult result = gpu_shuffle(kind, mask, operand, width);
  for (int lane = 0; lane < 32; ++lane) {
    const int source = shuffle_source(kind, lane, operand, width);
    // A value of a lane outside the mask is undefined.
    if ((mask >> lane & 1) == 0 || (mask >> source & 1) == 0) continue;
    count(row, result.lanes[lane], 1000 + static_cast<std::uint32_t>(source),
          "kind " + std::to_string(kind) + ", mask " + hexadecimal(mask) + ", operand " + std::to_string(operand) +
              ", width " + std::to_string(width) + ", lane " + std::to_string(lane));
  }
}

}  // namespace

Row compare_shuffles() {
  Row row{"shuffles", 0, 0, "", 0};
  for (const auto kind : {simt_shuffle_index, simt_shuffle_up, simt_shuffle_down, simt_shuffle_xor}) {
    for (const std::uint32_t mask : masks) {
      for (int width = 1; width <= 32; width *= 2) {
        for (int operand = 0; operand < 32; ++operand) compare_shuffle(row, kind, mask, operand, width);
      }
    }
  }
  return row;
}

Row compare_ldmatrix() {
  Row row{"ldmatrix", 0, 0, "", 0};
  std::uint16_t rows[32][8];
  const void* pointers[32];
  for (int r = 0; r < 32; ++r) {
    pointers[r] = rows[r];
    for (int j = 0; j < 8; ++j) rows[r][j] = static_cast<std::uint16_t>(0x4000 + 8 * r + j);
  }
  for (const int matrices : {2, 4}) {
    for (const bool transposed : {false, true}) {
      std::uint32_t expected[32][4];
      ldmatrix_tile(matrices, transposed, pointers, expected);
      const LdmatrixResult gpu = gpu_ldmatrix(matrices, transposed, rows);
      const std::string form = std::string(matrices == 2 ? "x2" : "x4") + (transposed ? " trans" : "");
      for (int lane = 0; lane < 32; ++lane) {
        for (int i = 0; i < matrices; ++i) {
          count(row, gpu.registers[lane][i], expected[lane][i],
                form + ", lane " + std::to_string(lane) + ", register " + std::to_string(i));
        }
      }
    }
  }
  return row;
}

Row compare_cp_async() {
  Row row{"cp.async", 0, 0, "", 0};
  unsigned char from[16];
  for (int i = 0; i < 16; ++i) from[i] = static_cast<unsigned char>(17 * (i + 1));
  for (std::uint32_t bytes = 0; bytes <= 16; ++bytes) {
    const std::vector<unsigned char> gpu = gpu_cp_async(from, bytes);
    for (std::uint32_t i = 0; i < 16; ++i) {
      count(row, gpu[i], i < bytes ? from[i] : 0, std::to_string(bytes) + " bytes, byte " + std::to_string(i));
    }
  }
  return row;
}

Row check_launch_message() {
  Row row{"message of a refused launch", 1, 0, "", 0};
  const std::string message = gpu_refused_launch();
  for (const char* part : {"cudaFuncSetAttribute", "needs_shared_memory", "grid (1, 1, 1)", "block (32, 1, 1)",
                           "1048576 bytes", "cudaErrorInvalidValue"}) {
    if (message.find(part) != std::string::npos) continue;
    row.differing = 1;
    row.first = "'" + message + "' lacks '" + part + "'";
  }
  return row;
}

}  // namespace deltaproof
