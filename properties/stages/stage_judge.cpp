#include "properties/stages/stage_judge.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "properties/runs/ended.hpp"

namespace deltaproof {

void StageJudge::compare(const Tensor& output, const std::string& tensor, std::int64_t flat, double expected,
                         double bound, ZeroProbe* zeros) {
  if (!std::isfinite(bound) || !std::isfinite(expected)) {
    ++unproved_;
    return;
  }
  if (zeros != nullptr) zeros->add(expected, bound);
  const double value = output.value(flat);
  const double error = std::isfinite(value) ? std::abs(value - expected) : HUGE_VAL;
  const double ratio = error == 0 ? 0 : error / bound;
  const bool first = verdict_.compared++ == 0;
  if (!(error <= bound) && verdict_.violations++ == 0) {
    verdict_.has_first_bad = true;
    verdict_.first_bad = place_in_stage(problem_, tensor, flat);
  }
  if (!first && !(ratio > verdict_.worst_ratio)) return;
  verdict_.worst_ratio = ratio;
  verdict_.worst = place_in_stage(problem_, tensor, flat);
  verdict_.value = value, verdict_.expected = expected, verdict_.error = error, verdict_.bound_value = bound;
}

Verdict StageJudge::outcome() && {
  if (verdict_.violations > 0) {
    std::string why = fmt::format("{} of {} values are further from the right answer than the bound allows",
                                  verdict_.violations, verdict_.compared);
    return ended(std::move(verdict_), Status::failed, std::move(why));
  }
  if (unproved_ > 0) {
    std::string why =
        fmt::format("of {} values nothing is proved: they, or sums on the way to them, leave fp32", unproved_);
    return ended(std::move(verdict_), Status::uninformative, std::move(why));
  }
  if (verdict_.compared == 0) {
    return ended(std::move(verdict_), Status::uninformative, "there was nothing to compare");
  }
  if (accepts_zeros_) {
    return ended(std::move(verdict_), Status::uninformative, "the bound would also accept wrong answers: zeros");
  }
  return ended(std::move(verdict_), Status::passed, {});
}

}  // namespace deltaproof
