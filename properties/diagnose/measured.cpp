#include "properties/diagnose/measured.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
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

}  // namespace

double MeasuredBlock::ratio(Index i, Index j) const {
  if (!std::isfinite(value(i, j))) return std::numeric_limits<double>::infinity();
  const double error = std::abs(value(i, j) - expected(i, j));
  return error == 0 ? 0 : error / allowed(i, j);
}

bool MeasuredBlock::is_bad() const {
  for (Index i = 0; i < value.rows(); ++i) {
    for (Index j = 0; j < value.cols(); ++j) {
      if (ratio(i, j) > 1) return true;
    }
  }
  return false;
}

Measured measure(const Problem& problem, const Kernel& kernel, AccuracyOptions options) {
  Measured measured;
  options.observe = [&](const ComparedBlock& block) {
    MeasuredBlock kept{block, *block.value, *block.expected, *block.bound + *block.radius};
    kept.place.value = kept.place.expected = kept.place.bound = kept.place.radius = kept.place.shifted = nullptr;
    measured.blocks.push_back(std::move(kept));
  };
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
  // Of the first chunk of a head with anything bad: a state comes at its end.
  const auto chunk_of = [](const ComparedBlock& p) {
    return p.is_state ? (p.first_token - 1) / p.chunk_size : p.first_token / p.chunk_size;
  };
  const MeasuredBlock* first = nullptr;
  for (const MeasuredBlock& block : measured.blocks) {
    if (!block.is_bad()) continue;
    if (first == nullptr || chunk_of(block.place) < chunk_of(first->place)) first = &block;
  }
  if (first == nullptr) return FailureStage::none;
  bool o = false, state = false;
  for (const MeasuredBlock& block : measured.blocks) {
    const ComparedBlock &p = block.place, &f = first->place;
    if (p.sequence != f.sequence || p.head != f.head || chunk_of(p) != chunk_of(f) || !block.is_bad()) continue;
    (p.is_state ? state : o) = true;
  }
  return !state ? FailureStage::read : o ? FailureStage::step : FailureStage::carry;
}

}  // namespace deltaproof
