#include "properties/accuracy/head_scores.hpp"

#include <algorithm>
#include <limits>

#include "properties/accuracy/over_units.hpp"
#include "properties/accuracy/pieces.hpp"
#include "reference/bounds/score_bound.hpp"
#include "reference/oracle/hola_scores.hpp"

namespace deltaproof {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Scores of the tokens of one unit.
struct UnitScores {
  Unit unit;
  Matrix exact, reference_radius, kernel_radius;  // tokens x 1
};
using AllScores = std::vector<UnitScores>;

// Tokens between the states of the answer: the kernel's own chunks, whatever a token recurrence has.
Index block_of_tokens(const JudgeContext& context) { return context.problem.options().chunk_size; }

// `head`: of rule hola, whole sequence. Normalising goes row by row, so the unit's rows are enough.
UnitScores scores_of(const JudgeContext& context, const Problem& problem, const Unit& unit, const HeadInputs& head,
                     Rows rows) {
  UnitScores scores{unit, Matrix::Zero(unit.length, 1), Matrix::Constant(unit.length, 1, infinity),
                    Matrix::Constant(unit.length, 1, infinity)};
  const Matrix state = state_before(context.problem, context.outputs, unit, head);
  // Weights that reads gave are known to none before the reads.
  if (problem.options().hola.score == CacheScore::attention) return scores;
  if (unit.length == 0 || !state.allFinite()) return scores;
  const Format& input = coarsest_input(context.problem);
  const HeadInputs cache = head.slice(unit.begin, unit.length, state);
  const HeadInputs run = with_rows(cache.state_part(), rows, input);
  const Index block = block_of_tokens(context);
  const CacheScore score = problem.options().hola.score;
  const HeadAnswer answer = answer_double(run, score_request({.every = block}, score));
  const bool exact_start = context.choice.kind == BoundChoice::Kind::fp64;
  const Matrix initial_error = exact_start ? Matrix() : initial_state_error(context.problem, unit, state);
  const HeadBound bound = head_bound(context.arithmetic, context.choice.kind, run, answer, block, input,
                                     initial_error, context.tensor_core, false,
                                     needed_for(score));
  const CacheScores exact = cache_scores(cache, answer);
  const Tensor* exported = context.outputs.find("scores");
  const Format& stored = exported == nullptr ? formats::f32 : dtype_format(exported->dtype);
  scores.exact = exact.score;
  scores.reference_radius = exact.radius;
  const bool of_e = score == CacheScore::e;
  scores.kernel_radius = score_bound(cache, of_e ? answer.e : answer.u, of_e ? answer.e_radius : answer.u_radius,
                                     bound.u.sum(unit.length, head.V), score_formats(context.arithmetic, stored), input);
  if (score == CacheScore::recency) scores.exact.array() += static_cast<double>(unit.begin);
  return scores;
}

void place(const UnitScores& from, const Sequence& sequence, HeadScores& to) {
  const auto length = static_cast<std::size_t>(sequence.length);
  to.exact.resize(length, 0);
  to.reference_radius.resize(length, infinity);
  to.kernel_radius.resize(length, infinity);
  const auto copy = [&](const Matrix& column, std::vector<double>& all) {
    std::copy_n(column.data(), column.size(), all.begin() + from.unit.begin);
  };
  copy(from.exact, to.exact);
  copy(from.reference_radius, to.reference_radius);
  copy(from.kernel_radius, to.kernel_radius);
}

}  // namespace

ScoresOfHeads scores_of_heads(const JudgeContext& context, const Problem& problem, const std::vector<Unit>& units,
                              const AccuracyOptions& options, Rows rows) {
  const auto head_of = [&](const Unit& unit) { return head_inputs(problem, *unit.sequence, unit.head); };
  const auto judge = [&](const Unit& unit, const HeadInputs& head) {
    return AllScores{scores_of(context, problem, unit, head, rows)};
  };
  const auto merge = [](AllScores& all, const AllScores& more) { all.insert(all.end(), more.begin(), more.end()); };
  const Format& ranked_in = context.choice.kind == BoundChoice::Kind::fp64 ? formats::f64 : formats::f32;
  ScoresOfHeads heads;
  for (const UnitScores& each : OverUnits<AllScores>(units, head_of, judge, merge).run(options.threads)) {
    HeadScores& head = heads[{each.unit.sequence->index, each.unit.head}];
    head.ranked_in = ranked_in;
    place(each, *each.unit.sequence, head);
  }
  return heads;
}

}  // namespace deltaproof
