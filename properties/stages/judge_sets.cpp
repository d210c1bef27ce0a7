#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "properties/runs/ended.hpp"
#include "properties/selection/exported.hpp"
#include "properties/stages/stage_head.hpp"
#include "properties/stages/stage_properties.hpp"

namespace deltaproof {
namespace {

/// A_n of one head of one sequence as the stage gives them.
struct GivenSets {
  CacheSets sets;
  std::optional<SelectionFault> fault;         ///< what makes a row no set at all
  std::optional<SelectionFault> out_of_order;  ///< where the places of a row are not in the order of the cache
};

std::optional<SelectionFault> fault_of(const std::vector<Index>& set, Index n, Index C, Index w) {
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (set[i] < 0 || set[i] >= n * C) {
      return SelectionFault{n, set[i], fmt::format("block {} is given token {}, which no earlier block has", n, set[i])};
    }
    if (i > 0 && set[i] == set[i - 1]) {
      return SelectionFault{n, set[i], fmt::format("block {} is given token {} twice", n, set[i])};
    }
  }
  const Index size = static_cast<Index>(set.size()), full = std::min(w, n * C);
  if (size == full) return {};
  return SelectionFault{n, -1, fmt::format("block {} is given {} tokens, not {}", n, size, full)};
}

// The stage writes a row in the order of the cache, empty places behind.
std::optional<SelectionFault> order_fault(std::span<const Index> row, std::span<const double> scores, Index n) {
  const auto stands_before = [&](Index a, Index b) {
    if (a < 0 || b < 0) return b < 0;
    return RanksBefore{}({scores[static_cast<std::size_t>(a)], a}, {scores[static_cast<std::size_t>(b)], b});
  };
  for (std::size_t i = 0; i + 1 < row.size(); ++i) {
    if (stands_before(row[i], row[i + 1])) continue;
    return SelectionFault{
        n, row[i + 1],
        fmt::format("block {} is given token {} behind token {}, which it ranks before", n, row[i + 1], row[i])};
  }
  return {};
}

GivenSets given_sets(const SelectInput& input, const StageSequence& sequence, std::int64_t head, const Tensor& selected,
                     std::span<const double> scores) {
  GivenSets given;
  for (Index n = 0; n < sequence.blocks; ++n) {
    const std::size_t first = set_place(input.shape, sequence, n, head, input.w);
    std::vector<Index> row, set;
    for (std::int64_t i = 0; i < input.w; ++i) {
      row.push_back(selected.integer(static_cast<std::int64_t>(first) + i));
      if (row.back() != -1) set.push_back(row.back());
    }
    std::sort(set.begin(), set.end());
    given.fault = fault_of(set, n, input.C, input.w);
    if (given.fault) return given;
    if (!given.out_of_order) given.out_of_order = order_fault(row, scores, n);
    given.sets.push_back(std::move(set));
  }
  return given;
}

std::vector<double> scores_of(const SelectInput& input, const StageSequence& sequence, std::int64_t head) {
  std::vector<double> scores;
  for (Index t = 0; t < sequence.length; ++t) {
    scores.push_back(double{input.scores[static_cast<std::size_t>((sequence.first + t) * input.shape.HV + head)]});
  }
  return scores;
}

}  // namespace

Verdict judge_sets(const StageProblem& problem, const Outputs& outputs, Verdict verdict) {
  const auto& input = std::get<SelectInput>(problem.input);
  verdict.bound = "exact";
  for (const StageSequence& sequence : sequences_of(problem)) {
    for (std::int64_t head = 0; head < input.shape.HV; ++head) {
      const std::vector<double> scores = scores_of(input, sequence, head);
      GivenSets given = given_sets(input, sequence, head, outputs.tensors.at("selected"), scores);
      verdict.compared += sequence.blocks * input.w;
      if (!given.fault) given.fault = not_exact_top_w(scores, given.sets, input.w, input.C);
      if (!given.fault) given.fault = given.out_of_order;
      if (!given.fault || verdict.violations++ > 0) continue;
      verdict.has_first_bad = true;
      verdict.first_bad = {
          .tensor = "selected", .sequence = sequence.index, .token = given.fault->block * input.C, .head = head};
      verdict.reason = fmt::format("sequence {}, head {}: {}", sequence.index, head, given.fault->what);
    }
  }
  verdict.status = verdict.violations > 0 ? Status::failed : Status::passed;
  if (verdict.compared == 0) return ended(std::move(verdict), Status::uninformative, "there was nothing to compare");
  return verdict;
}

}  // namespace deltaproof
