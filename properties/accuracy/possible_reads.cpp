#include "properties/accuracy/possible_reads.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <utility>

#include "properties/accuracy/judge_units.hpp"
#include "properties/accuracy/read_parts.hpp"
#include "reference/oracle/hola_read.hpp"

namespace deltaproof {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

using Place = std::pair<std::int64_t, std::int64_t>;  // sequence, head

// The kernel's o of one head and the right one but for the read, tokens x V, and its bound.
struct Compared {
  Matrix rest, bound;
};

std::size_t most_possible(const SelectionJudgement& judgement) {
  std::size_t most = 0;
  for (const auto& sets : judgement.possible) most = std::max(most, sets.size());
  return most;
}

// o less what is expected of it without the read, for the heads that have a choice.
std::map<Place, Compared> compared_heads(const JudgeContext& context, const std::vector<Unit>& units,
                                         const AccuracyOptions& options, const CacheFindings& findings) {
  std::map<Place, Compared> heads;
  std::vector<Unit> chosen;
  for (const Unit& unit : units) {
    const auto found = findings.heads.find({unit.sequence->index, unit.head});  // none of an empty sequence
    if (found == findings.heads.end() || most_possible(found->second) < 2) continue;
    chosen.push_back(unit);
    const Matrix none = Matrix::Zero(unit.sequence->length, context.problem.dims().V);
    // Tokens of units that are not judged say nothing for one set or another.
    heads.try_emplace({unit.sequence->index, unit.head}, Compared{none, Matrix::Constant(none.rows(), none.cols(), infinity)});
  }
  std::mutex mutex;
  JudgeContext watched = context;
  watched.observe = [&](const ComparedBlock& block) {
    if (block.tensor != "o") return;
    const std::lock_guard lock(mutex);
    Compared& head = heads.at({block.sequence, block.head});
    const Sequence& sequence = context.problem.sequences()[static_cast<std::size_t>(block.sequence)];
    const Matrix read = context.reads->of(sequence, block.head)->value.middleRows(block.first_token, block.value->rows());
    head.rest.middleRows(block.first_token, read.rows()) = *block.value - *block.expected + read;
    head.bound.middleRows(block.first_token, read.rows()) = *block.bound + *block.radius;
  };
  if (!chosen.empty()) {
    judge_units(watched, chosen, options, row_hypotheses(context.problem, context.choice).front());
  }
  return heads;
}

// How far the reads of a block's queries are from what o has, in units of the bound.
double distance(const Compared& head, const Matrix& read, Index begin, Index count) {
  double largest = 0;
  for (Index t = begin; t < begin + count; ++t) {
    for (Index c = 0; c < read.cols(); ++c) {
      const double ratio = std::abs(head.rest(t, c) - read(t, c)) / head.bound(t, c);
      if (!(ratio <= largest)) largest = ratio;  // a NaN stays
    }
  }
  return largest;
}

bool take_nearest(const ReadPart& part, const Compared& head, SelectionJudgement& judgement) {
  const std::size_t choices = most_possible(judgement);
  std::vector<double> nearest(judgement.possible.size(), infinity);
  CacheSets taken = judgement.sets;
  for (std::size_t choice = 0; choice < choices; ++choice) {
    CacheSets sets = judgement.sets;
    for (std::size_t n = 0; n < sets.size(); ++n)
      if (choice < judgement.possible[n].size()) sets[n] = judgement.possible[n][choice];
    const Matrix read = cache_read_answer(part.head, sets).o;
    const Index block = part.head.options.hola.cache_block;
    for (std::size_t n = 0; n < sets.size(); ++n) {
      if (choice >= judgement.possible[n].size()) continue;
      const Index begin = static_cast<Index>(n) * block;
      const double found = distance(head, read, begin, std::min(block, part.head.tokens - begin));
      if (!(found < nearest[n])) continue;
      nearest[n] = found;
      taken[n] = sets[n];
    }
  }
  const bool changed = taken != judgement.sets;
  judgement.sets = std::move(taken);
  return changed;
}

}  // namespace

bool take_possible_sets(const JudgeContext& context, const std::vector<Unit>& units, const AccuracyOptions& options,
                        CacheFindings& findings) {
  bool changed = false;
  for (const auto& [place, head] : compared_heads(context, units, options, findings)) {
    const Sequence& sequence = context.problem.sequences()[static_cast<std::size_t>(place.first)];
    changed |= take_nearest(*context.reads->of(sequence, place.second), head, findings.heads.at(place));
  }
  return changed;
}

}  // namespace deltaproof
