// What the kernel forms of |k|^2 and |q|^2: the write coefficient of KLA, and rows of unit length.
#include <algorithm>
#include <cmath>
#include <utility>

#include "properties/defects/kernel_faults.hpp"
#include "properties/defects/tables.hpp"
#include "reference/arithmetic/float_rounding.hpp"

namespace deltaproof {
namespace {

using namespace faults;

/// A token's key as the kernel uses it, its query as handed in, and what else enters b.
struct Written {
  Eigen::RowVectorXd key, query;
  double eta = 0, eps = 0;
  double square() const { return key.squaredNorm(); }
};

// b = eta / (|k|^2 + eps) with another denominator: the eta from which the kernel forms that b.
MakeFault write_over(double (*denominator)(const Written&)) {
  return of_run([denominator](const Problem&, const Sequence&, std::int64_t, HeadInputs& run) {
    for (Index t = 0; t < run.tokens; ++t) {
      const Written token{key_as_used(run, t), run.q.row(t), run.write(t, 0), run.options.eps};
      run.write(t, 0) = token.eta * (token.square() + token.eps) / denominator(token);
    }
  });
}

double with_eps_in_root(const Written& x) { return std::pow(std::sqrt(x.square()) + x.eps, 2); }
// eta / d = eta / |k|^2 + eps
double with_eps_added(const Written& x) { return x.eta / (x.eta / x.square() + x.eps); }
double of_norm(const Written& x) { return std::sqrt(x.square()) + x.eps; }
double of_query(const Written& x) { return x.query.squaredNorm() + x.eps; }
double of_half(const Written& x) { return x.key.head(x.key.size() / 2).squaredNorm() + x.eps; }
double with_default_eps(const Written& x) { return x.square() + 1e-6; }
double in_fp16(const Written& x) { return round_to_nearest_even(formats::f16, x.square()) + x.eps; }

MakeFault unit_keys() {
  return of_run([](const Problem& problem, const Sequence&, std::int64_t, HeadInputs& run) {
    const Format& format = dtype_format(problem.find("k")->dtype);
    for (Index t = 0; t < run.tokens; ++t) {
      const double norm = run.k.row(t).norm();
      const auto unit = [&](double x) { return round_to_nearest_even(format, x / norm); };
      if (norm > 0) run.k.row(t) = run.k.row(t).unaryExpr(unit).eval();
    }
  });
}

// Rows that the kernel normalises, each times another factor of |x|^2, K and eps.
MakeFault rows_times(double (*factor)(double square, double K, double eps)) {
  return of_run([factor](const Problem&, const Sequence&, std::int64_t, HeadInputs& run) {
    L2Norm& norm = run.options.qk_l2norm;
    const auto normalise = [&](Matrix& rows) {
      for (Index t = 0; t < rows.rows(); ++t) {
        rows.row(t) *= factor(rows.row(t).squaredNorm(), static_cast<double>(rows.cols()), run.options.qk_l2norm_eps);
      }
    };
    if (norm == L2Norm::q || norm == L2Norm::both) normalise(run.q);
    if (norm == L2Norm::k || norm == L2Norm::both) normalise(run.k);
    norm = L2Norm::none;
  });
}

double over_norm_and_eps(double square, double, double eps) { return 1 / (std::sqrt(square) + eps); }
double over_larger(double square, double, double eps) { return 1 / std::max(std::sqrt(square), eps); }
double over_norm(double square, double, double) { return 1 / std::sqrt(square); }
double over_mean(double square, double K, double eps) { return 1 / std::sqrt(square / K + eps); }

MakeFault normalises_only(L2Norm norm) {
  return of_run([norm](const Problem&, const Sequence&, std::int64_t, HeadInputs& run) {
    run.options.qk_l2norm = run.options.qk_l2norm == L2Norm::both ? norm : L2Norm::none;
  });
}

}  // namespace

std::vector<Defect> norm_defects() {
  using enum Stage;
  constexpr Reach everywhere = Reach::everywhere;
  constexpr BugClass norm = BugClass::norms;
  constexpr Needs formed = Needs::formed_write, rows = Needs::normalised_k;
  return {
      {"kla_eps_in_root", norms, norm, "eps is added to |k|, which is then squared", "b = eta / (|k| + eps)^2",
       write_over(with_eps_in_root), everywhere, formed},
      {"kla_eps_added", norms, norm, "eps is added to the coefficient", "b = eta / |k|^2 + eps",
       write_over(with_eps_added), everywhere, formed},
      {"kla_eps_default", norms, norm, "the eps that was asked for is ignored", "b = eta / (|k|^2 + 1e-6)",
       write_over(with_default_eps), everywhere, formed},
      {"kla_norm", norms, norm, "the coefficient is over |k|, not its square", "b = eta / (|k| + eps)",
       write_over(of_norm), everywhere, formed},
      {"kla_of_q", norms, norm, "the coefficient is formed from the query", "b = eta / (|q|^2 + eps)",
       write_over(of_query), everywhere, formed},
      {"kla_half", norms, norm, "|k|^2 is summed over half of the channels", "sum over c < K/2", write_over(of_half),
       everywhere, formed},
      {"kla_k2_fp16", norms, BugClass::precision, "|k|^2 is rounded to fp16", "b = eta / (fp16(|k|^2) + eps)",
       write_over(in_fp16), everywhere, formed},
      {"kla_unit_keys", norms, norm, "keys are normalised where the rule wants them as they are", "k / |k|",
       unit_keys(), everywhere, formed},
      {"l2_eps_outside", norms, norm, "eps stands outside the root", "x / (|x| + eps)", rows_times(over_norm_and_eps),
       everywhere, rows},
      {"l2_max", norms, norm, "eps bounds the norm from below instead of being added", "x / max(|x|, eps)",
       rows_times(over_larger), everywhere, rows},
      {"l2_no_eps", norms, norm, "rows are normalised without eps", "x / |x|", rows_times(over_norm), everywhere,
       rows},
      {"l2_mean", norms, norm, "rows are divided by their root mean square", "x / sqrt(|x|^2 / K + eps)",
       rows_times(over_mean), everywhere, rows},
      {"l2_k_left", norms, norm, "keys are not normalised", "k for k / sqrt(|k|^2 + eps)", normalises_only(L2Norm::q),
       everywhere, Needs::normalised_k},
      {"l2_q_left", norms, norm, "queries are not normalised", "q for q / sqrt(|q|^2 + eps)",
       normalises_only(L2Norm::k), everywhere, Needs::normalised_q},
  };
}

}  // namespace deltaproof
