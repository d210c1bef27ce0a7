#include "properties/defects/kernel_faults.hpp"
#include "properties/defects/tables.hpp"

namespace deltaproof {
namespace {

constexpr std::string_view below_rounding =
    "b changes by eps / |k|^2 of itself, far less than b k loses when it is rounded";

}  // namespace

std::vector<Defect> kernel_defects() {
  using namespace faults;
  using enum Stage;
  using enum Reach;
  return {
      {"scale_1.0001", gates, BugClass::miscompile, "the scale is 0.01 % too large",
       "o times 1.0001 before its store", scaled_before(Point::o, 1.0001f)},
      {"scale_1.0003", gates, BugClass::miscompile, "the scale is 0.03 % too large",
       "o times 1.0003 before its store", scaled_before(Point::o, 1.0003f)},
      {"scale_1.001", gates, BugClass::miscompile, "the scale is 0.1 % too large", "o times 1.001 before its store",
       scaled_before(Point::o, 1.001f)},
      {"gate_shift", gates, BugClass::gates, "each token decays by its predecessor's gate", "g_{t-1} for g_t",
       shifted_gates(), everywhere, Needs::gates},
      {"gate_bf16", gates, BugClass::precision, "log decays are held in bf16", "g = bf16(g)", rounded_gates(),
       everywhere, Needs::gates},
      {"beta_bf16", gates, BugClass::precision, "write coefficients are held in bf16", "b = bf16(b)", rounded_betas(),
       everywhere, Needs::writes},
      {"log2e_1.4427", gates, BugClass::gates, "log2 e has five digits", "log2 e = 1.4427", log2e(1.4427), everywhere,
       Needs::gates},
      {"log2e_bf16", gates, BugClass::gates, "log2 e is held in bf16", "log2 e = 1.4453125", log2e(1.4453125),
       everywhere, Needs::gates},
      {"decay_twice_last", gates, BugClass::gates, "the last decay of a chunk is applied twice",
       "2 g at a chunk's last token", squared_last_decay(), everywhere, Needs::gates},
      {"qS_gate_off1", gates, BugClass::gates, "the state is read with the decay of the token before",
       "(q S) e^{G_{i-1}}", read_gate_of_row_before(), everywhere, Needs::scalar_gates},
      {"w_nogate", gates, BugClass::gates, "keys enter w without their decay", "w = T (b k)", undecayed_w(),
       everywhere, Needs::gates},
      {"beta0_tok", gates, BugClass::sequences, "one token is not written", "b_t = 0", one_beta_zero(), one_place,
       Needs::residual},
      {"k2_bf16", gates, BugClass::precision, "|k|^2 is rounded to bf16 in b", "b = eta / (bf16(|k|^2) + 1e-6)",
       beta_with(1e-6, true), everywhere, Needs::kla},
      {"eps_1e-3", gates, BugClass::norms, "the eps of b is 1e-3", "b = eta / (|k|^2 + 1e-3)", beta_with(1e-3, false),
       everywhere, Needs::kla},
      {"eps_1e-5", gates, BugClass::norms, "the eps of b is 1e-5", "b = eta / (|k|^2 + 1e-5)", beta_with(1e-5, false),
       everywhere, Needs::kla, {}, below_rounding},
      {"eps_0", gates, BugClass::norms, "b has no eps", "b = eta / |k|^2", beta_with(0, false), everywhere,
       Needs::kla, {}, below_rounding},

      {"merge_ieee", solve, BugClass::precision, "blocks of the inverse are merged in fp32, not in TF32",
       "no rounding of merged factors",
       declared([](Declared& d) { d.merge = Merge::ieee; })},
      {"merge_rna", solve, BugClass::precision, "factors of the merge are rounded to TF32, not truncated",
       "nearest, ties away",
       declared([](Declared& d) { d.merge = Merge::tf32_nearest_away; })},
      {"T_fp32", solve, BugClass::precision, "the inverse is not rounded to the type of its inputs",
       "T in fp32, multiplied as TF32", kept_in_fp32(Point::T)},
      {"T_trunc", solve, BugClass::precision, "the inverse is truncated", "T rounded towards zero",
       truncated({Point::T})},
      {"T_1.003", solve, BugClass::miscompile, "the inverse is 0.3 % too large", "1.003 T",
       scaled_before(Point::T, 1.003f)},
      {"T_corner0", solve, BugClass::solve, "the corner of the inverse is lost", "T[C-1, 0] = 0",
       corner_of_inverse_zero()},
      {"L_missing_ij", solve, BugClass::solve, "one pair of tokens is missing in the solve", "L_ij = 0",
       missing_pair(), one_place},

      {"U_trunc", values, BugClass::precision, "v_new and its scaled copy are truncated", "rounded towards zero",
       truncated({Point::v_new, Point::v_scaled})},
      {"v_fp32", values, BugClass::precision, "v_new is not rounded for the output",
       "v_new in fp32, multiplied as TF32", kept_in_fp32(Point::v_new)},
      {"us_from_vb", values, BugClass::precision, "the copy of v_new for the state is made from the rounded one",
       "bf16(v_new) e^{G_last - G}", declared([](Declared& d) { d.v_scaled_from = ScaledFrom::rounded; })},

      {"Scopy_trunc", state, BugClass::precision, "the copy of the state that is read is truncated",
       "S rounded towards zero", truncated({Point::state_copy})},
      {"S_bf16", state, BugClass::precision, "the state is kept in bf16", "S = bf16(S) after each chunk",
       state_in_bf16()},
      {"S_lasttok", state, BugClass::sequences, "the last token of a chunk is not written to the state",
       "v_new of it = 0 in the update", last_token_unwritten()},
      {"stale_S", state, BugClass::races, "one element of the state is one chunk old", "S_ij = S_ij before the chunk",
       stale_state_element(), one_place},
      {"nocarry", state, BugClass::initial_state, "the state is lost before one chunk", "S = 0 before chunk 1",
       state_lost_before_chunk_1(), everywhere, Needs::two_chunks},
      {"o_noQS_chunk1", state, BugClass::initial_state, "the state is not read in one chunk", "q S = 0 in chunk 1",
       no_state_read_in_chunk_1(), everywhere, Needs::two_chunks},

      {"P_trunc", attention, BugClass::precision, "scores are truncated", "P rounded towards zero",
       truncated({Point::P})},
      {"P_6bit", attention, BugClass::precision, "scores keep six bits", "P rounded to 6 significant bits",
       scores_in_6_bits()},
      {"P_strict_row", attention, BugClass::causality, "one token does not read itself", "P_ii = 0",
       missing_diagonal_score(), one_place},
      {"P_future_ij", attention, BugClass::causality, "one token reads a later one", "P_ij kept for one j > i",
       future_score(), one_place},
      {"o_trunc", attention, BugClass::precision, "outputs are truncated", "o rounded towards zero",
       truncated({Point::o})},

      {"kchan_kkt", channels, BugClass::layout, "one key channel is dropped in k k^T", "k[:, c] = 0 in k k^T",
       key_channel_lost(Product::gram), one_channel},
      {"kchan_qk", channels, BugClass::layout, "one key channel is dropped in q k^T", "q[:, c] = 0 in q k^T",
       key_channel_lost(Product::scores), one_channel},
      {"kchan_S", channels, BugClass::layout, "one key channel is dropped in the update of the state",
       "k[:, c] = 0 in k^T v_new", key_channel_lost(Product::state), one_channel},
      {"kchan_all", channels, BugClass::layout, "one key channel is dropped everywhere", "q[:, c] = k[:, c] = 0",
       key_channel_lost_everywhere(), one_channel},
  };
}

}  // namespace deltaproof
