// Types too narrow for what they hold.
#include <utility>

#include "properties/defects/kernel_faults.hpp"
#include "properties/defects/tables.hpp"
#include "reference/arithmetic/float_rounding.hpp"

namespace deltaproof {
namespace {

using namespace faults;

void round_to(const Format& format, MatrixF& x) {
  x = x.unaryExpr([&](float value) { return round_float(value, format, PointMode::nearest_even); }).eval();
}

void round_to_bf16(Matrix& x) {
  x = x.unaryExpr([](double value) { return round_to_nearest_even(formats::bf16, value); }).eval();
}

MakeFault state_in_fp16() {
  Fault fault;
  fault.next_state = [](const ChunkStep&, MatrixF& S) { round_to(formats::f16, S); };
  return always(std::move(fault));
}

MakeFault in_fp16_first(Point point) {
  return always(before(point, [](const ChunkStep&, MatrixF& value) { round_to(formats::f16, value); }));
}

MakeFault sums_of_products_in_fp16() {
  Fault fault;
  using enum Product;
  fault.products = {gram, scores, u, w, w_state, q_state, p_v, state};
  fault.product = [](const ChunkStep&, Product, MatrixF& result) { round_to(formats::f16, result); };
  return always(std::move(fault));
}

MakeFault products_in_tf32() {
  return declared([](Declared& d) { d.f32_products = F32Products::tf32; });
}

MakeFault initial_state_in_bf16() {
  return of_run([](const Problem&, const Sequence&, std::int64_t, HeadInputs& run) {
    round_to_bf16(run.initial_state);
  });
}

MakeFault inputs_in_bf16() {
  return of_run([](const Problem&, const Sequence&, std::int64_t, HeadInputs& run) {
    for (Matrix* rows : {&run.q, &run.k, &run.v}) round_to_bf16(*rows);
  });
}

}  // namespace

std::vector<Defect> precision_defects() {
  using enum Stage;
  constexpr Reach everywhere = Reach::everywhere;
  constexpr BugClass narrow = BugClass::precision;
  return {
      {"S_fp16", state, narrow, "the state is kept in fp16", "S = fp16(S) after each chunk", state_in_fp16()},
      {"initial_bf16", state, narrow, "the initial state is read in bf16", "S0 = bf16(S0)", initial_state_in_bf16(),
       everywhere, Needs::initial_state},
      {"o_fp16_bf16", attention, narrow, "outputs are rounded twice", "bf16(fp16(o))", in_fp16_first(Point::o),
       everywhere, Needs::inputs_bf16},
      {"P_fp16", attention, narrow, "scores in fp32 are rounded to fp16", "P = fp16(P)", in_fp16_first(Point::P),
       everywhere, Needs::inputs_fp32},
      {"mma_fp16", attention, narrow, "products are accumulated in fp16", "fp16(A B)", sums_of_products_in_fp16()},
      {"mma_tf32", attention, narrow, "inputs in fp32 are multiplied in TF32", "10 bits of each factor's significand",
       products_in_tf32(), everywhere, Needs::inputs_fp32},
      {"inputs_bf16", values, narrow, "inputs in fp32 are read in bf16", "bf16(q), bf16(k), bf16(v)",
       inputs_in_bf16(), everywhere, Needs::inputs_fp32},
  };
}

}  // namespace deltaproof
