// The write and the read of a token: another residual, another coefficient, another moment, another scale.
#include <cmath>
#include <utility>

#include "properties/defects/kernel_faults.hpp"
#include "properties/defects/recurrence_variant.hpp"
#include "properties/defects/tables.hpp"

namespace deltaproof {
namespace {

using namespace faults;

// Write coefficients as the kernel uses them, formed or stored.
MakeFault writes_as(float (*of)(float)) {
  Fault fault;
  fault.chunk_inputs = [of](TextInput<Bits>& in) { in.beta = in.beta.unaryExpr(of).eval(); };
  return always(std::move(fault));
}

float squared(float b) { return b * b; }
float complement(float b) { return 1 - b; }
float sigmoid(float b) { return 1 / (1 + std::exp(-b)); }

MakeFault writes_of_token_before() {
  return of_run([](const Problem&, const Sequence&, std::int64_t, HeadInputs& run) {
    for (Index t = run.write.rows() - 1; t > 0; --t) run.write.row(t) = run.write.row(t - 1).eval();
  });
}

MakeFault queries_of_token_before() {
  return of_run([](const Problem&, const Sequence&, std::int64_t, HeadInputs& run) {
    for (Index t = run.q.rows() - 1; t > 0; --t) run.q.row(t) = run.q.row(t - 1).eval();
  });
}

// Of a chunk's tokens neither what they wrote nor the state before is taken from a value: T = I, w S = 0.
MakeFault without_residual() {
  Fault fault;
  fault.recurrence = [](const Bits& bits, const TextInput<Bits>& in) {
    TextInput<Bits> plain = in;
    plain.residual = false;
    return recurrence(bits, plain, {});
  };
  fault.strictly_lower = [](const MatrixF&, MatrixF& L) { L.setZero(); };
  fault.products = {Product::w_state};
  fault.product = [](const ChunkStep&, Product made, MatrixF& result) {
    if (made == Product::w_state) result.setZero();
  };
  return always(std::move(fault));
}

MakeFault read_before_write() {
  Fault fault = before(Point::P, [](const ChunkStep&, MatrixF& P) { P.diagonal().setZero(); });
  fault.recurrence = [](const Bits& bits, const TextInput<Bits>& in) {
    return recurrence(bits, in, {.reads_before_write = true});
  };
  return always(std::move(fault));
}

// q S without 2^G: as part of the sum that becomes o, or of the rows q 2^G where decay is one a channel.
MakeFault undecayed_read() {
  Fault fault;
  fault.kernels = Kernels::chunk;
  fault.points = {Point::o};
  fault.after_rounding = [](const ChunkStep& step, Point at, MatrixF& value) {
    if (at == Point::q_scaled) value = step.in.q;
  };
  fault.before_rounding = [](const ChunkStep& step, Point at, MatrixF& value) {
    if (at != Point::o || step[Point::q_scaled].size() > 0) return;
    value = step.bits.scaled_sum(step[Product::q_state], step[Product::p_v], step.in.scale);
  };
  return always(std::move(fault));
}

MakeFault scale_as(double (*of)(double scale, double K)) {
  return of_run([of](const Problem&, const Sequence&, std::int64_t, HeadInputs& run) {
    run.options.scale = of(run.options.scale, static_cast<double>(run.K));
  });
}

double over_K(double, double K) { return 1 / K; }
double no_scale(double, double) { return 1; }
double scale_twice(double scale, double) { return scale * scale; }

}  // namespace

std::vector<Defect> step_defects() {
  using enum Stage;
  constexpr Reach everywhere = Reach::everywhere;
  constexpr Needs decayed_residual = Needs::gates | Needs::residual, stored_write = Needs::writes | Needs::residual;
  return {
      {"residual_undecayed", values, BugClass::gates, "the residual is formed against the state before its decay",
       "v - S_{t-1}^T k", recurrence_with({.residual_of_undecayed = true}), everywhere, decayed_residual},
      {"residual_key_before", values, BugClass::causality, "the residual is formed with the key of the token before",
       "v_t - S~^T k_{t-1}", recurrence_with({.residual_of_key_before = true}), everywhere,
       Needs::residual | Needs::two_tokens},
      {"residual_none", values, BugClass::solve, "the value is written, not its residual", "b k v^T",
       without_residual(), everywhere, Needs::residual},
      {"beta_before", values, BugClass::causality, "a token is written with the coefficient of the one before",
       "b_{t-1}", writes_of_token_before(), everywhere, stored_write | Needs::two_tokens},
      {"beta_squared", values, BugClass::gates, "the write coefficient is applied twice", "b^2 k e^T",
       writes_as(squared), everywhere, stored_write},
      {"beta_complement", values, BugClass::gates, "the write coefficient is taken for what is kept", "(1 - b) k e^T",
       writes_as(complement), everywhere, stored_write},
      {"beta_sigmoid", values, BugClass::gates, "the gate's sigmoid is applied twice", "b = 1 / (1 + e^{-b})",
       writes_as(sigmoid), everywhere, stored_write},
      {"read_before_write", reading, BugClass::causality, "a token reads the state before its own write",
       "o = scale S~^T q; P_ii = 0", read_before_write()},
      {"read_undecayed", reading, BugClass::gates, "the state before a chunk is read without decay",
       "scale (Q S0 + P U)", undecayed_read(), everywhere, Needs::gates},
      {"read_undecayed_token", reading, BugClass::gates, "a token reads the state as if it had not decayed",
       "o = scale (S_{t-1} + b k e^T)^T q", recurrence_with({.reads_undecayed = true}), everywhere, Needs::gates},
      {"q_before", reading, BugClass::causality, "a token reads with the query of the one before", "q_{t-1}",
       queries_of_token_before(), everywhere, Needs::two_tokens},
      {"scale_1/K", reading, BugClass::layout, "the scale is 1/K", "scale = 1/K", scale_as(over_K)},
      {"scale_none", reading, BugClass::layout, "the scale is left out", "scale = 1", scale_as(no_scale)},
      {"scale_squared", reading, BugClass::layout, "the scale is applied twice", "scale^2", scale_as(scale_twice)},
  };
}

}  // namespace deltaproof
