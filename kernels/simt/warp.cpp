#include "kernels/simt/warp.hpp"

namespace deltaproof {

const char* call_name(Call call) {
  switch (call) {
    case Call::syncthreads:
      return "__syncthreads";
    case Call::syncwarp:
      return "__syncwarp";
    case Call::shuffle:
      return "__shfl_sync";
    case Call::shuffle_up:
      return "__shfl_up_sync";
    case Call::shuffle_down:
      return "__shfl_down_sync";
    case Call::shuffle_xor:
      return "__shfl_xor_sync";
    case Call::ballot:
      return "__ballot_sync";
    case Call::any:
      return "__any_sync";
    case Call::all:
      return "__all_sync";
    case Call::mma:
      return "mma";
    case Call::ldmatrix:
      return "ldmatrix";
  }
  return "unknown";
}

std::uint32_t shuffle_source(simt_shuffle_kind kind, std::uint32_t lane, std::uint32_t operand, std::uint32_t width) {
  const std::uint32_t first = lane & ~(width - 1);
  const std::uint32_t last = first | (width - 1);
  operand &= 31;  // the instruction reads five bits
  switch (kind) {
    case simt_shuffle_index:
      return first | (operand & (width - 1));
    case simt_shuffle_up:
      return lane >= first + operand ? lane - operand : lane;
    case simt_shuffle_down:
      return lane + operand <= last ? lane + operand : lane;
    case simt_shuffle_xor:
      return (lane ^ operand) <= last ? lane ^ operand : lane;
  }
  return lane;
}

}  // namespace deltaproof
