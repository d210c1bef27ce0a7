#include "properties/accuracy/rows.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "reference/bounds/chunk_input.hpp"

namespace deltaproof {
namespace {

// Replaces rows by their normalised, rounded values and sets how far the kernel's may be from those.
void store_rows(Matrix& rows, Matrix& error, double eps, const Format& input) {
  const double relative = normalise_error(rows.cols());
  error = Matrix::Zero(rows.rows(), rows.cols());
  for (Index t = 0; t < rows.rows(); ++t) {
    const double length = std::sqrt(rows.row(t).squaredNorm() + eps);
    for (Index i = 0; i < rows.cols(); ++i) {
      const double exact = rows(t, i) / length;
      const double spread = relative * std::abs(exact);
      const double stored = round_to_nearest_even(input, exact);
      // Rounding is monotone: every value that the kernel can have in fp32 is rounded between these two.
      const double low = round_to_nearest_even(input, exact - spread);
      const double high = round_to_nearest_even(input, exact + spread);
      rows(t, i) = stored;
      error(t, i) = std::max(high - stored, stored - low);
    }
  }
}

}  // namespace

std::vector<Rows> row_hypotheses(const Problem& problem, const BoundChoice& choice) {
  const Options& options = problem.options();
  const bool forms_b = options.rule == Rule::kla || options.rule == Rule::longhorn_exact;
  // A kernel that forms b from |k|^2 may take the rows before or after they are stored.
  if (choice.kind != BoundChoice::Kind::chunk || options.qk_l2norm == L2Norm::none || forms_b) {
    return {Rows::as_given};
  }
  return {Rows::stored, Rows::in_fp32};
}

const char* describe(Rows rows) {
  switch (rows) {
    case Rows::as_given:
      return "";
    case Rows::stored:
      return "rows that the kernel normalises are taken as stored in the input's type";
    case Rows::in_fp32:
      return "rows that the kernel normalises are taken as kept in fp32";
  }
  return "";
}

HeadInputs with_rows(HeadInputs head, Rows rows, const Format& input) {
  head.normalised_in_fp32 = rows == Rows::in_fp32;
  if (rows != Rows::stored) return head;
  const L2Norm which = head.options.qk_l2norm;
  const double eps = head.options.qk_l2norm_eps;
  if (which == L2Norm::q || which == L2Norm::both) store_rows(head.q, head.q_error, eps, input);
  if (which == L2Norm::k || which == L2Norm::both) store_rows(head.k, head.k_error, eps, input);
  head.options.qk_l2norm = L2Norm::none;
  return head;
}

}  // namespace deltaproof
