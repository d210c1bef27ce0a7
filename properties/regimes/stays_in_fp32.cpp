#include <limits>

#include "properties/regimes/families.hpp"

namespace deltaproof {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Upper bounds of |k|^2 with the key as stored; random unit keys are rounded, hence within 1 +- 2^-6.
double largest_square(const Regime& regime) {
  switch (regime.keys) {
    case KeyGeometry::mixed_norm: return 0x1p10;
    case KeyGeometry::huge: return 0x1p40;
    case KeyGeometry::recorded: return 0x1p10;  // of any 32 channels below 86, and these up to K = 256
    default: return regime.mixed_heads ? 0x1p8 : 1;
  }
}

double largest_write(const Regime& regime) {
  switch (regime.writes) {
    case WriteProfile::near_one: return 1 + 0x1p-22;
    case WriteProfile::constant: return regime.write;
    case WriteProfile::boundary: return 2.04;
    default: return 1;
  }
}

bool follows_the_key(const Regime& regime) {
  return regime.writes == WriteProfile::by_norm || regime.writes == WriteProfile::recorded;
}

// Of b |k|^2.
double largest_step(const Regime& regime, const Options& options) {
  const RuleInfo& info = state_rule(options);
  const double write = largest_write(regime), square = largest_square(regime);
  if (!info.residual || info.rule == Rule::longhorn_exact) return 1;
  if (info.rule != Rule::kla) return follows_the_key(regime) ? write : write * square;
  switch (options.variant) {
    case KlaVariant::key_norm_only: return 1;
    case KlaVariant::no_norm: return write * square;
    case KlaVariant::learned_scalar: return options.c > 0 ? write / options.c : kInfinity;
    case KlaVariant::standard:
    case KlaVariant::single_gate: break;
  }
  return write;
}

}  // namespace

bool stays_in_fp32(const Regime& regime, const Options& options) { return largest_step(regime, options) <= 2.05; }

}  // namespace deltaproof
