#include "properties/claims/kla_figure_checks.hpp"
#include "properties/claims/kla_parts.hpp"
#include "properties/claims/kla_search.hpp"

namespace deltaproof::claims {
namespace {

using Text = std::string;
using Row = std::vector<Text>;

Source table_5() { return {"kla", "Section 5.5, Table 5", "9"}; }

Row expansions(const Text& metric) {
  Row row;
  for (const char* factor : {"2", "4", "8", "16"})
    row.push_back(Text("ablation.expand").append(factor).append(".").append(metric));
  return row;
}

Row of(const Text& metric, const Row& variants) {
  Row row;
  for (const Text& variant : variants) row.push_back(Text("ablation.").append(variant).append(".").append(metric));
  return row;
}

Claim perplexity_by_capacity() {
  const Row rising = expansions("ppl");
  return {"kla.capacity-perplexity",
          reading(table_5()),
          "perplexity falls steadily as the value state grows (v_expand 2, 4, 8, 16)",
          "",
          figure_method,
          bound(ascending, Row(rising.rbegin(), rising.rend())),
          {{"it rises from v_expand 2 to 8", Outcome::holds, bound(ascending, Row(rising.begin(), rising.end() - 1))},
           {"it falls from 8 to 16", Outcome::holds, bound(ascending, Row{rising[3], rising[2]})},
           {"it rises steadily to 16", Outcome::refuted, bound(ascending, rising)}}};
}

Claim accuracy_by_capacity() {
  const Row rising = expansions("long");
  return {"kla.capacity-accuracy",
          reading(table_5()),
          "MQAR accuracy at 8 times the length rises steadily with v_expand",
          "",
          figure_method,
          bound(ascending, rising),
          {{"it rises from v_expand 2 to 8", Outcome::holds, bound(ascending, Row(rising.begin(), rising.end() - 1))},
           {"v_expand 4, 8 and 16 are all above the default", Outcome::holds,
            bound(first_is_best,
                  std::vector<Row>{{rising[1], "ablation.default.long"},
                                   {rising[2], "ablation.default.long"},
                                   {rising[3], "ablation.default.long"}},
                  Better::higher)},
           {"v_expand 2 is above the default", Outcome::refuted,
            bound(first_is_best, std::vector<Row>{{rising[0], "ablation.default.long"}}, Better::higher)}}};
}

Claim best_in_all() {
  const Row all{"default", "none", "key", "scalar", "single", "gdn", "gla"};
  const Row with_perplexity{"default", "key", "scalar", "single", "gdn", "gla"};
  return {"kla.ablation-best",
          reading(table_5()),
          "KLA as it is is best in every metric of the normalisation and gate ablations",
          "",
          figure_method,
          bound(
              [](const Effort& effort, const Row& test, const Row& longer, const Row& perplexity) {
                for (const auto& [row, better] : {std::pair(perplexity, Better::lower),
                                                  std::pair(longer, Better::higher), std::pair(test, Better::higher)}) {
                  const Result found = first_is_best(effort, {row}, better);
                  if (found.outcome != Outcome::holds) return found;
                }
                return first_is_best(effort, {test}, Better::higher);
              },
              of("test", all), of("long", all), of("ppl", with_perplexity)),
          {{"its perplexity is the lowest of all", Outcome::refuted,
            bound(first_is_best, std::vector<Row>{of("ppl", with_perplexity)}, Better::lower)},
           {"its perplexity is below those of the other normalisations and of a single gate", Outcome::holds,
            bound(first_is_best, std::vector<Row>{of("ppl", {"default", "key", "scalar", "single"})}, Better::lower)},
           {"GLA's perplexity is the lowest of all", Outcome::holds,
            bound(first_is_best, std::vector<Row>{of("ppl", {"gla", "default", "key", "scalar", "single", "gdn"})},
                  Better::lower)}}};
}

Claim key_only_accuracy() {
  return {"kla.key-norm-accuracy",
          derived(table_5()),
          "with the key norm alone (no gate) MQAR accuracy at 8 times the length is 3.84 points above "
          "the default",
          "",
          figure_method,
          bound(difference_is, Text("ablation.key.long"), Text("ablation.default.long"), Text("3.84")),
          {{"it is 3.84 points below", Outcome::refuted,
            bound(difference_is, Text("ablation.key.long"), Text("ablation.default.long"), Text("-3.84"))}}};
}

Claim key_only_perplexity() {
  return {"kla.key-norm-perplexity",
          derived(table_5()),
          "with the key norm alone perplexity is 5.06 times that of the default",
          "",
          figure_method,
          bound(ratio_is, Text("ablation.key.ppl"), Text("ablation.default.ppl"), Text("5.06")),
          {{"it is 1.06 times that", Outcome::refuted,
            bound(ratio_is, Text("ablation.key.ppl"), Text("ablation.default.ppl"), Text("1.06"))}}};
}

Claim scalar_perplexity() {
  return {"kla.scalar-perplexity",
          derived(table_5()),
          "with a learned scalar perplexity is 30.48 times that of the default",
          "",
          figure_method,
          bound(ratio_is, Text("ablation.scalar.ppl"), Text("ablation.default.ppl"), Text("30.48")),
          {{"it is 3.05 times that", Outcome::refuted,
            bound(ratio_is, Text("ablation.scalar.ppl"), Text("ablation.default.ppl"), Text("3.05"))}}};
}

Claim gdn_perplexity() {
  return {"kla.ablation-gdn-perplexity",
          derived(table_5()),
          "GDN's short-budget perplexity is 6.41 below that of KLA as it is",
          "",
          figure_method,
          bound(difference_is, Text("ablation.default.ppl"), Text("ablation.gdn.ppl"), Text("6.41")),
          {{"it is 0.41 below", Outcome::refuted,
            bound(difference_is, Text("ablation.default.ppl"), Text("ablation.gdn.ppl"), Text("0.41"))}}};
}

Claim repeated_figures() {
  return {"kla.tables-agree",
          {"kla", "Tables 4 and 5", "8-9", Voice::derived},
          "Table 5 repeats Table 4's accuracies at 8 times the length: KLA and GDN differ by as much "
          "(7.03)",
          "",
          figure_method,
          bound(difference_is, Text("ablation.default.long"), Text("ablation.gdn.long"), Text("7.03")),
          {{"they differ by as much in Table 5's own test accuracies", Outcome::refuted,
            bound(difference_is, Text("ablation.default.test"), Text("ablation.gdn.test"), Text("7.03"))}}};
}

Claim test_by_capacity() {
  const Row rising = expansions("test");
  return {"kla.capacity-test",
          reading(table_5()),
          "MQAR test accuracy rises steadily with v_expand",
          "",
          figure_method,
          bound(ascending, rising),
          {{"it rises from v_expand 2 to 4", Outcome::holds, bound(ascending, Row{rising[0], rising[1]})},
           {"it falls from v_expand 4 to 8", Outcome::holds, bound(ascending, Row{rising[2], rising[1]})},
           {"it falls from v_expand 8 to 16", Outcome::refuted, bound(ascending, Row{rising[3], rising[2]})}}};
}

/// Numbers of a state with a value dimension `factor` times as large, against one with `base`
/// times.
Result capacity_ratio(const Effort&, std::int64_t factor, std::int64_t base, std::int64_t says) {
  const Rational dk = figure("kla", "model.head_dim").value;
  const Rational ratio = dk * (dk * factor) / (dk * (dk * base));
  Result found;
  found.cases = 1;
  found.outcome = ratio == says ? Outcome::holds : Outcome::refuted;
  found.finding =
      fmt::format("the state of v_expand {} holds {} times as many numbers as that of {}", factor, text(ratio), base);
  if (ratio != says) {
    found.counterexample = Counterexample{{{"v_expand", fmt::format("{} and {}", factor, base)}},
                                          fmt::format("the ratio is {}, not {}", text(ratio), says)};
  }
  return found;
}

Claim same_capacity() {
  return {"kla.capacity-equal",
          reading(table_5()),
          "the rows of v_expand 2 to 16 compare write steps at one state capacity",
          "",
          "dk dv of both, the key dimension being the same",
          bound(capacity_ratio, 16, 2, 1),
          {{"the state of v_expand 16 holds 8 times as many numbers as that of 2", Outcome::holds,
            bound(capacity_ratio, 16, 2, 8)},
           {"that of 4 holds 4 times as many as that of 2", Outcome::refuted, bound(capacity_ratio, 4, 2, 4)}}};
}

}  // namespace

std::vector<Claim> kla_ablation_claims() {
  return {best_in_all(),          key_only_accuracy(), key_only_perplexity(),
          scalar_perplexity(),    gdn_perplexity(),    perplexity_by_capacity(),
          accuracy_by_capacity(), test_by_capacity(),  same_capacity(),     repeated_figures()};
}

}  // namespace deltaproof::claims
