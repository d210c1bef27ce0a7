#include <algorithm>
#include <cmath>

#include "reference/oracle/answer.hpp"
#include "reference/oracle/hola_answer.hpp"
#include "reference/oracle/outward.hpp"

namespace deltaproof {
namespace {

/// How far an answer is from what was asked for.
struct Shortfall {
  double ratio = 0;           ///< largest radius / target where a better answer in double can exist
  bool unreachable = false;   ///< some target is below the spacing of doubles at the answer
  bool not_a_double = false;  ///< the exact answer is beyond the range of double
};

void compare(double value, double spacing, double radius, double target, Shortfall& shortfall) {
  if (radius <= target) return;
  if (!(std::abs(value) <= std::numeric_limits<double>::max())) shortfall.not_a_double = true;
  const double reachable =
      0x1p-52 * spacing + 0x1p-1068;  // twice the rounding of the answer itself
  if (!(target >= reachable)) {
    shortfall.unreachable = true;
    return;
  }
  const double ratio = radius / target;
  shortfall.ratio = std::max(shortfall.ratio, ratio <= infinity ? ratio : infinity);
}

Shortfall shortfall_of(const HeadAnswer& answer, const AnswerTarget& target) {
  Shortfall shortfall;
  for (Index i = 0; i < target.o.size(); ++i) {
    const double value = answer.o.data()[i];
    if (answer.o_radius.data()[i] == infinity && sets_undecided(answer)) {
      shortfall.unreachable = true;  // scores may be equal: one attempt
      continue;
    }
    compare(value, std::abs(value), answer.o_radius.data()[i], target.o.data()[i], shortfall);
  }
  for (std::size_t n = 0; n < std::min(target.states.size(), answer.states.size()); ++n) {
    const Matrix& wish = target.states[n];
    if (wish.size() == 0) continue;
    const RowVector norms = column_norm_bounds(answer.states[n]);
    for (Index i = 0; i < wish.rows(); ++i)
      for (Index c = 0; c < wish.cols(); ++c)
        compare(answer.states[n](i, c), norms[c], answer.state_radius[n][c], wish(i, c), shortfall);
  }
  return shortfall;
}

constexpr int bits_for_a_wish = 256;  // the one attempt made for a target that cannot be met
constexpr int spare_bits = 10;
constexpr int max_attempts = 5;

int next_bits(const HeadAnswer& answer, const Shortfall& shortfall) {
  if (shortfall.ratio == infinity) return std::max(bits_for_a_wish, 4 * answer.bits);
  int bits = shortfall.unreachable ? bits_for_a_wish : 0;
  if (shortfall.ratio > 1)
    bits = std::max(
        bits, answer.bits + static_cast<int>(std::ceil(std::log2(shortfall.ratio))) + spare_bits);
  return bits;
}

}  // namespace

HeadAnswer answer_within(const HeadInputs& head, const AnswerRequest& request,
                         const AnswerTarget& target, int max_bits) {
  HeadAnswer answer = answer_double(head, request);
  for (int attempt = 0; attempt < max_attempts; ++attempt) {
    const Shortfall shortfall = shortfall_of(answer, target);
    // More bits change neither an answer that no double can hold nor one that is as near as a
    // double can be.
    if (answer.route != "double" && shortfall.not_a_double) break;
    const int bits = std::min(next_bits(answer, shortfall), max_bits);
    if (bits <= answer.bits) break;
    answer = answer_mpfr(head, request, bits);
  }
  return answer;
}

}  // namespace deltaproof
