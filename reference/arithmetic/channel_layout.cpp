#include "reference/arithmetic/channel_layout.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace deltaproof {
namespace {

std::size_t channels_per_lane(ChannelSum order) {
  switch (order) {
    case ChannelSum::eight: return 8;
    case ChannelSum::four:
    case ChannelSum::four_second_fused: return 4;
    case ChannelSum::two: return 2;
    case ChannelSum::one:
    case ChannelSum::ascending: break;
  }
  return 1;
}

float sum_in_lane(ChannelSum order, std::span<const float> a, std::span<const float> b) {
  if (a.size() == 1) return a[0] * b[0];
  const std::size_t fused = order == ChannelSum::four_second_fused ? 1 : 0, rounded = 1 - fused;
  float sum = std::fma(a[fused], b[fused], a[rounded] * b[rounded]);
  for (std::size_t c = 2; c < a.size(); ++c) sum = std::fma(a[c], b[c], sum);
  return sum;
}

}  // namespace

float sum_by_halves(std::span<float> terms) {
  for (std::size_t width = terms.size() / 2; width >= 1; width /= 2) {
    for (std::size_t i = 0; i < width; ++i) terms[i] += terms[i + width];
  }
  return terms[0];
}

float sum_over_channels(ChannelSum order, std::span<const float> a, std::span<const float> b) {
  if (order == ChannelSum::ascending) {
    float sum = 0;
    for (std::size_t c = 0; c < a.size(); ++c) sum = std::fma(a[c], b[c], sum);
    return sum;
  }
  const std::size_t each = std::min(a.size(), channels_per_lane(order));
  const std::size_t lanes = a.size() / each, in_warp = std::min<std::size_t>(lanes, 32);
  std::vector<float> sums(lanes), warps;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    sums[lane] = sum_in_lane(order, a.subspan(lane * each, each), b.subspan(lane * each, each));
  }
  for (std::size_t begin = 0; begin < lanes; begin += in_warp) {
    std::span<float> warp(&sums[begin], in_warp);
    if (each == 1 && in_warp > 1) {
      const std::size_t half = in_warp / 2;
      for (std::size_t i = 0; i < half; ++i) warp[i] = std::fma(a[begin + i], b[begin + i], warp[i + half]);
      warp = warp.first(half);
    }
    warps.push_back(sum_by_halves(warp));
  }
  return sum_by_halves(warps);
}

MatrixF evens_first(const MatrixF& a) {
  MatrixF result = MatrixF::Zero(a.rows(), (a.cols() + 15) / 16 * 16);
  for (Index j = 0; j < a.cols(); ++j) {
    const Index in_block = j % 16;
    result.col(j - in_block + in_block / 2 + (in_block % 2) * 8) = a.col(j);
  }
  return result;
}

}  // namespace deltaproof
