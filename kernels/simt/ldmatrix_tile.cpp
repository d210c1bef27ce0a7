#include "kernels/simt/ldmatrix_tile.hpp"

#include <cstring>

#include "kernels/simt/fragments.hpp"

namespace deltaproof {

void ldmatrix_tile(int matrices, bool transposed, const void* const (&rows)[32],
                   std::uint32_t (&registers)[32][4]) {
  for (int matrix = 0; matrix < matrices; ++matrix) {
    std::uint16_t elements[8][8];
    for (int r = 0; r < 8; ++r) std::memcpy(elements[r], rows[8 * matrix + r], sizeof elements[r]);
    for (int lane = 0; lane < 32; ++lane) {
      const simt::Element low = simt::element_ldmatrix(lane, 0, transposed);
      const simt::Element high = simt::element_ldmatrix(lane, 1, transposed);
      registers[lane][matrix] = elements[low.row][low.column] |
                                std::uint32_t{elements[high.row][high.column]} << 16;
    }
  }
}

}  // namespace deltaproof
