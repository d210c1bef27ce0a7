#include <fmt/format.h>

#include <algorithm>

#include "properties/claims/hola_exponential.hpp"
#include "properties/claims/hola_figures.hpp"
#include "properties/claims/hola_parts.hpp"

namespace deltaproof::claims {
namespace {

std::string percent(const Range& weight) {
  return fmt::format("{} to {} %", decimal(100 * weight.low, 4), decimal(100 * weight.high, 4));
}

struct Share {
  int entries = 64;
  Figure logit;  ///< of the match, taken as printed
  Range others;  ///< what the source lets the other logits be
  Range stated;  ///< the weight, in percent
};

/// Holds if the weight is as stated whatever the others are, under a condition if it is where all of them are 0.
Check share_check(const Share& share) {
  return [share](const Effort&) {
    const Range own = exactly(share.logit.value);
    const Range possible = softmax_weight(share.entries, own, share.others),
                at_zero = softmax_weight(share.entries, own, exactly(0));
    const auto inside = [&](const Range& weight) {
      return share.stated.low <= 100 * weight.low && 100 * weight.high <= share.stated.high;
    };
    Result result;
    result.cases = 2;
    result.numbers = {
        {"others 0", percent(at_zero)},
        {"others from " + decimal(share.others.low, 2) + " to " + decimal(share.others.high, 2), percent(possible)}};
    result.finding = fmt::format(
        "{} entries, one logit of {}: with the others at 0 its weight is {}; with the others anywhere from {} to {}, "
        "{}.",
        share.entries, share.logit.text, percent(at_zero), decimal(share.others.low, 2), decimal(share.others.high, 2),
        percent(possible));
    if (inside(possible)) {
      result.outcome = Outcome::holds;
      return result;
    }
    result.outcome = inside(at_zero) ? Outcome::conditional : Outcome::refuted;
    if (result.outcome == Outcome::conditional) result.condition = "the other logits are 0";
    const Range highest = softmax_weight(share.entries, own, exactly(share.others.high));
    result.counterexample = Counterexample{{{"entries", std::to_string(share.entries)},
                                            {"logit of the match", share.logit.text},
                                            {"other logits", decimal(share.others.high, 2)}},
                                           fmt::format("its weight is {}", percent(highest))};
    return result;
  };
}

Claim share_of_zeros() {
  const Share stated{64, hola("logit_range"), exactly(0), hola("example_weight").range};
  Share more = stated, fewer = stated;
  more.stated = printed("3.6").range;
  fewer.entries = 32;
  return {"hola.softmax_example",
          {"hola", "Section 3.4", "6", Voice::derived},
          "of 64 entries, one with logit 0.83 and the others with 0, that one has a weight of about 3.5 %",
          "the others are 0",
          "interval arithmetic with 128 bits: the weight is enclosed, not rounded",
          share_check(stated),
          {{"it has 3.6 %", Outcome::refuted, share_check(more)},
           {"it has 3.5 % of 32 entries", Outcome::refuted, share_check(fewer)}}};
}

Claim share_of_range() {
  const Rational end = hola("logit_range").value;
  const Share stated{64, hola("logit_range"), {-end, end}, hola("example_weight").range};
  Share between = stated, most = stated;
  between.stated = {Rational(3, 2), Rational(31, 4)};
  most.stated = {4, 8};
  return {"hola.softmax_range",
          {"hola", "Section 3.4", "6", Voice::stated},
          "with logits within 0.83 of 0, the match has a weight of about 3.5 % among 64 entries",
          "",
          "interval arithmetic with 128 bits at both ends of the range; the weight falls in the other logits",
          share_check(stated),
          {{"it has between 1.5 and 7.75 %", Outcome::holds, share_check(between)},
           {"it has at least 4 %", Outcome::refuted, share_check(most)}}};
}

}  // namespace

std::vector<Claim> hola_share_claims() { return {share_of_zeros(), share_of_range()}; }

}  // namespace deltaproof::claims
