#include "properties/claims/kla_parts.hpp"
#include "properties/claims/kla_search.hpp"
#include "properties/claims/kla_step.hpp"

namespace deltaproof::claims {
namespace {

/// A write with coefficient eta of the step, and a key that is read besides.
struct Read {
  Step step;
  RationalVector other;
};

std::vector<Read> reads(const Effort& effort, const StepRanges& ranges) {
  std::vector<Read> all;
  RationalDraw draw(effort.seed + 1);
  for (Step& step : steps(effort, ranges)) {
    RationalVector other(step.k.size());
    const std::int64_t kind = draw.integer(0, 3);
    for (std::size_t i = 0; i < other.size(); ++i) {
      other[i] = kind == 0 ? step.k[i] : kind == 1 ? Rational(-step.k[i]) : Rational(draw.integer(-2, 2));
    }
    all.push_back({std::move(step), std::move(other)});
  }
  return all;
}

/// The other key without its part along k.
RationalVector orthogonal_part(const RationalVector& other, const RationalVector& k) {
  RationalVector result = other;
  const Rational share = dot(other, k) / squared_norm(k);
  for (std::size_t i = 0; i < result.size(); ++i) result[i] -= share * k[i];
  return result;
}

std::vector<Named> inputs(const Read& read) {
  std::vector<Named> all = inputs_of(read.step, "aSkvb");
  all.push_back({"k'", text(read.other)});
  return all;
}

using Change = std::function<Rational(const Read& read, const Rational& e)>;

Result interference(const Effort& effort, const Change& says) {
  return search(
      reads(effort, {.eta = {1, Rational(1, 2), 0}, .zero_keys = true}),
      [&](const Read& read) -> Fault {
        const Step& step = read.step;
        const RationalVector e = residual(step.before, step);
        const RationalVector change = transposed_times(written(step.before, step, step.eta), read.other) -
                                      transposed_times(step.before, read.other);
        for (std::size_t j = 0; j < e.size(); ++j) {
          if (change[j] == says(read, e[j])) continue;
          return fmt::format("the readout of k' changes by {}, not {}", text(change[j]), text(says(read, e[j])));
        }
        return std::nullopt;
      },
      inputs);
}

Claim formula() {
  return {"kla.interference",
          {"kla", "Section 3.2", "4-5", Voice::derived},
          "a write changes the readout of any other key k' by beta e (k . k')",
          "",
          "exact rational arithmetic: grid, edges and random; k' equal, opposite, orthogonal and "
          "random",
          bound(interference, Change([](const Read& read, const Rational& e) -> Rational {
                  return read.step.eta * e * dot(read.step.k, read.other);
                })),
          {{"it changes it by beta e |k'|^2", Outcome::refuted,
            bound(interference, Change([](const Read& read, const Rational& e) -> Rational {
                    return read.step.eta * e * squared_norm(read.other);
                  }))},
           {"it leaves other keys alone", Outcome::refuted,
            bound(interference, Change([](const Read&, const Rational&) -> Rational { return 0; }))}}};
}

enum class Since { decayed_state, state_before_decay };

/// The readout of a key orthogonal to k, after the write against before.
Result orthogonal_untouched(const Effort& effort, Since since, bool orthogonal) {
  std::vector<Read> all = reads(effort, {.decay = {1, Rational(1, 2)}, .eta = {1, Rational(1, 2)}});
  if (orthogonal) {
    for (Read& read : all) read.other = orthogonal_part(read.other, read.step.k);
  }
  return search(
      all,
      [&](const Read& read) -> Fault {
        const Step& step = read.step;
        const RationalMatrix from = since == Since::decayed_state ? base(step) : step.before;
        const RationalVector was = transposed_times(from, read.other);
        const RationalVector is = transposed_times(written(base(step), step, step.eta), read.other);
        if (was == is) return std::nullopt;
        return fmt::format("k' was read as {} and is read as {}", text(was), text(is));
      },
      inputs);
}

Claim orthogonal_keys() {
  return {"kla.orthogonal-keys",
          {"kla", "Section 3.2", "4-5", Voice::derived},
          "the write leaves the readout of keys orthogonal to k as it is",
          "counted from the decayed state",
          "exact rational arithmetic, k' made orthogonal to k; grid, edges and random",
          bound(orthogonal_untouched, Since::decayed_state, true),
          {{"the whole step, decay included, leaves it as it is", Outcome::refuted,
            bound(orthogonal_untouched, Since::state_before_decay, true)},
           {"the write leaves the readout of every other key as it is", Outcome::refuted,
            bound(orthogonal_untouched, Since::decayed_state, false)}}};
}

/// o = S^T q / |q| of a query scaled: q has a rational norm.
Result read_of_scaled_query(const Effort& effort, const std::vector<Rational>& scales, bool normalised) {
  std::vector<Read> all = reads(effort, {});
  std::int64_t p = 1;
  for (Read& read : all) {
    read.other.assign(read.other.size(), 0);
    if (read.other.size() == 1)
      read.other = {Rational(p % 5 + 1)};
    else
      read.other[0] = 3 * (p % 5 + 1), read.other[1] = 4 * (p % 5 + 1);
    ++p;
  }
  return search(
      all,
      [&](const Read& read) -> Fault {
        const Rational norm = read.other.size() == 1 ? read.other[0] : Rational(read.other[0] * 5 / 3);
        const RationalVector one = transposed_times(read.step.before, read.other);
        for (const Rational& scale : scales) {
          for (const Rational& value : one) {
            const Rational was = normalised ? Rational(value / norm) : value;
            const Rational is = normalised ? Rational(scale * value / (abs(scale) * norm)) : Rational(scale * value);
            if (was == is) continue;
            return fmt::format("q = k' times {} reads {}, not {}", text(scale), text(is), text(was));
          }
        }
        return std::nullopt;
      },
      [](const Read& read) {
        std::vector<Named> values = inputs_of(read.step, "S");
        values.push_back({"q", text(read.other)});
        return values;
      });
}

Claim query() {
  return {"kla.query-scale",
          {"kla", "Section 3.3, Algorithm 1", "5", Voice::derived},
          "the read o = S^T q/|q| does not depend on the size of the query",
          "q is not 0, the scale is positive",
          "exact rational arithmetic on queries of rational norm, scaled by 2, 1/1000 and 10^6",
          bound(read_of_scaled_query, std::vector<Rational>{2, Rational(1, 1000), 1000000}, true),
          {{"nor on its sign", Outcome::refuted, bound(read_of_scaled_query, std::vector<Rational>{2, -1}, true)},
           {"S^T q does not depend on it either", Outcome::refuted,
            bound(read_of_scaled_query, std::vector<Rational>{2}, false)}}};
}

}  // namespace

std::vector<Claim> kla_interference_claims() { return {formula(), orthogonal_keys(), query()}; }

}  // namespace deltaproof::claims
