#include "properties/claims/kla_figure_checks.hpp"
#include "properties/claims/kla_parts.hpp"
#include "properties/claims/kla_search.hpp"

namespace deltaproof::claims {
namespace {

using Text = std::string;
using Row = std::vector<Text>;

Source table_1() { return {"kla", "Section 5.2, Table 1", "2, 6"}; }
Source table_3() { return {"kla", "Section 5.2, Table 3", "7"}; }

/// Keys "long.MODEL.LENGTH" of some models at every length.
std::vector<Row> lengths(const Row& models) {
  std::vector<Row> rows;
  for (const char* length : {"1k", "2k", "4k", "8k", "16k", "32k", "65k"}) {
    Row row;
    for (const Text& model : models) row.push_back(Text("long.").append(model).append(".").append(length));
    rows.push_back(std::move(row));
  }
  return rows;
}

Claim drop() {
  return {
      "kla.perplexity-drop",
      derived(table_1()),
      "the validation perplexity of KLA is 0.41 below GDN's",
      "",
      figure_method,
      bound(difference_is, Text("ppl.kla"), Text("ppl.gdn"), Text("-0.41")),
      {{"it is 0.50 below", Outcome::refuted, bound(difference_is, Text("ppl.kla"), Text("ppl.gdn"), Text("-0.50"))}}};
}

Claim relative_drop() {
  return {"kla.perplexity-drop-relative",
          derived(table_1()),
          "KLA's validation perplexity is 4.82 % below GDN's",
          "",
          figure_method,
          bound(percent_more_is, Text("ppl.kla"), Text("ppl.gdn"), Text("-4.82")),
          {{"it is 5.07 % below (that is of KLA's)", Outcome::refuted,
            bound(percent_more_is, Text("ppl.kla"), Text("ppl.gdn"), Text("-5.07"))}}};
}

Claim next_best() {
  return {"kla.perplexity-next",
          derived(table_1()),
          "the next best, DeltaNet, is 0.17 behind KLA",
          "",
          figure_method,
          bound(difference_is, Text("ppl.deltanet"), Text("ppl.kla"), Text("0.17")),
          {{"it is 0.41 behind", Outcome::refuted,
            bound(difference_is, Text("ppl.deltanet"), Text("ppl.kla"), Text("0.41"))}}};
}

Claim ranking() {
  return {"kla.perplexity-ranking",
          derived(table_1()),
          "from best to worst: KLA, DeltaNet, GLA, GDN, Longhorn, Mamba2",
          "",
          figure_method,
          bound(ascending, Row{"ppl.kla", "ppl.deltanet", "ppl.gla", "ppl.gdn", "ppl.longhorn", "ppl.mamba2"}),
          {{"from best to worst: KLA, GDN, DeltaNet, GLA, Longhorn, Mamba2", Outcome::refuted,
            bound(ascending, Row{"ppl.kla", "ppl.gdn", "ppl.deltanet", "ppl.gla", "ppl.longhorn", "ppl.mamba2"})}}};
}

Claim gaps() {
  return {"kla.long-gap",
          derived(table_3()),
          "KLA's perplexity is 3.7 to 4.1 below GDN's at every length from 1K to 65K",
          "",
          figure_method,
          bound(differences_within, lengths({"gdn", "kla"}), Text("3.7"), Text("4.1")),
          {{"it is 3.8 to 4.1 below at every length", Outcome::refuted,
            bound(differences_within, lengths({"gdn", "kla"}), Text("3.8"), Text("4.1"))},
           {"it is 10.8 to 13.4 below Mamba2's at every length", Outcome::holds,
            bound(differences_within, lengths({"mamba2", "kla"}), Text("10.8"), Text("13.4"))}}};
}

Claim best_at_every_length() {
  return {"kla.long-best",
          derived(table_3()),
          "KLA has the lowest perplexity of the three at every length",
          "",
          figure_method,
          bound(first_is_best, lengths({"kla", "gdn", "mamba2"}), Better::lower),
          {{"GDN has the lowest at every length", Outcome::refuted,
            bound(first_is_best, lengths({"gdn", "kla", "mamba2"}), Better::lower)}}};
}

Claim longest() {
  return {"kla.long-65k-relative",
          derived(table_3()),
          "at 65K KLA's perplexity is 8.21 % below GDN's",
          "",
          figure_method,
          bound(percent_more_is, Text("long.kla.65k"), Text("long.gdn.65k"), Text("-8.21")),
          {{"it is 8.94 % below (that is of KLA's)", Outcome::refuted,
            bound(percent_more_is, Text("long.kla.65k"), Text("long.gdn.65k"), Text("-8.94"))}}};
}

Claim shape() {
  return {"kla.long-monotone",
          reading(table_3()),
          "KLA's perplexity rises with the length from 1K to 65K",
          "",
          figure_method,
          bound(ascending, Row{"long.kla.1k", "long.kla.2k", "long.kla.4k", "long.kla.8k", "long.kla.16k",
                               "long.kla.32k", "long.kla.65k"}),
          {{"it rises to 16K", Outcome::holds,
            bound(ascending, Row{"long.kla.1k", "long.kla.2k", "long.kla.4k", "long.kla.8k", "long.kla.16k"})},
           {"it falls from 16K to 65K", Outcome::holds,
            bound(ascending, Row{"long.kla.65k", "long.kla.32k", "long.kla.16k"})},
           {"it falls from 4K to 65K", Outcome::refuted,
            bound(ascending, Row{"long.kla.65k", "long.kla.16k", "long.kla.4k"})}}};
}

}  // namespace

std::vector<Claim> kla_table_claims() {
  return {drop(), relative_drop(), next_best(), ranking(), gaps(), best_at_every_length(), longest(), shape()};
}

}  // namespace deltaproof::claims
