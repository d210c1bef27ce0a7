#pragma once

#include "properties/defects/defect.hpp"

namespace deltaproof::faults {

/// An edit of the inputs of each whole sequence.
MakeFault of_run(std::function<void(const Problem&, const Sequence&, std::int64_t head, HeadInputs&)> change);
/// What a product gives, or what it multiplies, changed wherever the fault is; a value before or after its rounding.
Fault at_product(Product product, std::function<void(const ChunkStep&, MatrixF&)> change);
Fault at_factors(Product product, std::function<void(MatrixF&, MatrixF&)> change);
Fault before(Point point, std::function<void(const ChunkStep&, MatrixF&)> change);
Fault after(Point point, std::function<void(const ChunkStep&, MatrixF&)> change);
/// Prefix sums of the log decays of a chunk in powers of two, as the text has them.
MatrixF log_decays(const ChunkStep& step);
/// Row t of k as the kernel uses it: normalised if it does so (in double, not rounded).
Eigen::RowVectorXd key_as_used(const HeadInputs& head, Index t);

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
/// The b that KLA forms with another eps, or from |k|^2 rounded to bf16: the given b, or eta, times
/// (|k|^2 + right eps) / (|k|^2 + eps), so that nothing else about it changes.
MakeFault beta_with(double eps, bool rounded_square);

// Solve.
MakeFault corner_of_inverse_zero();
MakeFault missing_pair();  ///< one entry of L

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
