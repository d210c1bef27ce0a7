#include "properties/defects/cache_read_faults.hpp"

#include <cmath>
#include <limits>

namespace deltaproof::faults {
namespace {

float mean_of(const HeadInputs& in, float squares) { return squares / static_cast<float>(in.K); }
float eps_of(const HeadInputs& in) { return static_cast<float>(in.options.hola.read_eps); }

// The right factor of the problem's read.
float right_factor(const HeadInputs& in, float squares) {
  if (in.options.hola.read == CacheRead::rmsnorm) return 1.0f / std::sqrt(mean_of(in, squares) + eps_of(in));
  return 1.0f / std::sqrt(squares + static_cast<float>(in.options.qk_l2norm_eps));
}

}  // namespace

HolaFault of_inputs(EditHead edit) {
  HolaFault fault;
  fault.inputs = edit;
  return fault;
}

void gamma_k_lost(const Problem&, const Sequence&, std::int64_t, HeadInputs& in) { in.gamma_k.setOnes(); }

void gammas_lost(const Problem&, const Sequence&, std::int64_t, HeadInputs& in) {
  in.gamma_q.setOnes();
  in.gamma_k.setOnes();
}

void gammas_of_head_0(const Problem& problem, const Sequence& sequence, std::int64_t, HeadInputs& in) {
  const HeadInputs first = head_inputs(problem, sequence, 0);
  in.gamma_q = first.gamma_q, in.gamma_k = first.gamma_k;
}

void no_root_of_K(const Problem&, const Sequence&, std::int64_t, HeadInputs& in) {
  in.options.hola.tau *= std::sqrt(static_cast<double>(in.K));
}

void root_of_K_twice(const Problem&, const Sequence&, std::int64_t, HeadInputs& in) {
  in.options.hola.tau /= std::sqrt(static_cast<double>(in.K));
}

void tau_lost(const Problem&, const Sequence&, std::int64_t, HeadInputs& in) { in.options.hola.tau = 1; }

void sink_missing(const Problem&, const Sequence&, std::int64_t, HeadInputs& in) {
  in.sink = -std::numeric_limits<double>::infinity();
}

void sink_0(const Problem&, const Sequence&, std::int64_t, HeadInputs& in) { in.sink = 0; }

void sink_of_head_0(const Problem& problem, const Sequence& sequence, std::int64_t, HeadInputs& in) {
  in.sink = head_inputs(problem, sequence, 0).sink;
}

void gate_of_head_0(const Problem& problem, const Sequence& sequence, std::int64_t, HeadInputs& in) {
  in.cache_gate = head_inputs(problem, sequence, 0).cache_gate;
}

void values_of_key_head(const Problem& problem, const Sequence& sequence, std::int64_t head, HeadInputs& in) {
  in.v = head_inputs(problem, sequence, head / (problem.dims().HV / problem.dims().H)).v;
}

void values_of_token_before(const Problem&, const Sequence&, std::int64_t, HeadInputs& in) {
  for (Index t = in.v.rows() - 1; t > 0; --t) in.v.row(t) = in.v.row(t - 1).eval();
}

HolaFault flat_read() {
  return of_inputs([](const Problem&, const Sequence&, std::int64_t, HeadInputs& in) {
    in.options.hola.read = CacheRead::l2;
  });
}

HolaFault rows_with(float (*factor)(const HeadInputs&, float squares, bool key)) {
  HolaFault fault;
  fault.row_factor = factor;
  return fault;
}

float eps_outside(const HeadInputs& in, float squares, bool) {
  return 1.0f / (std::sqrt(mean_of(in, squares)) + eps_of(in));
}

// Of a row of zeros a kernel without eps makes NaN.
float no_eps(const HeadInputs& in, float squares, bool) { return 1.0f / std::sqrt(mean_of(in, squares)); }

float sum_for_mean(const HeadInputs& in, float squares, bool) { return 1.0f / std::sqrt(squares + eps_of(in)); }

float no_root(const HeadInputs& in, float squares, bool) { return 1.0f / (mean_of(in, squares) + eps_of(in)); }

float raw_keys(const HeadInputs& in, float squares, bool key) { return key ? 1.0f : right_factor(in, squares); }

float raw_queries(const HeadInputs& in, float squares, bool key) { return key ? right_factor(in, squares) : 1.0f; }

HolaFault sink_has_value() {
  HolaFault fault;
  fault.sink_has_value = true;
  return fault;
}

HolaFault softmax_without_shift() {
  HolaFault fault;
  fault.shifts = false;
  return fault;
}

HolaFault softmax_without_rescaling() {
  HolaFault fault;
  fault.rescales = false;
  return fault;
}

HolaFault softmax_without_division() {
  HolaFault fault;
  fault.divides = false;
  return fault;
}

HolaFault gate_as(float (*of)(float gate)) {
  HolaFault fault;
  fault.gate = of;
  return fault;
}

float itself(float gate) { return gate; }
float exponential(float gate) { return std::exp(gate); }
float negated(float gate) { return 1.0f / (1.0f + std::exp(gate)); }
float open(float) { return 1; }
float shut(float) { return 0; }

HolaFault mixed_outputs() {
  HolaFault fault;
  fault.combined = [](float s, float read, float o) { return (1 - s) * o + s * read; };
  return fault;
}

}  // namespace deltaproof::faults
