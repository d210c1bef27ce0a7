#pragma once

#include "properties/defects/defect.hpp"

namespace deltaproof::faults {

/// A fault without a place of its own.
MakeFault always(Fault fault);

// The declaration: another rounding or another order than the declared one.
MakeFault declared(std::function<void(Declared&)> change);
MakeFault truncated(std::vector<Point> points);
MakeFault kept_in_fp32(Point point);

// Scale and gates.
MakeFault scaled_before(Point point, float factor);  ///< before it is rounded
MakeFault log2e(double value);
MakeFault shifted_gates();        ///< g_{t-1} for g_t, 0 for the first
MakeFault rounded_gates();        ///< g in bf16
MakeFault rounded_betas();        ///< b in bf16
MakeFault squared_last_decay();   ///< the last g of each chunk doubled
MakeFault read_gate_of_row_before();
MakeFault undecayed_w();
MakeFault one_beta_zero();
/// The b that KLA forms with another eps, or from |k|^2 rounded to bf16: the given b = eta / (|k|^2 + 1e-6) times
/// (|k|^2 + 1e-6) / (|k|^2 + eps), so that nothing else about it changes.
MakeFault beta_with(double eps, bool rounded_square);

// Solve.
MakeFault corner_of_inverse_zero();
MakeFault missing_gram_entry();

// State.
MakeFault state_in_bf16();
MakeFault last_token_unwritten();
MakeFault stale_state_element();
MakeFault state_lost_before_chunk_1();
MakeFault no_state_read_in_chunk_1();

// Attention block.
MakeFault scores_in_6_bits();
MakeFault missing_diagonal_score();
MakeFault future_score();

// Channels.
MakeFault key_channel_lost(Product product);
MakeFault key_channel_lost_everywhere();

}  // namespace deltaproof::faults
