#include "properties/claims/kla_figure_checks.hpp"
#include "properties/claims/kla_parts.hpp"
#include "properties/claims/kla_search.hpp"

namespace deltaproof::claims {
namespace {

using Text = std::string;
using Row = std::vector<Text>;

Source table_4() { return {"kla", "Section 5.3, Table 4", "7-8"}; }

/// TASK.MODEL.LENGTH of the models given.
Row at(const Text& task, const Text& length, const Row& models) {
  Row row;
  for (const Text& model : models) row.push_back(Text(task).append(".").append(model).append(".").append(length));
  return row;
}

/// KLA's accuracy less GDN's, in points.
Claim points(const char* id, const char* name, const Text& task, const Text& length, const Text& difference,
             const Text& wrong) {
  const Row keys = at(task, length, {"kla", "gdn"});
  return {id,
          derived(table_4()),
          fmt::format("{}: the accuracy of KLA less that of GDN is {} percentage points", name, difference),
          "",
          figure_method,
          bound(difference_is, keys[0], keys[1], difference),
          {{fmt::format("it is {} points", wrong), Outcome::refuted, bound(difference_is, keys[0], keys[1], wrong)}}};
}

Claim relative() {
  const Row keys = at("mqar", "2048", {"kla", "gdn"});
  return {"kla.mqar-relative",
          derived(table_4()),
          "MQAR at 2048: KLA's accuracy is 10.52 % above GDN's, relative to it",
          "",
          figure_method,
          bound(percent_more_is, keys[0], keys[1], Text("10.52")),
          {{"it is 9.52 % above (that is of KLA's)", Outcome::refuted,
            bound(percent_more_is, keys[0], keys[1], Text("9.52"))}}};
}

Claim points_as_percent() {
  const Row keys = at("mqar", "2048", {"kla", "gdn"});
  return {"kla.mqar-points-as-percent",
          reading(table_4()),
          "MQAR at 2048: the gain of 7.03 may be read as 7.03 % of GDN's accuracy",
          "",
          figure_method,
          bound(percent_more_is, keys[0], keys[1], Text("7.03")),
          {{"the gain is 10.52 % of it", Outcome::holds, bound(percent_more_is, keys[0], keys[1], Text("10.52"))},
           {"the gain is 3.52 % of it", Outcome::refuted, bound(percent_more_is, keys[0], keys[1], Text("3.52"))}}};
}

Claim every_mqar_length() {
  const Row models{"kla", "gdn", "mamba2"};
  return {"kla.mqar-best",
          reading(table_4()),
          "KLA has the best MQAR accuracy at every length",
          "",
          figure_method,
          bound(first_is_best,
                std::vector<Row>{at("mqar", "256", models), at("mqar", "1024", models), at("mqar", "2048", models)},
                Better::higher),
          {{"it has at 2048", Outcome::holds,
            bound(first_is_best, std::vector<Row>{at("mqar", "2048", models)}, Better::higher)},
           {"it is above GDN at every length", Outcome::holds,
            bound(first_is_best,
                  std::vector<Row>{at("mqar", "256", {"kla", "gdn"}), at("mqar", "1024", {"kla", "gdn"}),
                                   at("mqar", "2048", {"kla", "gdn"})},
                  Better::higher)},
           {"Mamba2 has at every length", Outcome::refuted,
            bound(first_is_best,
                  std::vector<Row>{at("mqar", "256", {"mamba2", "kla"}), at("mqar", "1024", {"mamba2", "kla"}),
                                   at("mqar", "2048", {"mamba2", "kla"})},
                  Better::higher)}}};
}

Claim against_mamba2() {
  const Row models{"kla", "mamba2"};
  std::vector<Row> rows{at("sniah", "8k", models), at("palindrome", "2048", models), at("stack", "2048", models)};
  std::vector<Row> swapped = rows;
  for (Row& row : swapped) std::swap(row[0], row[1]);
  return {"kla.tasks-mamba2",
          derived(table_4()),
          "at the longest length KLA is above Mamba2 in S-NIAH, Palindrome and Stack",
          "",
          figure_method,
          bound(first_is_best, rows, Better::higher),
          {{"Mamba2 is above KLA in these", Outcome::refuted, bound(first_is_best, swapped, Better::higher)}}};
}

Claim retrieval() {
  return {"kla.sniah-all",
          table_4(),
          "KLA finds the needle (S-NIAH) in 100 % at 1K, 2K, 4K and 8K",
          "",
          figure_method,
          bound(all_are, Row{"sniah.kla.1k", "sniah.kla.2k", "sniah.kla.4k", "sniah.kla.8k"}, Text("100")),
          {{"GDN does so at 8K", Outcome::refuted, bound(all_are, Row{"sniah.gdn.8k"}, Text("100"))}}};
}

Claim every_task() {
  const Row both{"kla", "gdn"};
  const std::vector<Row> others{at("mqar", "2048", both), at("sniah", "8k", both), at("stack", "2048", both)};
  std::vector<Row> all = others;
  all.push_back(at("palindrome", "2048", both));
  return {"kla.tasks-all-better",
          reading(table_4()),
          "at the longest length KLA is above GDN in all four tasks",
          "",
          figure_method,
          bound(first_is_best, all, Better::higher),
          {{"it is in MQAR, S-NIAH and Stack", Outcome::holds, bound(first_is_best, others, Better::higher)},
           {"it is in Palindrome", Outcome::refuted,
            bound(first_is_best, std::vector<Row>{at("palindrome", "2048", both)}, Better::higher)}}};
}

Claim extrapolation() {
  return {"kla.mqar-length",
          {"kla", "Section 5.3, Table 4", "7-8"},
          "the longest MQAR length, 8 times the training length of 256, is 2048",
          "",
          figure_method,
          bound(product_is, Text("model.mqar_length"), Text("model.mqar_factor"), Text("2048")),
          {{"it is 4096", Outcome::refuted,
            bound(product_is, Text("model.mqar_length"), Text("model.mqar_length"), Text("4096"))}}};
}

}  // namespace

std::vector<Claim> kla_task_claims() {
  return {points("kla.mqar-256", "MQAR at 256", "mqar", "256", "0.26", "0.62"),
          points("kla.mqar-1024", "MQAR at 1024", "mqar", "1024", "1.33", "1.31"),
          points("kla.mqar-2048", "MQAR at 2048", "mqar", "2048", "7.03", "10.52"),
          relative(),
          points_as_percent(),
          every_mqar_length(),
          extrapolation(),
          points("kla.sniah-8k", "S-NIAH at 8K", "sniah", "8k", "1.50", "0.50"),
          retrieval(),
          points("kla.palindrome-2048", "Palindrome at 2048", "palindrome", "2048", "-0.78", "0.78"),
          points("kla.stack-2048", "Stack at 2048", "stack", "2048", "1.30", "3.12"),
          every_task(),
          against_mamba2()};
}

}  // namespace deltaproof::claims
