#pragma once

#include <bit>
#include <concepts>
#include <cstdint>

#include "kernels/simt/abi.hpp"

// Barriers, shuffles and votes. The default arguments are the place of the call.

#define SIMT_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()

inline void __syncthreads(SIMT_PLACE) { simt_syncthreads(file, line); }
inline void __syncwarp(unsigned mask = 0xffffffffu, SIMT_PLACE) { simt_syncwarp(mask, file, line); }

namespace simt {

template <class T>
concept Shuffled = std::same_as<T, int> || std::same_as<T, unsigned> || std::same_as<T, float>;

template <Shuffled T>
T shuffled(simt_shuffle_kind kind, unsigned mask, T value, unsigned operand, int width, const char* file, int line) {
  return std::bit_cast<T>(simt_shuffle(kind, mask, std::bit_cast<std::uint32_t>(value), operand,
                                       static_cast<std::uint32_t>(width), file, line));
}

}  // namespace simt

template <simt::Shuffled T>
T __shfl_sync(unsigned mask, T value, int source, int width = 32, SIMT_PLACE) {
  return simt::shuffled(simt_shuffle_index, mask, value, static_cast<unsigned>(source), width, file, line);
}
template <simt::Shuffled T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, SIMT_PLACE) {
  return simt::shuffled(simt_shuffle_up, mask, value, delta, width, file, line);
}
template <simt::Shuffled T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, SIMT_PLACE) {
  return simt::shuffled(simt_shuffle_down, mask, value, delta, width, file, line);
}
template <simt::Shuffled T>
T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32, SIMT_PLACE) {
  return simt::shuffled(simt_shuffle_xor, mask, value, static_cast<unsigned>(lanes), width, file, line);
}

inline unsigned __ballot_sync(unsigned mask, int predicate, SIMT_PLACE) {
  return simt_vote(simt_vote_ballot, mask, predicate, file, line);
}
inline int __any_sync(unsigned mask, int predicate, SIMT_PLACE) {
  return static_cast<int>(simt_vote(simt_vote_any, mask, predicate, file, line));
}
inline int __all_sync(unsigned mask, int predicate, SIMT_PLACE) {
  return static_cast<int>(simt_vote(simt_vote_all, mask, predicate, file, line));
}
