#include "properties/regimes/generator.hpp"

namespace deltaproof {
namespace {

// The finaliser of SplitMix64: every bit of the argument reaches every bit of the result.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

std::uint64_t stream_seed(std::uint64_t seed, std::initializer_list<std::uint64_t> stream) {
  std::uint64_t state = mixed(seed);
  // Only the state is mixed: with both mixed, seed 1 and index 1 would cancel as seed 2 and index 2
  // do.
  for (const std::uint64_t index : stream) state = mixed(state ^ index);
  return state;
}

}  // namespace

Generator::Generator(std::uint64_t seed, std::initializer_list<std::uint64_t> stream)
    : engine_(stream_seed(seed, stream)) {}

Generator Generator::steered(std::vector<int> integers) {
  Generator draw(0, {});
  draw.steered_.assign(integers.rbegin(), integers.rend());
  return draw;
}

double Generator::uniform(double low, double high) {
  const double unit = static_cast<double>(engine_() >> 11U) * 0x1p-53;
  return low + (high - low) * unit;
}

double Generator::normal() {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += uniform();
  return sum;
}

int Generator::integer(int low, int high) {
  if (!steered_.empty()) {
    const int next = steered_.back();
    steered_.pop_back();
    if (next >= low && next <= high) return next;
  }
  const auto count = static_cast<std::uint64_t>(high - low) + 1;
  return low + static_cast<int>(engine_() % count);
}

}  // namespace deltaproof
