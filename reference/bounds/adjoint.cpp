#include "reference/bounds/adjoint.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace deltaproof {
namespace {

// Errors born in one earlier chunk, and the propagators that carry them to the start of the current one.
struct Carried {
  Matrix propagator;  // K x K: F
  Matrix generator;   // K x rows: F G^T
  Matrix generator_error;
  Matrix state;
  double propagator_slack = 0;  // 2-norm of the error of `propagator`, which double products left in it
  double generator_slack = 0;   // likewise of `generator`

  // Per column: 2-norm of everything that is carried.
  RowVector norm() const {
    RowVector n = propagator.norm() * state.colwise().norm();
    if (generator.cols() > 0) n += generator.norm() * generator_error.colwise().norm();
    return n;
  }

  // Per column: what the slacks may add to any element that they multiply, for a row of 2-norm 1.
  RowVector slack() const {
    RowVector s = propagator_slack * state.colwise().norm();
    if (generator.cols() > 0) s += generator_slack * generator_error.colwise().norm();
    return s;
  }
};

// A propagator this small relative to where it started is replaced by its norm: its share of any bound is
// below the share of the roundings it carries, whatever its signs.
constexpr double negligible = 1e-6;

class Adjoint {
 public:
  Adjoint(Index K, Index V, const Matrix& initial_error) : K_(K), V_(V), ball_(RowVector::Zero(V)) {
    if (initial_error.size() == 0) return;
    carried_.push_back({Matrix::Identity(K, K), Matrix::Zero(K, 0), Matrix::Zero(0, V), initial_error});
  }

  // |S^ - S| at the start of the current chunk, given by all that is carried; 0 x 0 if nothing is.
  Matrix state_error() const {
    if (carried_.empty() && ball_.maxCoeff() == 0) return {};
    Matrix error = ball_.replicate(K_, 1);
    for (const Carried& c : carried_) {
      error += c.generator.cwiseAbs() * c.generator_error + c.propagator.cwiseAbs() * c.state;
      error.rowwise() += c.slack();
    }
    return error;
  }

  // What the state's error does to values read from it by `read`, which double has within `read_slack` in norm.
  Matrix read_error(const Matrix& read, double read_slack) const {
    Matrix error = (read.rowwise().norm().array() + read_slack).matrix() * ball_;
    for (const Carried& c : carried_) {
      error += (read * c.generator).cwiseAbs() * c.generator_error +
               (read * c.propagator).cwiseAbs() * c.state;
      const RowVector carried = c.norm();
      error += read.rowwise().norm() * (c.slack() + product_error(K_) * carried);
      error.rowwise() += read_slack * (carried + c.slack());
    }
    return error;
  }

  void advance(const LocalBound& local) {
    std::vector<Carried> next;
    const double frobenius = local.transition.norm();
    const double growth = std::min(local.transition_norm, frobenius);
    RowVector ball = growth * ball_;
    for (Carried& c : carried_) {
      const double rounding = product_error(K_) * frobenius + local.transition_slack;
      c.propagator_slack = growth * c.propagator_slack + rounding * c.propagator.norm();
      c.generator_slack = growth * c.generator_slack + rounding * c.generator.norm();
      c.propagator = local.transition * c.propagator;
      c.generator = local.transition * c.generator;
      if (c.propagator.norm() < negligible) {
        ball += c.norm() + c.slack();
      } else {
        next.push_back(std::move(c));
      }
    }
    ball_ = ball;
    carried_ = std::move(next);
    carried_.push_back({Matrix::Identity(K_, K_), local.generator.transpose(),
                        local.generator_error.sum(local.generator.rows(), V_),
                        local.state.sum(K_, V_)});
  }

 private:
  Index K_, V_;
  std::vector<Carried> carried_;
  RowVector ball_;  // per column: 2-norm of what is no longer carried apart
};

constexpr const char* carried_name = "carried from earlier chunks";

Terms unbounded(Index rows, Index columns) {
  Terms terms;
  terms.add("unbounded", Matrix::Constant(rows, columns, std::numeric_limits<double>::infinity()));
  return terms;
}

}  // namespace

RunBound adjoint_bound(Index chunks, Index K, Index V, const Matrix& initial_error,
                       const std::function<Index(Index)>& tokens_of, const ChunkBoundFunction& local,
                       bool apart) {
  Adjoint adjoint(K, V, initial_error);
  RunBound run;
  Matrix error = adjoint.state_error();  // at the start of chunk n
  for (Index n = 0; n < chunks; ++n) {
    if (!error.allFinite()) {
      run.o.push_back(unbounded(tokens_of(n), V));
      run.u.push_back(unbounded(tokens_of(n), V));
      run.state.push_back(unbounded(K, V));
      continue;
    }
    LocalBound bound = local(n, error);
    Terms o(apart);
    o.add_all(bound.o);
    if (error.size() != 0) o.add(carried_name, adjoint.read_error(bound.read, bound.read_slack));
    run.o.push_back(std::move(o));
    Terms u(apart);
    if (bound.read_u.rows() > 0) {
      u.add_all(bound.u);
      if (error.size() != 0) u.add(carried_name, adjoint.read_error(bound.read_u, bound.read_u_slack));
    }
    run.u.push_back(std::move(u));
    Terms state(apart);
    state.add_all(bound.state);
    state.add_mapped(bound.generator.cwiseAbs().transpose(), bound.generator_error);
    adjoint.advance(bound);
    Matrix after = adjoint.state_error();
    if (error.size() != 0) {
      // The whole error after this chunk, less what the chunk itself added.
      state.add(carried_name, (after - state.sum(K, V)).cwiseMax(0));
    }
    run.state.push_back(std::move(state));
    error = std::move(after);
  }
  return run;
}

}  // namespace deltaproof
