#pragma once

#include <cstdint>

namespace deltaproof {

/// ldmatrix(.trans) of 1, 2 or 4 matrices, 8 x 8 elements of 16 bits: `rows[8 i + r]` is row r of matrix i, 16
/// bytes. Register i of each lane gets its two elements of matrix i; the other registers stay as they are.
void ldmatrix_tile(int matrices, bool transposed, const void* const (&rows)[32], std::uint32_t (&registers)[32][4]);

}  // namespace deltaproof
