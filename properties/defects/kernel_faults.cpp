#include "properties/defects/kernel_faults.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "properties/defects/fault_places.hpp"
#include "reference/arithmetic/float_rounding.hpp"

namespace deltaproof::faults {
namespace {

double in_bf16(double x) { return round_to_nearest_even(formats::bf16, x); }

// Entry (i, j) of what a text made, for a place that was drawn for a whole chunk: a text may make a matrix in parts.
float& entry(MatrixF& made, Index i, Index j) {
  if (i < 0 || i >= made.rows() || j < 0 || j >= made.cols()) {
    throw std::logic_error(fmt::format("a defect at ({}, {}) of {} x {} values", i, j, made.rows(), made.cols()));
  }
  return made(i, j);
}

Fault in_chunk_1(Fault fault) {
  fault.chunk = 1;
  return fault;
}

}  // namespace

MakeFault of_run(std::function<void(const Problem&, const Sequence&, std::int64_t, HeadInputs&)> change) {
  Fault fault;
  fault.run_inputs = std::move(change);
  return always(std::move(fault));
}

Fault at_product(Product product, std::function<void(const ChunkStep&, MatrixF&)> change) {
  Fault fault;
  fault.products = {product};
  fault.product = [product, change = std::move(change)](const ChunkStep& step, Product made, MatrixF& result) {
    if (made == product) change(step, result);
  };
  return fault;
}

Fault at_factors(Product product, std::function<void(MatrixF&, MatrixF&)> change) {
  Fault fault;
  fault.products = {product};
  fault.factors = [product, change = std::move(change)](Product made, MatrixF& a, MatrixF& b) {
    if (made == product) change(a, b);
  };
  return fault;
}

Fault before(Point point, std::function<void(const ChunkStep&, MatrixF&)> change) {
  Fault fault;
  fault.points = {point};
  fault.before_rounding = [point, change = std::move(change)](const ChunkStep& step, Point at, MatrixF& value) {
    if (at == point) change(step, value);
  };
  return fault;
}

Fault after(Point point, std::function<void(const ChunkStep&, MatrixF&)> change) {
  Fault fault;
  fault.points = {point};
  fault.after_rounding = [point, change = std::move(change)](const ChunkStep& step, Point at, MatrixF& value) {
    if (at == point) change(step, value);
  };
  return fault;
}

MatrixF log_decays(const ChunkStep& step) {
  return step.bits.times(step.bits.scan(step.in.g), step.bits.log2e());
}

Eigen::RowVectorXd key_as_used(const HeadInputs& head, Index t) {
  const Eigen::RowVectorXd key = head.k.row(t);
  const L2Norm norm = head.options.qk_l2norm;
  if (norm != L2Norm::k && norm != L2Norm::both) return key;
  return key / std::sqrt(key.squaredNorm() + head.options.qk_l2norm_eps);
}

MakeFault always(Fault fault) {
  return [fault = std::move(fault)](const Problem&, Generator&) { return fault; };
}

MakeFault declared(std::function<void(Declared&)> change) {
  Fault fault;
  fault.declaration = std::move(change);
  return always(std::move(fault));
}

MakeFault truncated(std::vector<Point> points) {
  return declared([points = std::move(points)](Declared& d) {
    for (const Point point : points) d[point].mode = PointMode::truncated;
  });
}

MakeFault kept_in_fp32(Point point) {
  return declared([point](Declared& d) { d[point].format = PointFormat::f32; });
}

MakeFault scaled_before(Point point, float factor) {
  return always(before(point, [factor](const ChunkStep&, MatrixF& value) { value *= factor; }));
}

MakeFault log2e(double value) {
  Fault fault;
  fault.log2e = value;
  return always(std::move(fault));
}

MakeFault shifted_gates() {
  return of_run([](const Problem&, const Sequence&, std::int64_t, HeadInputs& head) {
    for (Index t = head.g.rows() - 1; t > 0; --t) head.g.row(t) = head.g.row(t - 1).eval();
    if (head.g.rows() > 0) head.g.row(0).setZero();
  });
}

MakeFault rounded_gates() {
  return of_run([](const Problem&, const Sequence&, std::int64_t, HeadInputs& head) {
    head.g = head.g.unaryExpr(&in_bf16).eval();
  });
}

MakeFault rounded_betas() {
  return of_run([](const Problem&, const Sequence&, std::int64_t, HeadInputs& head) {
    head.write = head.write.unaryExpr(&in_bf16).eval();
  });
}

MakeFault squared_last_decay() {
  Fault fault;
  fault.chunk_inputs = [](TextInput<Bits>& in) { in.g.bottomRows(1) *= 2.0f; };
  return always(std::move(fault));
}

MakeFault read_gate_of_row_before() {
  return always(at_product(Product::q_state, [](const ChunkStep& step, MatrixF& read) {
    const MatrixF G = log_decays(step);
    for (Index i = 0; i < read.rows(); ++i) {
      const float earlier = i == 0 ? 0.0f : G(i - 1, 0);
      read.row(i) *= step.bits.exp2(MatrixF::Constant(1, 1, earlier - G(i, 0)))(0, 0);
    }
  }));
}

MakeFault undecayed_w() {
  return always(after(Point::k_beta_decayed,
                      [](const ChunkStep& step, MatrixF& value) { value = step[Point::k_beta]; }));
}

MakeFault one_beta_zero() {
  return [](const Problem& problem, Generator& draw) {
    const DrawnChunk place = draw_chunk(problem, draw, 1);
    const Index row = any_of(draw, place.tokens);
    Fault fault;
    fault.chunk_inputs = [row](TextInput<Bits>& in) { entry(in.beta, row, 0) = 0; };
    return placed(place, std::move(fault));
  };
}

MakeFault beta_with(double eps, bool rounded_square) {
  return of_run([eps, rounded_square](const Problem&, const Sequence&, std::int64_t, HeadInputs& head) {
    const double right_eps = head.options.eps;
    for (Index t = 0; t < head.tokens; ++t) {
      const double square = key_as_used(head, t).squaredNorm();
      const double taken = rounded_square ? in_bf16(square) : square;
      head.write(t, 0) = static_cast<float>(head.write(t, 0) * (square + right_eps) / (taken + eps));
    }
  });
}

MakeFault corner_of_inverse_zero() {
  return always(after(Point::T, [](const ChunkStep&, MatrixF& T) {
    if (T.rows() > 1) T(T.rows() - 1, 0) = 0;
  }));
}

// In L itself: with a decay for each channel k k^T is no one product.
MakeFault missing_pair() {
  return [](const Problem& problem, Generator& draw) {
    const DrawnChunk place = draw_chunk(problem, draw, 2);
    const auto [i, j] = draw_pair(draw, place.tokens);
    Fault fault;
    fault.strictly_lower = [i = i, j = j](const MatrixF&, MatrixF& L) { entry(L, i, j) = 0; };
    return placed(place, std::move(fault));
  };
}

MakeFault state_in_bf16() {
  Fault fault;
  fault.next_state = [](const ChunkStep&, MatrixF& S) {
    S = S.unaryExpr([](float x) { return round_float(x, formats::bf16, PointMode::nearest_even); }).eval();
  };
  return always(std::move(fault));
}

MakeFault last_token_unwritten() {
  return always(at_factors(Product::state, [](MatrixF&, MatrixF& values) { values.bottomRows(1).setZero(); }));
}

MakeFault stale_state_element() {
  return [](const Problem& problem, Generator& draw) {
    const DrawnChunk place = draw_chunk(problem, draw, 1);
    const Index i = any_of(draw, problem.dims().K), j = any_of(draw, problem.dims().V);
    Fault fault;
    fault.next_state = [i, j](const ChunkStep& step, MatrixF& S) { entry(S, i, j) = step.in.state(i, j); };
    return placed(place, std::move(fault));
  };
}

MakeFault state_lost_before_chunk_1() {
  Fault fault;
  fault.chunk_inputs = [](TextInput<Bits>& in) { in.state.setZero(); };
  return always(in_chunk_1(std::move(fault)));
}

MakeFault no_state_read_in_chunk_1() {
  return always(in_chunk_1(at_product(Product::q_state, [](const ChunkStep&, MatrixF& read) { read.setZero(); })));
}

MakeFault scores_in_6_bits() {
  return always(before(Point::P, [](const ChunkStep&, MatrixF& P) {
    constexpr Format six{"six bits", 6, formats::f32.min_exponent, formats::f32.max_exponent};
    P = P.unaryExpr([&](float x) { return round_float(x, six, PointMode::nearest_even); }).eval();
  }));
}

MakeFault missing_diagonal_score() {
  return [](const Problem& problem, Generator& draw) {
    const DrawnChunk place = draw_chunk(problem, draw, 1);
    const Index i = any_of(draw, place.tokens);
    return placed(place, before(Point::P, [i](const ChunkStep&, MatrixF& P) { entry(P, i, i) = 0; }));
  };
}

MakeFault future_score() {
  return [](const Problem& problem, Generator& draw) {
    const DrawnChunk place = draw_chunk(problem, draw, 2);
    const auto [later, row] = draw_pair(draw, place.tokens);
    return placed(place, after(Point::P, [i = row, j = later](const ChunkStep& step, MatrixF& P) {
      const MatrixF G = log_decays(step);
      if (step[Product::scores].size() == 0 || G.cols() > 1) return;  // decays per channel are in the keys
      const float growth = step.bits.exp2(MatrixF::Constant(1, 1, G(i, 0) - G(j, 0)))(0, 0);
      const MatrixF score = MatrixF::Constant(1, 1, step[Product::scores](i, j) * growth);
      entry(P, i, j) = step.bits.round(score, Point::P)(0, 0);
    }));
  };
}

MakeFault key_channel_lost(Product product) {
  return [product](const Problem& problem, Generator& draw) {
    const Index c = any_of(draw, problem.dims().K);
    return at_factors(product, [product, c](MatrixF& a, MatrixF&) {
      if (product == Product::state) {
        a.row(c).setZero();  // the keys come transposed
      } else {
        a.col(c).setZero();
      }
    });
  };
}

MakeFault key_channel_lost_everywhere() {
  return [](const Problem& problem, Generator& draw) {
    const Index c = any_of(draw, problem.dims().K);
    Fault fault;
    fault.chunk_inputs = [c](TextInput<Bits>& in) {
      in.q.col(c).setZero();
      in.k.col(c).setZero();
    };
    return fault;
  };
}

}  // namespace deltaproof::faults
