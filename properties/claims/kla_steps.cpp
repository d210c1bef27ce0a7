#include <algorithm>
#include <array>
#include <functional>

#include "properties/claims/kla_step.hpp"

namespace deltaproof::claims {
namespace {

struct Sized {
  std::size_t entries;
  Rational size;
  Step step;
};

bool is_zero(const RationalVector& x) { return squared_norm(x) == 0; }

/// Every matrix, key and value of a shape with entries of a few numbers.
void add_grid(std::vector<Step>& all, std::size_t dk, std::size_t dv, const RationalVector& numbers,
              const StepRanges& ranges, bool every_gate) {
  const std::size_t free = dk * dv + dk + dv;
  std::vector<std::size_t> digits(free, 0);
  std::size_t turn = 0;
  for (;;) {
    Step step{RationalMatrix(dk, dv), 1, RationalVector(dk), RationalVector(dv), 1, 0};
    for (std::size_t i = 0; i < dk * dv; ++i) step.before(i / dv, i % dv) = numbers[digits[i]];
    for (std::size_t i = 0; i < dk; ++i) step.k[i] = numbers[digits[dk * dv + i]];
    for (std::size_t i = 0; i < dv; ++i) step.v[i] = numbers[digits[dk * dv + dk + i]];
    if (ranges.zero_keys || !is_zero(step.k)) {
      std::size_t gate = 0;
      for (const Rational& decay : ranges.decay) {
        for (const Rational& eta : ranges.eta) {
          for (const Rational& eps : ranges.eps) {
            step.decay = decay, step.eta = eta, step.eps = eps;
            const std::size_t gates = ranges.decay.size() * ranges.eta.size() * ranges.eps.size();
            if (every_gate || gate++ == turn % gates) all.push_back(step);
          }
        }
      }
      ++turn;
    }
    std::size_t place = 0;
    while (place < free && ++digits[place] == numbers.size()) digits[place++] = 0;
    if (place == free) return;
  }
}

template <class Numbers>
Step drawn(RationalDraw& draw, const StepRanges& ranges, const Numbers& number) {
  const auto one_of = [&](const std::vector<Rational>& values) {
    return values[static_cast<std::size_t>(draw.integer(0, static_cast<std::int64_t>(values.size()) - 1))];
  };
  const auto dk = static_cast<std::size_t>(draw.integer(1, 4)), dv = static_cast<std::size_t>(draw.integer(1, 3));
  Step step{RationalMatrix(dk, dv), one_of(ranges.decay), RationalVector(dk),
            RationalVector(dv),     one_of(ranges.eta),   one_of(ranges.eps)};
  for (std::size_t i = 0; i < dk * dv; ++i) step.before(i / dv, i % dv) = number();
  for (Rational& each : step.k) each = number();
  for (Rational& each : step.v) each = number();
  if (is_zero(step.k) && !ranges.zero_keys) step.k[0] = 1;
  return step;
}

}  // namespace

std::vector<Step> steps(const Effort& effort, const StepRanges& ranges) {
  std::vector<Step> all;
  add_grid(all, 1, 1, {0, 1, -1, 2, Rational(1, 2)}, ranges, true);
  add_grid(all, 2, 1, {0, 1, -1}, ranges, false);
  add_grid(all, 1, 2, {0, 1, -1}, ranges, false);
  add_grid(all, 2, 2, {0, 1}, ranges, false);
  RationalDraw draw(effort.seed);
  using boost::multiprecision::cpp_int;
  const Rational huge{boost::multiprecision::pow(cpp_int(10), 30)};
  const std::array<Rational, 6> edges{0, 1, -1, huge, -huge, 1 / huge};
  for (int i = 0; i < 200; ++i) {
    all.push_back(drawn(draw, ranges, [&] { return edges[static_cast<std::size_t>(draw.integer(0, 5))]; }));
  }
  for (int i = 0; i < 200; ++i) all.push_back(drawn(draw, ranges, [&] { return draw.any(); }));

  std::vector<Sized> sized;
  for (Step& step : all) {
    const Rational size = complexity_of(step.before) + complexity_of(step.decay) + complexity_of(step.k) + complexity_of(step.v) +
                          complexity_of(step.eta) + complexity_of(step.eps);
    sized.push_back({step.k.size() * step.v.size(), size, std::move(step)});
  }
  std::stable_sort(sized.begin(), sized.end(), [](const Sized& a, const Sized& b) {
    return a.entries != b.entries ? a.entries < b.entries : a.size < b.size;
  });
  all.clear();
  for (Sized& each : sized) all.push_back(std::move(each.step));
  return all;
}

std::vector<Step> proof_grid() {
  std::vector<Step> all;
  for (int point = 0; point < 256; ++point) {
    const auto bit = [point](int place) { return Rational((point >> place) & 1); };
    const auto key = [point](int place) { return Rational(((point >> place) & 3) - 1); };
    Step step{RationalMatrix(2, 1), 1, {key(0), key(2)}, {bit(4)}, bit(5), 0};
    step.before(0, 0) = bit(6);
    step.before(1, 0) = bit(7);
    all.push_back(std::move(step));
  }
  return all;
}

}  // namespace deltaproof::claims
