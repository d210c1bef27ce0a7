// Decay: left out, doubled, in another base, at another place, of another token or head.
#include <algorithm>
#include <cmath>
#include <utility>

#include "properties/defects/kernel_faults.hpp"
#include "properties/defects/recurrence_variant.hpp"
#include "properties/defects/tables.hpp"
#include "reference/arithmetic/float_rounding.hpp"

namespace deltaproof {
namespace {

using namespace faults;

// Each log decay replaced by a function of itself.
MakeFault gates_as(double (*of)(double)) {
  return of_run([of](const Problem&, const Sequence&, std::int64_t, HeadInputs& run) {
    run.g = run.g.unaryExpr(of).eval();
  });
}

double no_decay(double) { return 0; }
double doubled(double g) { return 2 * g; }
double exponential(double g) { return std::exp(g); }
double softplus_again(double g) { return -std::log1p(std::exp(-g)); }
double above_5(double g) { return std::max(g, -5.0); }
double above_20(double g) { return std::max(g, -20.0); }

MakeFault gates_of_next_head() {
  return of_run([](const Problem& problem, const Sequence& sequence, std::int64_t head, HeadInputs& run) {
    run.g = head_inputs(problem, sequence, (head + 1) % problem.dims().HV).g;
  });
}

// A ratio gamma_i / gamma_{j-1} has the decay of token j once more than gamma_i / gamma_j.
MakeFault ratios_from_token_before() {
  Fault fault;
  fault.products = {Product::gram, Product::scores};
  fault.product = [](const ChunkStep& step, Product made, MatrixF& result) {
    if (made != Product::gram && made != Product::scores) return;
    for (Index j = 0; j < result.cols(); ++j) result.col(j) *= std::exp(step.in.g(j, 0));
  };
  return always(std::move(fault));
}

// In the chunk's update of the state each token is taken as if it were the last. The decay lies on the values where it
// is one a token, on the keys where it is one a channel.
MakeFault update_without_decay() {
  Fault fault;
  fault.points = {Point::v_scaled, Point::k_scaled};
  fault.after_rounding = [](const ChunkStep& step, Point at, MatrixF& value) {
    if (at == Point::k_scaled) value = step.in.k;
    if (at == Point::v_scaled) value = step.in.residual ? step[Point::v_new] : step.in.v;
  };
  return always(std::move(fault));
}

// g of a chunk's first token takes the sum over all tokens before with it: ratios inside the chunk are as they were.
MakeFault sums_from_sequence_start() {
  Fault fault;
  fault.kernels = Kernels::chunk;
  fault.run_inputs = [](const Problem& problem, const Sequence&, std::int64_t, HeadInputs& run) {
    const Matrix g = run.g;
    for (Index t = problem.options().chunk_size; t < run.tokens; t += problem.options().chunk_size) {
      run.g.row(t) += g.topRows(t).colwise().sum();
    }
  };
  return always(std::move(fault));
}

// The gates whose prefix sums are the rounded ones.
MakeFault sums_in_bf16() {
  Fault fault;
  fault.kernels = Kernels::chunk;
  fault.chunk_inputs = [](TextInput<Bits>& in) {
    MatrixF before = MatrixF::Zero(1, in.g.cols()), sum = before;
    for (Index t = 0; t < in.g.rows(); ++t) {
      sum += in.g.row(t);
      const MatrixF rounded =
          sum.unaryExpr([](float x) { return round_float(x, formats::bf16, PointMode::nearest_even); });
      in.g.row(t) = rounded - before;
      before = rounded;
    }
  };
  return always(std::move(fault));
}

// 2^(G_i - G_j) for i < j may be infinite, and infinity times the mask's 0 is NaN.
MakeFault masked_by_product() {
  Fault fault;
  fault.lower = [](const MatrixF& whole, MatrixF& masked) {
    for (Index i = 0; i < whole.rows(); ++i) {
      for (Index j = i + 1; j < whole.cols(); ++j) masked(i, j) = whole(i, j) * 0.0f;
    }
  };
  return always(std::move(fault));
}

constexpr double ln2 = 0.69314718055994530942;

}  // namespace

std::vector<Defect> gate_defects() {
  using enum Stage;
  constexpr Reach everywhere = Reach::everywhere;
  constexpr BugClass gate = BugClass::gates;
  return {
      {"decay_none", gates, gate, "nothing decays", "alpha = 1", gates_as(no_decay), everywhere, Needs::gates},
      {"decay_squared", gates, gate, "every decay is applied twice", "alpha^2 = e^{2 g}", gates_as(doubled),
       everywhere, Needs::gates},
      {"decay_base_2", gates, gate, "a natural log is taken as one of base 2", "2^g", log2e(1), everywhere,
       Needs::gates},
      {"decay_log2e_twice", gates, gate, "a natural log is turned into one of base 2 twice", "2^{g log2(e)^2}",
       log2e(1 / (ln2 * ln2)), everywhere, Needs::gates},
      {"decay_as_log", gates, gate, "a decay is handed in where its log is wanted", "e^alpha", gates_as(exponential),
       everywhere, Needs::gates},
      {"decay_softplus", gates, gate, "the gate's softplus is applied twice", "g = -log(1 + e^{-g})",
       gates_as(softplus_again), everywhere, Needs::gates},
      {"decay_clamp_5", gates, gate, "log decays are clamped at -5", "max(g, -5)", gates_as(above_5), everywhere,
       Needs::gates},
      {"decay_clamp_20", gates, gate, "log decays are clamped at -20", "max(g, -20)", gates_as(above_20), everywhere,
       Needs::gates},
      {"decay_of_head", gates, BugClass::layout, "a head decays by the gates of the next one", "g of head h + 1",
       gates_of_next_head(), everywhere, Needs::gates | Needs::two_heads},
      {"decay_after_write", gates, gate, "the state decays after the write, not before",
       "alpha (S + b k (v - S^T k)^T)", recurrence_with({.decays_after_write = true}), everywhere, Needs::gates},
      {"A_off1", gates, gate, "ratios of decays start at the token before", "gamma_i / gamma_{j-1} in A",
       ratios_from_token_before(), everywhere, Needs::scalar_gates},
      {"update_nogate", gates, gate, "tokens enter the state without their decay to the chunk's end",
       "K^T U for K^T Diag(gamma_C / gamma_i) U", update_without_decay(), everywhere, Needs::gates},
      {"cumsum_carried", gates, gate, "prefix sums of log decays are not reset at a chunk's start",
       "G from the start of the sequence", sums_from_sequence_start(), everywhere, Needs::gates | Needs::two_chunks},
      {"cumsum_bf16", gates, BugClass::precision, "prefix sums of log decays are held in bf16", "G = bf16(G)",
       sums_in_bf16(), everywhere, Needs::gates},
      {"exp_unmasked", gates, gate, "the mask multiplies what it should leave out",
       "infinity times 0 above the diagonal", masked_by_product(), everywhere, Needs::scalar_gates},
  };
}

}  // namespace deltaproof
