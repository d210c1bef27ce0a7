#include "fuzz/targets/selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "fuzz/host.hpp"
#include "fuzz/number_reader.hpp"
#include "kernels/kernel.hpp"
#include "properties/selection/judge_selection.hpp"
#include "reference/problem/input_error.hpp"

namespace deltaproof::fuzz {
namespace {

struct SelectionInput {
  SelectInput kernel;
  std::uint32_t wrong = 0;  ///< which wrong set the judgement is shown
};

SelectionInput read_input(Bytes bytes) {
  ByteReader reader(bytes);
  SelectionInput input;
  reader.set_tail_seed(reader.raw<std::uint16_t>());
  input.wrong = reader.raw<std::uint16_t>();
  SelectInput& s = input.kernel;
  s.w = reader.from_to(0, 12);
  s.C = reader.from_to(1, 9);
  s.shape.HV = reader.from_to(1, 2);
  s.shape.T = reader.from_to(0, 40);
  const Mix mix = read_mix(reader);
  const bool as_norms = reader.byte() % 8 != 0;  // scores are lengths, mostly
  for (std::int64_t i = 0; i < s.shape.T * s.shape.HV; ++i) {
    const float score = read_float(reader, mix);
    s.scores.push_back(as_norms ? (std::isnan(score) ? 1.0f : std::abs(score)) : score);
  }
  return input;
}

std::vector<double> scores_of(const SelectInput& input, std::int64_t head) {
  std::vector<double> scores;
  for (std::int64_t t = 0; t < input.shape.T; ++t) {
    scores.push_back(double{input.scores[static_cast<std::size_t>(t * input.shape.HV + head)]});
  }
  return scores;
}

/// By definition: a token's place is the number of earlier-or-better ones. -1: no place within w. Quadratic.
std::vector<Index> ranked(const std::vector<double>& scores, Index tokens, Index w) {
  std::vector<Index> kept(static_cast<std::size_t>(w), -1);
  const auto score = [&](Index t) { return scores[static_cast<std::size_t>(t)]; };
  for (Index t = 0; t < tokens; ++t) {
    Index before = 0;
    for (Index s = 0; s < tokens; ++s) before += score(s) > score(t) || (score(s) == score(t) && s < t) ? 1 : 0;
    if (before < w) kept[static_cast<std::size_t>(before)] = t;
  }
  return kept;
}

bool any_nan(const std::vector<double>& scores) {
  return std::any_of(scores.begin(), scores.end(), [](double x) { return std::isnan(x); });
}

/// A_n of every block, in the order of the cache.
std::vector<std::vector<Index>> right_rows(const std::vector<double>& scores, const SelectInput& input) {
  std::vector<std::vector<Index>> rows;
  for (Index n = 0; n * input.C < input.shape.T; ++n) rows.push_back(ranked(scores, n * input.C, input.w));
  return rows;
}

CacheSets sets_of(std::vector<std::vector<Index>> rows) {
  for (auto& row : rows) {
    std::erase(row, -1);
    std::sort(row.begin(), row.end());
  }
  return rows;
}

void check_kernel(const SelectInput& input, const SelectionFunctions& functions) {
  const bool refused_by_right = std::any_of(input.scores.begin(), input.scores.end(), [](float x) { return !(x >= 0); });
  std::vector<std::int32_t> selected;
  try {
    selected = functions.select ? functions.select(input) : stage_select(*host(Schedule::random), input);
  } catch (const KernelError& error) {
    if (refused_by_right) return;
    throw Finding(std::string("kernel select refuses right scores: ") + error.what());
  }
  if (refused_by_right && input.shape.T > 0) throw Finding("kernel select takes a score that is NaN or negative");
  std::size_t at = 0;
  const std::int64_t blocks = input.shape.blocks(input.C);
  std::vector<std::vector<std::vector<Index>>> right;
  for (std::int64_t head = 0; head < input.shape.HV; ++head) right.push_back(right_rows(scores_of(input, head), input));
  for (std::int64_t n = 0; n < blocks; ++n) {
    for (std::int64_t head = 0; head < input.shape.HV; ++head) {
      for (const Index token : right[static_cast<std::size_t>(head)][static_cast<std::size_t>(n)]) {
        if (selected.at(at) != token) {
          throw Finding(fmt::format("kernel select gives block {} of head {} token {} where {} is right", n, head,
                                    selected[at], token));
        }
        ++at;
      }
    }
  }
}

void check_reference(const std::vector<double>& scores, const SelectInput& input, const SelectionFunctions& functions) {
  for (const auto& [name, sets] : {std::pair{"online", &functions.online}, std::pair{"blockwise", &functions.blockwise}}) {
    std::optional<CacheSets> made;
    try {
      made = (*sets)(scores, input.w, input.C);
    } catch (const InputError&) {
      if (!any_nan(scores)) throw Finding(std::string(name) + " sets refuse right scores");
    }
    if (!made) continue;
    if (any_nan(scores)) throw Finding(std::string(name) + " sets take a score that is NaN");
    if (*made != sets_of(right_rows(scores, input))) throw Finding(std::string(name) + " sets are not the top-w");
  }
}

SelectionEvidence evidence_of(const std::vector<double>& scores, const SelectInput& input, const CacheSets& sets) {
  SelectionEvidence evidence;
  evidence.w = input.w, evidence.block = input.C;
  evidence.exact = scores;
  evidence.reference_radius.assign(scores.size(), 0);
  evidence.kernel_radius.assign(scores.size(), 0);
  evidence.sets = &sets;
  return evidence;
}

void require(bool expected_to_pass, const SelectionEvidence& evidence, const char* what) {
  const SelectionJudgement judged = judge_selection(evidence);
  if ((judged.status == SelectionStatus::passed) == expected_to_pass) return;
  throw Finding(fmt::format("{} {}: {}", expected_to_pass ? "refused:" : "accepted:", what,
                            judged.fault ? judged.fault->what : judged.why));
}

/// One token of one block put in the place of another of another score; nothing if there is none such.
std::optional<CacheSets> with_wrong_token(CacheSets sets, const std::vector<double>& scores, Index block, std::uint32_t which) {
  const std::size_t n = sets.empty() ? 0 : which % sets.size();
  if (sets.empty() || sets[n].empty()) return std::nullopt;
  Index& kept = sets[n][which / sets.size() % sets[n].size()];
  for (Index t = 0; t < static_cast<Index>(n) * block; ++t) {
    const bool held = std::find(sets[n].begin(), sets[n].end(), t) != sets[n].end();
    if (held || scores[static_cast<std::size_t>(t)] == scores[static_cast<std::size_t>(kept)]) continue;
    kept = t;
    std::sort(sets[n].begin(), sets[n].end());
    return sets;
  }
  return std::nullopt;
}

void check_judgement(const std::vector<double>& scores, const SelectInput& input, std::uint32_t wrong) {
  if (any_nan(scores)) return;
  const CacheSets right = sets_of(right_rows(scores, input));
  SelectionEvidence evidence = evidence_of(scores, input, right);
  require(true, evidence, "the right sets, without scores");
  evidence.scores = &scores;
  require(true, evidence, "the right sets, with scores");
  const auto changed = with_wrong_token(right, scores, input.C, wrong);
  if (!changed) return;
  evidence = evidence_of(scores, input, *changed);
  require(false, evidence, "a wrong set, without scores");
  evidence.scores = &scores;
  require(false, evidence, "a wrong set, with scores");
}

}  // namespace

void check_selection(Bytes bytes, const SelectionFunctions& functions) {
  const SelectionInput input = read_input(bytes);
  check_kernel(input.kernel, functions);
  for (std::int64_t head = 0; head < input.kernel.shape.HV; ++head) {
    const std::vector<double> scores = scores_of(input.kernel, head);
    check_reference(scores, input.kernel, functions);
    check_judgement(scores, input.kernel, input.wrong);
  }
}

}  // namespace deltaproof::fuzz
