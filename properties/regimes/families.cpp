#include "properties/regimes/families.hpp"

#include <algorithm>
#include <array>

namespace deltaproof {
namespace {

using enum KeyGeometry;
using enum GateProfile;
using enum ValueProfile;

// A new family is one line here.
constexpr std::array kRegimes{
    Regime{"rand_b1_a1", "random unit keys, beta = 1, no decay: a full overwrite at each token",
           Rule::gated_delta, random_unit, none, 1.0, normal},
    Regime{"rand_sig_gdn", "random unit keys, beta in (0, 1), gates as trained models have them",
           Rule::gated_delta, random_unit, gdn, 0.0, normal},
    Regime{"strong_decay",
           "g in (-3, -1]: the state forgets within a few tokens; bounds are tightest here",
           Rule::gated_delta, random_unit, strong, 0.0, normal},
    Regime{"near_parallel", "keys 5 % apart, beta = 1: ill-conditioned triangular solve",
           Rule::gated_delta, near_parallel, none, 1.0, normal},
    Regime{"b_1.98_a1", "random unit keys, beta = 1.98: each write nearly reflects the state",
           Rule::gated_delta, random_unit, none, 1.98, normal},
    Regime{"b_0.02_a1", "random unit keys, beta = 0.02: slow accumulation", Rule::gated_delta,
           random_unit, none, 0.02, normal},
    Regime{"kla_tinykey", "|k|^2 around eps: the stabiliser decides the step", Rule::kla, tiny,
           none, 0.0, normal},
    Regime{"cancel_v=Wk", "v = W k: residuals cancel once W is learnt", Rule::gated_delta,
           random_unit, none, 1.0, linear_in_key},
    Regime{"heavytail_v", "heavy-tailed values: small outputs beside huge ones", Rule::gated_delta,
           random_unit, gdn, 0.0, heavy_tail},
    Regime{"resets",
           "one token in 16 wipes the state (g to -1000): prefix sums lose their neighbours",
           Rule::gated_delta, random_unit, resets, 1.0, normal},
    Regime{"b_2.02_expand", "beta = 2.02: each write expands the state along its key",
           Rule::gated_delta, random_unit, none, 2.02, normal},
    Regime{"parallel_b1.98", "one key up to 0.001, beta = 1.98: the worst conditioned of all",
           Rule::gated_delta, parallel, none, 1.98, normal},
    Regime{"subspace_d/8", "keys in a subspace of dimension K/8, beta = 1: the state saturates",
           Rule::gated_delta, subspace, none, 1.0, normal},
    Regime{"kla_mixnorm", "key norms from 2^-10 to 2^5", Rule::kla, mixed_norm, gdn, 0.0, normal},
    Regime{"typical",
           "random unit keys, beta in (0, 1), a rate of decay for each head: what kernels are run on first",
           Rule::gated_delta, random_unit, heads, 0.0, normal},
};

}  // namespace

std::span<const Regime> regimes() { return kRegimes; }

const Regime* find_regime(std::string_view name) {
  const auto found = std::ranges::find(kRegimes, name, &Regime::name);
  return found == kRegimes.end() ? nullptr : &*found;
}

}  // namespace deltaproof
