#include "properties/diagnose/measured.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace deltaproof {
namespace {

auto order_of(const MeasuredBlock& block) {
  const ComparedBlock& p = block.place;
  return std::tuple(p.sequence, p.head, p.first_token, p.is_state, p.tensor);
}

bool is_selection(const std::string& tensor) { return tensor == "scores" || tensor == "selected"; }

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

std::int64_t first_bad_row(const MeasuredBlock& block) {
  for (Index i = 0; i < block.value.rows(); ++i) {
    for (Index j = 0; j < block.value.cols(); ++j) {
      if (block.ratio(i, j) > 1) return i;
    }
  }
  return never;
}

// What fails first in one head of one sequence.
class HeadFailure {
 public:
  void add(const MeasuredBlock& block) {
    const std::int64_t row = first_bad_row(block);
    if (!block.place.is_state) {
      if (row != never) token_ = std::min(token_, block.place.first_token + row);
      return;
    }
    states_[block.place.first_token] |= row != never;
    if (row != never) state_ = std::min(state_, block.place.first_token);
  }
  bool fails() const { return std::min(token_, state_) != never; }
  std::int64_t chunk(std::int64_t size) const {
    const std::int64_t of_state = state_ == never ? never : std::max<std::int64_t>(state_ - 1, 0) / size;
    return std::min(token_ == never ? never : token_ / size, of_state);
  }
  FailureStage stage() const {
    if (state_ <= token_) return FailureStage::carry;
    const auto after = states_.upper_bound(token_);
    return after != states_.end() && after->second ? FailureStage::step : FailureStage::read;
  }

 private:
  std::int64_t token_ = never, state_ = never;  ///< of the first wrong `o`; tokens before the first wrong state
  std::map<std::int64_t, bool> states_;         ///< that were compared, and whether they are wrong
};

}  // namespace

double MeasuredBlock::ratio(Index i, Index j) const {
  if (!std::isfinite(allowed(i, j)) || !std::isfinite(expected(i, j))) return 0;  // nothing is known
  if (!std::isfinite(value(i, j))) return std::numeric_limits<double>::infinity();
  const double error = std::abs(value(i, j) - expected(i, j));
  return error == 0 ? 0 : error / allowed(i, j);
}

bool MeasuredBlock::is_bad() const {
  return first_bad_row(*this) != never;
}

MeasuredBlock measured_block(const ComparedBlock& block) {
  MeasuredBlock kept{block, *block.value, *block.expected, *block.bound + *block.radius};
  kept.place.value = kept.place.expected = kept.place.bound = kept.place.radius = kept.place.shifted = nullptr;
  return kept;
}

Measured measure(const Problem& problem, const Kernel& kernel, AccuracyOptions options) {
  Measured measured;
  options.observe = [&](const ComparedBlock& block) { measured.blocks.push_back(measured_block(block)); };
  measured.verdict = check_accuracy(problem, kernel, options);
  std::sort(measured.blocks.begin(), measured.blocks.end(),
            [](const MeasuredBlock& x, const MeasuredBlock& y) { return order_of(x) < order_of(y); });
  return measured;
}

const char* failure_stage_name(FailureStage stage) {
  switch (stage) {
    case FailureStage::none: return "none";
    case FailureStage::read: return "read";
    case FailureStage::carry: return "carry";
    case FailureStage::step: return "step";
    case FailureStage::selection: return "selection";
  }
  throw std::logic_error("unknown stage of a failure");
}

FailureStage failure_stage(const Measured& measured) {
  if (measured.verdict.has_first_bad && is_selection(measured.verdict.first_bad.tensor)) return FailureStage::selection;
  std::map<std::pair<std::int64_t, std::int64_t>, HeadFailure> heads;
  std::int64_t chunk_size = 1;
  for (const MeasuredBlock& block : measured.blocks) {
    chunk_size = block.place.chunk_size;
    heads[{block.place.sequence, block.place.head}].add(block);
  }
  const HeadFailure* first = nullptr;
  for (const auto& [place, head] : heads) {
    if (head.fails() && (first == nullptr || head.chunk(chunk_size) < first->chunk(chunk_size))) first = &head;
  }
  return first == nullptr ? FailureStage::none : first->stage();
}

}  // namespace deltaproof
