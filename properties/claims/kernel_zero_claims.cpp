// What published tolerance rules say of a run of zeros.
#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <random>
#include <utility>

#include "properties/claims/kernel_claims.hpp"
#include "properties/claims/kernel_problems.hpp"
#include "properties/claims/rule_names.hpp"
#include "properties/claims/rule_values.hpp"

namespace deltaproof::claims {
namespace {

constexpr int draws = 2000;
constexpr std::int64_t channels = 128;  ///< K and V: sizes of models

// Cosine similarity, written as a rejection: of zeros it is 0/0, and no comparison with NaN is true.
bool similar(const JudgedValues& values) {
  double both = 0, run = 0, reference = 0;
  for (std::size_t i = 0; i < values.run.size(); ++i) {
    both += values.run[i] * values.reference[i];
    run += values.run[i] * values.run[i];
    reference += values.reference[i] * values.reference[i];
  }
  return !(both / std::sqrt(run * reference) < 0.99);
}

/// Zeros are accepted of small answers alone, or of any.
bool zeros_accepted_above(const Accepts& accept, double limit, std::uint64_t seed, std::int64_t& cases) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> fraction(-1, 1), exponent(0, 6);
  for (int i = 0; i < draws; ++i, ++cases) {
    std::vector<double> right(1 + static_cast<std::size_t>(engine() % 100));
    for (double& value : right) value = fraction(engine) * limit;
    right.front() = std::nextafter(limit, 16.0) * std::exp2(exponent(engine));
    if (accept(values_of(std::vector<double>(right.size(), 0.0), right))) return true;
  }
  return false;
}

bool accepts_zeros(const Accepts& accept, JudgedValues values) {
  values.run.assign(values.reference.size(), 0.0);
  return accept(values);
}

/// Drawn problems of every family: how many runs of zeros are accepted, and the first.
struct Families {
  int accepted = 0;
  std::string first;
};
Families zeros_on_families(const Accepts& accept, std::uint64_t seed) {
  Families found;
  for (const Regime& regime : regimes()) {
    ProblemSpec spec = row_of(64, std::string(regime.name), seed, false);
    spec.shape.K = spec.shape.V = channels;
    const Drawn on(spec);
    const bool all_zero = on.o.reference == std::vector<double>(on.o.reference.size(), 0.0);
    if (all_zero || !accepts_zeros(accept, on.o) || !accepts_zeros(accept, on.state)) continue;
    ++found.accepted;
    if (found.first.empty()) found.first = to_text(spec);
  }
  return found;
}

/// What else the limit of one value needs, for tensors of several; empty if nothing.
std::string about_tensors(const PublishedRuleInfo& info, double limit) {
  if (info.rule == PublishedRule::nmse_1e_7 || info.rule == PublishedRule::nmse_5e_4) {
    return " (2^-75: squares are floats, and that of no smaller value is above 0)";
  }
  if (info.rule != PublishedRule::rms && info.rule != PublishedRule::rms_loose) return {};
  // Zeros pass, too, if rms(r) / (rms(r) + 1e-8) is below the limit of the ratio; one value above `limit` among n has
  // rms(r) > limit / sqrt(n).
  const double ratio = info.rule == PublishedRule::rms ? 0.005 : 0.01;
  const double least = ratio * 1e-8 / (1 - ratio), tensor = limit / least;
  return fmt::format(", of a tensor of at most {:.4g} values (rms(r) is then above {:.4g}, below which the ratio passes)",
                     tensor * tensor, least);
}

Check zeros_check(const Accepts& accept, std::function<std::string(double limit)> more = {}) {
  return [accept, more = std::move(more)](const Effort& effort) {
    Result result;
    const double limit = largest_accepted([&](double r) { return accept(values_of({0}, {r})); });
    const Families families = zeros_on_families(accept, effort.seed);
    result.cases = static_cast<std::int64_t>(regimes().size());
    result.numbers = {{"families of inputs whose zeros are accepted", fmt::format("{} of {}", families.accepted, regimes().size())}};
    if (limit == 0) {
      const bool found = zeros_accepted_above(accept, 0x1p-100, effort.seed, result.cases) || families.accepted > 0;
      result.outcome = found ? Outcome::refuted : Outcome::holds;
      result.finding = "a run of zeros is off by the answer itself, and is rejected whatever its size";
      return result;
    }
    const bool always = limit == 8 || zeros_accepted_above(accept, limit, effort.seed, result.cases);
    result.outcome = always ? Outcome::refuted : Outcome::conditional;
    const double right = always ? 1 : limit;
    result.counterexample = shown(values_of({0}, {right}), "a run that is zero passes");
    if (!families.first.empty()) result.counterexample->inputs.push_back({"or zeros for o and final_state of", families.first});
    if (!always) result.condition = fmt::format("some value of each tensor's right answer is above {:.6g}{}", limit,
                                                more ? more(limit) : std::string());
    result.finding = always ? "zeros pass for answers of any size"
                            : fmt::format("zeros pass where no value of the right answer is above {:.6g}", limit);
    return result;
  };
}

Claim zeros_claim(const PublishedRuleInfo& info) {
  return {"kernels.zeros_" + id_of(info.rule), source_of(info),
          fmt::format("The rule rejects a run that is zero where the right answer is not. ({})", in_words(info)),
          "tolerances of bf16 inputs; the baseline is right",
          "the largest single value whose zero passes, by bisection; 2,000 random tensors with a larger value; zeros for "
          "both outputs of a drawn problem of 64 tokens of each family of inputs",
          zeros_check(published(info.rule), [info](double limit) { return about_tensors(info, limit); }),
          {{"cosine similarity, `not: cos < 0.99`, does", Outcome::refuted, zeros_check(similar)}}};
}

}  // namespace

std::vector<Claim> kernel_zero_claims() {
  std::vector<Claim> all;
  for (const PublishedRuleInfo& info : published_rules()) all.push_back(zeros_claim(info));
  return all;
}

}  // namespace deltaproof::claims
