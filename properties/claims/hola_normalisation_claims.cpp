#include "properties/claims/hola_normed.hpp"
#include "properties/claims/hola_parts.hpp"

namespace deltaproof::claims {
namespace {

using Statement = Universal<Normed>;
using Side = Quantity<Normed>;

Check check_of(const Statement& statement) {
  return [statement](const Effort& effort) { return decide(statement, normed_pairs(effort)); };
}

Side side(const std::string& name, const std::function<Rational(const Normed&)>& of) {
  return {name, [of](const Normed& normed) { return number(of(normed)); }};
}

Side times_dimension(const std::string& name, int power, const std::function<Rational(const Normed&)>& of) {
  return side(name, [=](const Normed& normed) -> Rational {
    return power > 0 ? of(normed) * dimension(normed) : power == 0 ? of(normed) : of(normed) / dimension(normed);
  });
}

Rational one(const Normed&) { return 1; }

Side rms_logit() {
  return side("logit^2, signed", [](const Normed& normed) { return logit(normed, normed.key); });
}

/// (q / |q|)^T (k / |k|) / sqrt(d), squared.
Side unit_logit() { return times_dimension("logit^2 of unit vectors", -1, cosine); }

const Premise<Normed> unscaled{"gamma = 1", plain};
const Premise<Normed> unscaled_without_eps{"eps = 0 and gamma = 1",
                                           [](const Normed& normed) { return normed.eps == 0 && plain(normed); }};

const char* const method =
    "exact rational arithmetic on squares: vectors of 1 and 2 channels smallest first, then 200 random ones of up to "
    "5; the argument in "
    "the finding is the proof. The zero vector is left out";

Claim norm() {
  const Side left = side("|RMSNorm(q)|^2", normed_square);
  const Statement stated{left, Relation::equal,      times_dimension("d", 1, one),
                         {},   unscaled_without_eps, "|x|^2 / (|x|^2 / d) = d."};
  Statement corrected = stated, bound = stated, any_scale = stated;
  corrected.premise = unscaled_without_eps;
  bound.premise = unscaled;
  bound.relation = any_scale.relation = Relation::at_most;
  corrected.condition = bound.condition = any_scale.condition = {};
  return {"hola.rmsnorm_norm",
          {"hola", "Section 3.4, Eq. (7)", "6", Voice::stated},
          "RMSNorm gives every vector the norm sqrt(d)",
          "a learned scale gamma near 1",
          method,
          check_of(stated),
          {{"it does with eps = 0 and gamma = 1", Outcome::holds, check_of(corrected)},
           {"with gamma = 1 the norm is at most sqrt(d), whatever eps", Outcome::holds, check_of(bound)},
           {"it is at most sqrt(d) with any learned gamma", Outcome::refuted, check_of(any_scale)}}};
}

Claim logit_scale() {
  const Statement stated{
      side("logit^2", [](const Normed& normed) -> Rational { return abs(logit(normed, normed.key)); }),
      Relation::equal,
      times_dimension("d cos^2", 1, cosine),
      {},
      unscaled_without_eps,
      "sqrt(d) sqrt(d) cos / sqrt(d)."};
  Statement corrected = stated, unit = stated;
  corrected.premise = unscaled_without_eps;
  corrected.condition = {};
  unit.right = times_dimension("cos^2 / d", -1, cosine);
  unit.condition = {};
  return {"hola.rms_logit",
          {"hola", "Section 3.4", "6", Voice::stated},
          "after RMSNorm the logit is sqrt(d) cos(theta)",
          "",
          method,
          check_of(stated),
          {{"it is with eps = 0 and gamma = 1", Outcome::holds, check_of(corrected)},
           {"it is cos(theta) / sqrt(d), as of unit vectors", Outcome::refuted, check_of(unit)}}};
}

Claim logit_bound() {
  const Statement stated{rms_logit(), Relation::at_most, times_dimension("d", 1, one),
                         {},          unscaled,          "Cauchy-Schwarz on two vectors of norm at most sqrt(d)."};
  Statement corrected = stated, smaller = stated;
  corrected.premise = unscaled;
  smaller.right = times_dimension("1", 0, one);
  smaller.premise = unscaled;
  corrected.condition = smaller.condition = {};
  return {"hola.rms_logit_bound",
          {"hola", "Section 3.4", "6", Voice::reading},
          "after RMSNorm with its learned scales a logit is at most sqrt(d)",
          "",
          method,
          check_of(stated),
          {{"it is with gamma = 1, whatever eps", Outcome::holds, check_of(corrected)},
           {"it is at most 1 with gamma = 1", Outcome::refuted, check_of(smaller)}}};
}

Claim unit_bound() {
  const Statement stated{
      unit_logit(), Relation::at_most, times_dimension("1 / d", -1, one), {}, {}, "Cauchy-Schwarz: cos^2 <= 1."};
  Statement smaller = stated;
  smaller.right =
      side("1 / d^2", [](const Normed& normed) -> Rational { return 1 / (dimension(normed) * dimension(normed)); });
  return {"hola.unit_logit_bound",
          {"hola", "Section 3.4", "6", Voice::derived},
          "the logit of a unit query and a unit key, over sqrt(d), is at most 1 / sqrt(d)",
          "",
          method,
          check_of(stated),
          {{"it is at most 1 / d", Outcome::refuted, check_of(smaller)}}};
}

Claim matching() {
  const Statement stated{
      side("signed square of the logit of k", [](const Normed& normed) { return logit(normed, normed.key); }),
      Relation::at_most,
      side("that of the key that equals q", [](const Normed& normed) { return logit(normed, normed.query); }),
      {},
      unscaled_without_eps,
      "All keys have one norm then, and the angle decides."};
  Statement corrected = stated, no_eps = stated;
  corrected.premise = unscaled_without_eps;
  no_eps.premise = {"eps = 0", [](const Normed& normed) { return normed.eps == 0; }};
  corrected.condition = no_eps.condition = {};
  return {"hola.matching_key",
          {"hola", "Section 3.4", "6", Voice::reading},
          "with the sharpened read the matching key, equal to the query, has the largest weight",
          "",
          method,
          check_of(stated),
          {{"it has with eps = 0 and gamma = 1", Outcome::holds, check_of(corrected)},
           {"it has with eps = 0 and any learned gamma", Outcome::refuted, check_of(no_eps)}}};
}

}  // namespace

std::vector<Claim> hola_normalisation_claims() {
  return {norm(), logit_scale(), logit_bound(), unit_bound(), matching()};
}

}  // namespace deltaproof::claims
