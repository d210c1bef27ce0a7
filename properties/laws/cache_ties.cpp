// All writes alike: every state is wiped (e^-1e4 is 0 in fp32), so e = v exactly; rows of k and v have the same squares
// in the same channels, |k| = |v| = 1; b is the same. Then every score is the same number, whatever the order of its
// sums, and the rule for ties decides alone: the first w tokens stay for ever.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "properties/laws/applies.hpp"
#include "properties/laws/cache.hpp"
#include "properties/laws/made.hpp"
#include "properties/laws/table.hpp"

namespace deltaproof::laws {
namespace {

std::string why_not(const Trial& trial) {
  if (std::string why = without_cache(trial.problem); !why.empty()) return why;
  return trial.problem.options().hola.score == CacheScore::recency ? "no two tokens are equally recent" : "";
}

// The row in every place, each element with a sign of its own.
Tensor with_signs(const Tensor& like, const std::vector<double>& row, Generator& draw) {
  std::vector<double> values(static_cast<std::size_t>(like.size()));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = row[i % row.size()] * (draw.integer(0, 1) == 0 ? -1 : 1);
  return Tensor::from(like.dtype, like.shape, values);
}

Problem equal_writes(const Problem& problem, Generator& draw) {
  Made made(problem);
  for (const auto& [name, width] : {std::pair{"k", problem.dims().K}, std::pair{"v", problem.dims().V}}) {
    Tensor& tensor = made.inputs.at(name);
    tensor = with_signs(tensor, unit_row(width, 4, draw), draw);
  }
  made.fill("g", -1e4);
  made.fill_writes([] { return 1.0; });
  made.fill_states([] { return 0.0; });
  return made.problem();
}

void expect_equal_scores(const CacheHead& head, Verdict& verdict) {
  Location where{.tensor = "scores", .sequence = head.sequence.index, .head = head.head};
  for (std::size_t t = 0; t < head.scores.size(); ++t) {
    ++verdict.compared;
    if (head.scores[t] == head.scores[0]) continue;
    where.token = static_cast<std::int64_t>(t);
    broken(verdict, where, fmt::format("writes alike have scores {} and {}", head.scores[0], head.scores[t]));
  }
}

void check(const Trial& trial, Verdict& verdict) {
  Generator draw = draws_of(trial, "cache_ties");
  const Problem problem = equal_writes(trial.problem, draw);
  const HolaOptions& hola = problem.options().hola;
  const std::optional<Outputs> outputs = cache_run(trial, problem, verdict);
  if (!outputs) return;
  for (const CacheHead& head : cache_heads(problem, *outputs)) {
    CacheSets first(head.rows.size());
    for (std::size_t n = 0; n < first.size(); ++n) {
      const std::int64_t before = static_cast<std::int64_t>(n) * hola.cache_block;
      first[n].resize(static_cast<std::size_t>(std::min(hola.cache_size, before)));
      std::iota(first[n].begin(), first[n].end(), Index{0});
    }
    expect_equal_scores(head, verdict);
    expect_sets(head, first, ascending(head.rows), hola.cache_block, "of equal scores the earlier token must stay",
                verdict);
  }
}

}  // namespace

const Property cache_ties{"cache_ties", "where all scores are equal the first w tokens stay before every block", &why_not,
                          &check};

}  // namespace deltaproof::laws
