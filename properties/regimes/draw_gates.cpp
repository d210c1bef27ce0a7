#include <algorithm>
#include <array>
#include <cmath>

#include "properties/regimes/draw.hpp"
#include "properties/regimes/float_draw.hpp"
#include "properties/regimes/matrices.hpp"
#include "properties/regimes/recorded.hpp"

namespace deltaproof {
namespace {

constexpr double kLogFloatMax = 0x1.62e42feba39efp+6;  // ln((2 - 2^-23) 2^127) = 88.72283905206835, to nearest
constexpr std::array kConstants{0.0, -1e-3, -0.05, -1.0, -2.5, -3.0, -5.0, -20.0, -100.0, -2661.0, -6e4};
static_assert(kConstants.size() + 3 == GateBands{}.size());

}  // namespace

GateBands gate_bands(std::int64_t chunk) {
  GateBands bands{};
  auto* next = std::ranges::copy(kConstants, bands.begin()).out;
  const auto limit = static_cast<float>(-kLogFloatMax / static_cast<double>(chunk));
  for (const float gate : {limit, std::nextafter(limit, 0.0F), std::nextafter(limit, -1e9F)}) *next++ = gate;
  return bands;
}

namespace draw {
namespace {

// dt (in 0.001 to 0.1) times A (in 1 to 16), as Mamba-2 and Gated DeltaNet initialise their heads.
double rate_of_head(GateProfile profile, Generator& generator) {
  if (profile != GateProfile::heads) return 0;
  const double step = 0.001 / (1 - 0.99 * generator.uniform());
  return step * (1 + 15 * generator.uniform());
}

// The gates of one head.
class Gate {
 public:
  Gate(const HeadDraw& draw, Generator& generator)
      : profile_(draw.regime.gates), place_(draw.place), rate_(rate_of_head(profile_, generator)) {
    const std::int64_t chunk = draw.shape.chunk;
    const GateBands bands = gate_bands(chunk);
    band_ = bands[static_cast<std::size_t>(turn_of_head(place_, static_cast<int>(bands.size())))];
    reset_ = std::array<Index, 3>{0, chunk - 1, chunk}[static_cast<std::size_t>(turn_of_head(place_, 3))];
  }

  double operator()(Index token, Generator& generator) const {
    if (profile_ == GateProfile::tiny) return -std::abs(draw_subnormal(formats::f32, generator));
    if (profile_ == GateProfile::extreme) return -std::abs(draw_float(formats::f32, 15, generator));
    const double u = generator.uniform();
    switch (profile_) {
      case GateProfile::gdn: return -0.3 * u * u * u;
      case GateProfile::strong: return -1 - 2 * u;
      case GateProfile::heads: return -rate_ * (0.25 + 1.5 * u);
      case GateProfile::weak: return -0x1p-10 * u;
      case GateProfile::one_reset: return token == reset_ ? -1e4 : -0.01 * u;
      case GateProfile::bands: return band_;
      case GateProfile::recorded: return recorded::gate(place_, token);
      case GateProfile::resets: return wipes_now_and_then(u, generator);
      case GateProfile::none:
      case GateProfile::tiny:
      case GateProfile::extreme: break;
    }
    return 0;
  }

 private:
  static double wipes_now_and_then(double u, Generator& generator) {
    constexpr std::array resets{-30.0, -100.0, -1000.0};
    const bool wipes = generator.integer(0, 15) == 0;
    return wipes ? resets[static_cast<std::size_t>(generator.integer(0, 2))] : -0.01 * u;
  }

  GateProfile profile_;
  Place place_;
  double rate_, band_ = 0;
  Index reset_ = 0;
};

}  // namespace

Matrix gates(const HeadDraw& draw, Index width, Generator& generator) {
  const Gate gate(draw, generator);
  Matrix matrix(draw.shape.tokens, width);
  for (Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = gate(i / width, generator);
  return rounded(formats::f32, matrix);
}

Matrix slot_decays(const HeadDraw& draw, Generator& generator) {
  const Gate gate(draw, generator);
  const Index slots = draw.shape.slots;
  Matrix matrix(draw.shape.tokens, slots);
  for (Index i = 0; i < matrix.size(); ++i) {
    const double least = generator.uniform(1.0 / 16, 0.5);
    matrix.data()[i] = 1 / (1 + least - gate(i / slots, generator));
  }
  return rounded(formats::f32, matrix);
}

}  // namespace draw
}  // namespace deltaproof
