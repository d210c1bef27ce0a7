#include "reference/bounds/fp64_bound.hpp"

#include <cmath>
#include <limits>

#include "reference/oracle/certificate.hpp"
#include "reference/rules/steps.hpp"

namespace deltaproof {
namespace {

constexpr const char* term_name = "double recurrence";

// The oracle's certified radius holds for its own order of operations; eight times it covers the others that
// docs/bounds.md lists, an online softmax with any number of rescalings among them.
constexpr double other_orders = 8;

Terms one_term(const Matrix& value) {
  Terms terms;
  terms.add(term_name, value);
  return terms;
}

Matrix rows_of(const RowVector& radius, Index rows) { return radius.replicate(rows, 1); }

// Of U = b e; of e alone, which no such bound loses by dividing by b.
Matrix written_error(const Matrix& u_error, const Steps<double>& steps, WrittenBound written) {
  if (written == WrittenBound::written) return u_error;
  Matrix error = u_error;
  for (Index t = 0; t < error.rows(); ++t) error.row(t) /= std::abs(steps.b[static_cast<std::size_t>(t)]);
  const auto known = [](double x) { return std::isfinite(x) ? x : std::numeric_limits<double>::infinity(); };
  return error.unaryExpr(known);
}

HeadBound update_family_bound(const HeadInputs& run, const std::vector<Index>& boundaries, WrittenBound written) {
  const HeadAnswer answer = answer_double(run, {.every = 0, .trace = true, .u = false});
  const Steps<double> steps = make_steps<double>(run);
  const RowVector initial_norm = run.initial_state.colwise().norm() * (1 + 0x1p-40);
  // The kernel forms its coefficients in double as the oracle does.
  const RecurrenceRadius radius =
      recurrence_radius(steps, answer.trace, initial_norm, oracle_rounding(run, 53));
  HeadBound bound{one_term(radius.o), {}, {}};
  for (Index tokens : boundaries) {
    const RowVector column =
        tokens == 0 ? RowVector::Zero(run.V) : RowVector(radius.state.row(tokens - 1));
    bound.states.push_back(one_term(rows_of(column, run.K)));
  }
  if (written != WrittenBound::none) bound.u = one_term(written_error(radius.u, steps, written));
  return bound;
}

}  // namespace

HeadBound fp64_bound(const HeadInputs& run, const std::vector<Index>& boundaries, WrittenBound written) {
  const RuleInfo& rule = rule_info(run.options.rule);
  if (rule.system == System::update_family) return update_family_bound(run, boundaries, written);
  const Index every = boundaries.empty() ? 0 : boundaries.front();
  const HeadAnswer answer = answer_double(run, {.every = every, .trace = false, .u = false});
  HeadBound bound{one_term(other_orders * answer.o_radius), {}, {}};
  for (std::size_t n = 0; n < answer.states.size(); ++n) {
    bound.states.push_back(one_term(rows_of(other_orders * answer.state_radius[n], answer.states[n].rows())));
  }
  for (std::size_t n = 0; n < answer.slot_values.size(); ++n) {
    const Index rows = answer.slot_values[n].rows();
    bound.slot_values.push_back(one_term(rows_of(other_orders * answer.slot_values_radius[n], rows)));
  }
  return bound;
}

}  // namespace deltaproof
