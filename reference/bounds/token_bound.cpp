#include "reference/bounds/token_bound.hpp"

#include <algorithm>
#include <cmath>

#include "reference/oracle/certificate.hpp"
#include "reference/rules/steps.hpp"

namespace deltaproof {
namespace {

constexpr double smallest_normal = 0x1p-126;

// The reference trajectory of the run, with the sizes that a kernel's own trajectory can have.
struct Trajectory {
  std::vector<Matrix> state;  // C + 1: before token 0, after each token
  Matrix w;                   // C x V: b e
  Matrix state_spread;        // C + 1 x V: bounds |S^_t - S_t| in every element of a column
  Matrix w_spread;            // C x V
};

// Relative; a gate that is zero has none, what it may be instead is covered by the flush.
double gate_error(double g, const TokenRounding& r) {
  if (std::exp(g) == 0) return 0;
  return std::expm1(3.5 * r.u * std::abs(g) + std::log1p(r.exp_error));
}

// Largest relative gate error among gates that are not flushed; those are covered by the underflow term.
double largest_gate_error(const Matrix& g, const TokenRounding& r) {
  double largest = g.size() == 0 ? 0 : r.exp_error;
  for (Index i = 0; i < g.size(); ++i) {
    if (std::exp(g.data()[i]) >= smallest_normal) largest = std::max(largest, gate_error(g.data()[i], r));
  }
  return largest;
}

// Gates of each token as factors of the rows of S: 1 x 1 or 1 x K; 1 without decay.
RowVector gate_row(const Steps<double>& steps, Index t) {
  if (steps.alpha.empty()) return RowVector::Ones(1);
  const Index width = static_cast<Index>(steps.alpha.size()) / steps.tokens;
  return Eigen::Map<const RowVector>(steps.alpha.data() + t * width, width);
}

Matrix decayed(const Matrix& state, const RowVector& gate) {
  if (gate.size() == 1) return gate(0) * state;
  return gate.transpose().asDiagonal() * state;
}

Trajectory trajectory(const Steps<double>& steps, const ChunkInput& in, const RecurrenceRounding& model) {
  const Index C = steps.tokens;
  Trajectory path;
  path.state.push_back(in.state);
  path.w = Matrix::Zero(C, steps.V);
  NormTrace trace{Matrix(C, steps.V), Matrix(C, steps.V)};
  for (Index t = 0; t < C; ++t) {
    Matrix s = decayed(path.state.back(), gate_row(steps, t));
    RowVector e = in.v.row(t);
    if (in.residual) e -= in.k.row(t) * s;
    path.w.row(t) = in.b(t, 0) * e;
    s += in.k.row(t).transpose() * path.w.row(t);
    trace.state.row(t) = s.colwise().norm() * (1 + 0x1p-30);
    trace.w.row(t) = path.w.row(t).cwiseAbs() * (1 + 0x1p-30);
    path.state.push_back(std::move(s));
  }
  RecurrenceRounding rounding = model;
  rounding.underflow = smallest_normal;
  const RowVector initial_norm = in.state.colwise().norm() * (1 + 0x1p-30);
  RowVector initial_radius = RowVector::Zero(steps.V);
  if (in.state_error.size() != 0) initial_radius = in.state_error.colwise().norm() * (1 + 0x1p-30);
  const RecurrenceRadius radius =
      recurrence_radius(steps, trace, initial_norm, rounding, initial_radius);
  path.state_spread = Matrix(C + 1, steps.V);
  path.state_spread.row(0) = initial_radius;
  path.state_spread.bottomRows(C) = radius.state;
  path.w_spread = radius.u;
  return path;
}

class TokenAdjoint {
 public:
  TokenAdjoint(const HeadInputs& slice, const ChunkInput& in, const TokenRounding& rounding, bool apart,
               WrittenBound written)
      : in_(in), g_(slice.g), r_(rounding), written_(written), steps_(make_steps<double>(slice)),
        C_(steps_.tokens), K_(steps_.K), V_(steps_.V), a_token_(written == WrittenBound::none ? 1 : 2),
        rows_(a_token_ * C_ + K_), errors_(apart) {
    model_.u = r_.u;
    model_.exp_error = in.g_error == 0 ? largest_gate_error(g_, r_) : formed_gate_error();
    model_.b_error = in.b_error_with(in.normalise_error);
    model_.k_error = in.k_normalised ? in.normalise_error : 0;
    model_.q_error = in.q_normalised ? in.normalise_error : 0;
    path_ = trajectory(steps_, in, model_);
    // Rows of y: of each token what it writes, if asked for, and its output; then one for each row of the final state.
    // Those of token s on are the ones that an error at token s reaches.
    y_ = Matrix::Zero(rows_, K_);
    y_.bottomRows(K_).setIdentity();
  }

  LocalBound run() {
    for (Index s = C_ - 1; s >= 0; --s) {
      y_.row(output_row(s)) = in_.scale * in_.q.row(s);
      add_read(s);
      add_write(s);
      pull_back(s);
    }
    // a S of token 0: the rows of its output and of what it writes are among those.
    add("state rounding", 0, r_.u * (1 + model_.exp_error) * times_state(y_.cwiseAbs(), 0));
    return result();
  }

 private:
  // alpha = 1 - eta directly, or exp(log(1 - eta)) with both functions to 2 ulp.
  double formed_gate_error() const {
    double largest = 0;
    for (const double alpha : steps_.alpha) largest = std::max(largest, std::abs(std::log(alpha)));
    return std::expm1(std::log1p(r_.exp_error) + (4 + 3.5) * r_.u * largest + 2 * r_.u);
  }

  // |y| |S^_t| for the state after `count` tokens.
  Matrix times_state(const Matrix& y_size, Index count) const {
    return y_size * path_.state[static_cast<std::size_t>(count)].cwiseAbs() +
           y_size.rowwise().sum() * path_.state_spread.row(count);
  }

  Index first_row(Index s) const { return a_token_ * s; }
  Index output_row(Index s) const { return first_row(s) + a_token_ - 1; }

  void add(const char* name, Index first, const Matrix& rows) {
    Matrix all = Matrix::Zero(rows_, V_);
    all.bottomRows(rows_ - first) = rows;
    errors_.add(name, all);
  }

  // Dot of the read-out: K products and sums in any order, q scaled first or last. What underflows on the way is worth
  // smallest_normal each time: of q times the scale against the state's elements, of products and sums before or after
  // the scale.
  void add_read(Index s) {
    const double gamma = gamma_n(static_cast<double>(K_) + 3, r_.u);
    const double relative = gamma + model_.q_error * (1 + gamma);
    const Index row = output_row(s);
    Matrix all = Matrix::Zero(rows_, V_);
    all.row(row) = relative * times_state(y_.row(row).cwiseAbs(), s + 1);
    const double operations = 2 * (static_cast<double>(K_) + 1) * (1 + std::abs(in_.scale));
    all.row(row) += smallest_normal * (times_state(Matrix::Ones(1, K_), s + 1) + RowVector::Constant(V_, operations));
    errors_.add("read", all);
  }

  // Errors made at token s after its decay: of w along k, of k w and of the sum elementwise.
  void add_write(Index s) {
    const Index first = output_row(s);
    const auto y = y_.bottomRows(rows_ - first);
    const Matrix y_size = y.cwiseAbs();
    const RowVector w_size = path_.w.row(s).cwiseAbs() + path_.w_spread.row(s);
    const Matrix along_k = (y * in_.k.row(s).transpose()).cwiseAbs();
    const Matrix over_k = y_size * in_.k.row(s).cwiseAbs().transpose();
    add("write", first,
        along_k * write_error(s, w_size) + over_k * ((model_.k_error + r_.u * (1 + model_.k_error)) * w_size));
    // The sum S~ + k w is rounded here, and a S at the next token (pulled back to S_s).
    Matrix rounding = r_.u * (2 + model_.exp_error + 4 * r_.u) * times_state(y_size, s + 1);
    rounding += y_size.rowwise().sum() * RowVector::Constant(V_, 4 * smallest_normal);
    add("state rounding", first, rounding);
  }

  // What token s writes, b (v - k . S~^), or e: an error of the decayed state enters through -b k, its own are local.
  void start_written(Index s) {
    if (written_ == WrittenBound::none) return;
    const bool only_e = written_ == WrittenBound::residual;
    const double factor = only_e ? 1 : in_.b(s, 0);
    Matrix own = Matrix::Zero(rows_, V_);
    if (only_e) {
      own.row(first_row(s)) = residual_error(s, 1);
    } else {
      own.row(first_row(s)) = write_error(s, path_.w.row(s).cwiseAbs() + path_.w_spread.row(s));
    }
    errors_.add("write", own);
    if (in_.residual) y_.row(first_row(s)) = -factor * in_.k.row(s);
  }

  // |w^ - b (v - k . S~^)|: the sum may start from v, v - k_1 s_1 - .., so its roundings are charged to v too.
  RowVector write_error(Index s, const RowVector& w_size) const {
    if (!in_.residual && in_.b_error == 0) return RowVector::Zero(V_);
    const double theta = (model_.b_error + 2 * r_.u) / (1 - model_.b_error - 2 * r_.u);
    RowVector error = theta * w_size;
    if (in_.residual) error += residual_error(s, std::abs(in_.b(s, 0)));
    return error;
  }

  // The same without what b's own error does: |b| |e^ - (v - k . S~^)|, and what underflows.
  RowVector residual_error(Index s, double b) const {
    if (!in_.residual) return RowVector::Zero(V_);
    const double gamma = gamma_n(static_cast<double>(K_) + 2, r_.u);
    const double relative = model_.k_error + gamma * (1 + model_.k_error);
    const double growth = (1 + model_.exp_error) * (1 + r_.u);
    const RowVector gate = gate_row(steps_, s);
    Matrix key = in_.k.row(s).cwiseAbs() * growth;
    if (gate.size() == 1) key *= gate(0); else key = key.cwiseProduct(gate);
    RowVector error = b * (relative * times_state(key, s) + gamma * in_.v.row(s).cwiseAbs());
    error.array() += (b * (static_cast<double>(K_) + 2) + 1) * smallest_normal;
    return error;
  }

  // Through token s: y <- (M_s D_s)^T y; the gate's error acts along the decayed state itself.
  void pull_back(Index s) {
    if (in_.residual) {
      auto after = y_.bottomRows(rows_ - output_row(s));
      const Vector along = after * in_.k.row(s).transpose();
      after -= (in_.b(s, 0) * along) * in_.k.row(s);
    }
    start_written(s);
    if (steps_.alpha.empty()) return;
    auto y = y_.bottomRows(rows_ - first_row(s));
    const RowVector gate = gate_row(steps_, s);
    const Matrix flushed = y.cwiseAbs().rowwise().sum() *
                           (RowVector::Constant(V_, smallest_normal).cwiseProduct(
                               path_.state[static_cast<std::size_t>(s)].colwise().lpNorm<Eigen::Infinity>() +
                               path_.state_spread.row(s)));
    if (gate.size() == 1) {
      y *= gate(0);
      const double error = in_.g_error == 0 ? gate_error(g_(s, 0), r_) : model_.exp_error;
      const Matrix along_state = (y * path_.state[static_cast<std::size_t>(s)]).cwiseAbs() +
                                 y.rowwise().norm() * path_.state_spread.row(s);
      add("gates", first_row(s), error * along_state + flushed);
    } else {
      y = y * gate.transpose().asDiagonal();
      Matrix weighted = y.cwiseAbs();
      for (Index c = 0; c < K_; ++c) weighted.col(c) *= gate_error(g_(s, c), r_);
      add("gates", first_row(s), times_state(weighted, s) + flushed);
    }
  }

  LocalBound result() const {
    LocalBound bound;
    const auto outputs = Eigen::seqN(a_token_ - 1, C_, a_token_);
    bound.read = y_(outputs, Eigen::all);
    bound.transition = y_.bottomRows(K_);
    bound.transition_norm = in_.transition_norm;
    // C steps of y <- (M D)^T y, each of relative error K 2^-52 in norm, |M| at most the largest of the run.
    double grown = std::sqrt(static_cast<double>(K_));
    for (Index t = 0; t < C_; ++t) {
      if (in_.residual) grown *= std::max(1.0, std::abs(1 - in_.b(t, 0) * in_.k.row(t).squaredNorm()));
    }
    bound.transition_slack = static_cast<double>(C_) * product_error(4 * K_) * grown;
    bound.read_slack = bound.transition_slack * in_.q.rowwise().norm().maxCoeff() * std::abs(in_.scale);
    bound.o = Terms(errors_.apart());
    bound.state = Terms(errors_.apart());
    bound.generator = Matrix::Zero(0, K_);
    bound.generator_error = Terms(errors_.apart());
    for (const Terms::Term& term : errors_.list()) {
      bound.o.add(term.name, term.value(outputs, Eigen::all));
      bound.state.add(term.name, term.value.bottomRows(K_));
    }
    if (written_ != WrittenBound::none) set_written(bound);
    return bound;
  }

  void set_written(LocalBound& bound) const {
    const auto written = Eigen::seqN(0, C_, a_token_);
    bound.read_u = y_(written, Eigen::all);
    // Pulled back from -b k (or -k) as an output's row is from scale q.
    const Vector keys = in_.k.rowwise().norm();
    const double largest =
        written_ == WrittenBound::residual ? keys.maxCoeff() : keys.cwiseProduct(in_.b.cwiseAbs()).maxCoeff();
    bound.read_u_slack = bound.transition_slack * largest;
    bound.u = Terms(errors_.apart());
    for (const Terms::Term& term : errors_.list()) bound.u.add(term.name, term.value(written, Eigen::all));
  }

  const ChunkInput& in_;
  const Matrix& g_;
  TokenRounding r_;
  WrittenBound written_;
  Steps<double> steps_;
  Index C_, K_, V_;
  Index a_token_;  // rows of y a token
  Index rows_;     // of y
  Terms errors_;
  RecurrenceRounding model_;
  Trajectory path_;
  Matrix y_;
};

}  // namespace

LocalBound token_bound(const HeadInputs& slice, const ChunkInput& in, const TokenRounding& rounding,
                       bool apart, WrittenBound written) {
  return TokenAdjoint(slice, in, rounding, apart, written).run();
}

}  // namespace deltaproof
