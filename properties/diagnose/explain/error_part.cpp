#include "properties/diagnose/explain/error_part.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

namespace deltaproof {
namespace {

// Of the square of an error, what has to be a term's: of n columns, a term that has nothing to do with it has 1/n by
// chance, and rounding leaves a few times 2^-8 of a wrong term.
constexpr double most_of_it = 0.9;

// What is larger than it should be is rounded more, in proportion: by how much, by columns, where `right` is off by `error`.
// Infinite where nothing should be there: what is allowed of zero says nothing of the roundings of something.
RowVector growth(const Matrix& right, const Matrix& error) {
  const RowVector size = right.cwiseAbs().colwise().maxCoeff(), off = error.cwiseAbs().colwise().maxCoeff();
  return (off.array() == 0).select(RowVector::Ones(off.size()), (1 + off.array() / size.array()).matrix());
}

// NaN where a column grows without limit and nothing is allowed: no comparison with it is true, so nothing is concluded there.
Matrix times_columns(const Matrix& allowed, const RowVector& grown) { return allowed * grown.asDiagonal(); }

}  // namespace

std::vector<ErrorPart> parts_of_token(const ChunkTerms& c, Index t) {
  const double score = c.scores(t);
  const Matrix removed = score * c.removed.row(t), o = c.o.row(t), before = c.from_before.row(t);
  return {{"its whole value", "read", o},
          {"what it reads of the state before the chunk", "carried read", before},
          {"what it reads of the chunk's own writes", "chunk read", o - before},
          {"its decay", "decay", c.decayed.row(t) - removed},
          {"its read of the decayed state", "state read", c.decayed.row(t)},
          {"its own write", "write", score * c.u.row(t)},
          {"what its residual takes from the value", "residual", removed},
          {"its value in its own write", "values", score * c.given.row(t)}};
}

std::vector<ErrorPart> parts_of_state(const ChunkTerms& c) {
  return {{"the whole state", "state", c.after},
          {"what is left of the state before the chunk", "carried state", c.carried},
          {"what the chunk writes", "writes", c.after - c.carried},
          {"the last token's write", "last write", c.k.row(c.tokens() - 1).transpose() * c.u.row(c.tokens() - 1)},
          {"the first token's write", "first write",
           c.k.row(0).cwiseProduct(c.to_end.row(0)).transpose() * c.u.row(0)}};
}

PartFit fit_part(const Matrix& error, const Matrix& part, const Matrix& allowed) {
  PartFit fit;
  const double square = part.squaredNorm(), energy = error.squaredNorm();
  if (!(square > 0) || !(energy > 0) || !std::isfinite(square) || !std::isfinite(energy) || error.size() < 2) return fit;
  fit.factor = error.cwiseProduct(part).sum() / square;
  const Matrix left = error - fit.factor * part;
  fit.explained = 1 - left.squaredNorm() / energy;
  fit.fits = fit.explained > most_of_it && (left.array().abs() <= (1 + std::abs(fit.factor)) * allowed.array()).all();
  return fit;
}

Index lone_write(const ChunkTerms& c, const Matrix& error, const Matrix& allowed) {
  Index best = -1;
  double most = 0;
  for (Index t = 0; t < c.tokens(); ++t) {
    const RowVector key = c.k.row(t).cwiseProduct(c.to_end.row(t));
    const double square = key.squaredNorm();
    if (!(square > 0)) continue;
    const RowVector w = key * error / square;
    const Matrix left = error - key.transpose() * w;
    if (!(left.array().abs() <= 2 * allowed.array()).all()) continue;
    const double explained = 1 - left.squaredNorm() / error.squaredNorm();
    if (explained > most) best = t, most = explained;
  }
  return most > most_of_it ? best : -1;
}

SameState same_state(const ChunkTerms& c, const Matrix& o_error, const Matrix& o_allowed, const Matrix& state_error) {
  const Index last = c.tokens() - 1;
  const Matrix read = c.q.row(last) * state_error;
  if (!o_error.allFinite() || !read.allFinite()) return SameState::unknown;
  const RowVector grown = growth(c.o.row(last), o_error).cwiseMax(growth(c.o.row(last), read));
  const Matrix allowed = times_columns(o_allowed, grown);
  if (((o_error - read).array().abs() > allowed.array()).any()) return SameState::no;
  return (read.array().abs() > allowed.array()).any() ? SameState::yes : SameState::unknown;
}

bool shows_in_state(const ChunkTerms& c, Index t, const Matrix& o_error, const Matrix& state_allowed) {
  if (c.scores(t) == 0 || !o_error.allFinite()) return false;
  Matrix error = c.k.row(t).transpose() * (o_error / c.scores(t));
  for (Index s = t + 1; s < c.tokens(); ++s) {
    error = c.alpha.row(s).transpose().asDiagonal() * error;
    const RowVector removed = c.removes(s) * (c.k.row(s) * error);
    error -= c.k.row(s).transpose() * removed;
  }
  return (error.array().abs() > state_allowed.array()).any();
}

SameWrites same_writes(const ChunkTerms& c, const Matrix& o_error, const Matrix& o_allowed, const Matrix& state_error,
                       const Matrix& state_allowed) {
  if (c.tokens() > c.k.cols()) return SameWrites::unknown;
  const Matrix keys = c.k.cwiseProduct(c.to_end).transpose();  // K x C: the state's share of each u
  const Eigen::CompleteOrthogonalDecomposition<Matrix> solve(keys);
  if (solve.rank() < c.tokens()) return SameWrites::unknown;
  const Matrix inverse = solve.pseudoInverse();
  const Matrix to_o = c.reads_of_writes() * inverse;  // C x K
  const Matrix left = (o_error - to_o * state_error).cwiseAbs();
  const RowVector grown = growth(c.o, o_error).cwiseMax(growth(c.after, state_error));
  const Matrix of_state = times_columns(state_allowed, grown);
  const Matrix allowed = times_columns(o_allowed, grown) + to_o.cwiseAbs() * of_state;
  const Matrix beside = (state_error - keys * (inverse * state_error)).cwiseAbs();
  const Matrix besides = of_state + (keys * inverse).cwiseAbs() * of_state;
  if ((left.array() > allowed.array()).any() || (beside.array() > besides.array()).any()) return SameWrites::no;
  // That they agree says nothing of errors that are less than what they might differ by: most of the error must be more.
  const Matrix told = (o_error.array().abs() > allowed.array()).select(o_error, 0);
  return told.squaredNorm() > most_of_it * o_error.squaredNorm() ? SameWrites::yes : SameWrites::unknown;
}

}  // namespace deltaproof
