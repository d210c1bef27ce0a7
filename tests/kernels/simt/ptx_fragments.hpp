#pragma once

#include <cstdint>
#include <vector>

#include "kernels/simt/abi.hpp"

namespace deltaproof {

// Matrix fragments as the PTX ISA's chapter on mma words them: for element a_i of a lane, its row and column.
// Written from there, not from kernels/simt/fragments.hpp.

struct MatrixPlace {
  int row, column;
};

inline MatrixPlace ptx_a_16(int laneid, int i) {
  const int groupID = laneid >> 2, threadID_in_group = laneid % 4;
  const int row = (0 <= i && i < 2) || (4 <= i && i < 6) ? groupID : groupID + 8;
  const int column = i < 4 ? threadID_in_group * 2 + (i & 0x1) : threadID_in_group * 2 + (i & 0x1) + 8;
  return {row, column};
}
inline MatrixPlace ptx_b_16(int laneid, int i) {
  const int groupID = laneid >> 2, threadID_in_group = laneid % 4;
  const int row = i < 2 ? threadID_in_group * 2 + (i & 0x1) : threadID_in_group * 2 + (i & 0x1) + 8;
  return {row, groupID};
}
inline MatrixPlace ptx_a_tf32(int laneid, int i) {
  const int groupID = laneid >> 2, threadID_in_group = laneid % 4;
  return {i == 0 || i == 2 ? groupID : groupID + 8, i == 0 || i == 1 ? threadID_in_group : threadID_in_group + 4};
}
inline MatrixPlace ptx_b_tf32(int laneid, int i) {
  const int groupID = laneid >> 2, threadID_in_group = laneid % 4;
  return {i == 0 ? threadID_in_group : threadID_in_group + 4, groupID};
}
inline MatrixPlace ptx_c(int laneid, int i) {
  const int groupID = laneid >> 2, threadID_in_group = laneid % 4;
  return {i < 2 ? groupID : groupID + 8, threadID_in_group * 2 + (i & 0x1)};
}

/// Depth k of the product.
inline int mma_depth(simt_mma_kind kind) { return kind == simt_mma_m16n8k8_tf32 ? 8 : 16; }

/// Calls visit(lane, register, half, place) for each element of A, and of B.
template <class Visit>
void for_each_a(simt_mma_kind kind, const Visit& visit) {
  for (int lane = 0; lane < 32; ++lane) {
    if (kind == simt_mma_m16n8k8_tf32) {
      for (int i = 0; i < 4; ++i) visit(lane, i, 0, ptx_a_tf32(lane, i));
    } else {
      for (int i = 0; i < 8; ++i) visit(lane, i / 2, i % 2, ptx_a_16(lane, i));
    }
  }
}
template <class Visit>
void for_each_b(simt_mma_kind kind, const Visit& visit) {
  for (int lane = 0; lane < 32; ++lane) {
    if (kind == simt_mma_m16n8k8_tf32) {
      for (int i = 0; i < 2; ++i) visit(lane, i, 0, ptx_b_tf32(lane, i));
    } else {
      for (int i = 0; i < 4; ++i) visit(lane, i / 2, i % 2, ptx_b_16(lane, i));
    }
  }
}

}  // namespace deltaproof
