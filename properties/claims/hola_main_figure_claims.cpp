#include "properties/claims/hola_figures.hpp"
#include "properties/claims/hola_parts.hpp"
#include "properties/claims/hola_search.hpp"

namespace deltaproof::claims {
namespace {

const char* const table = "Table 1; Section 4.2";
const char* const pages = "7-8";

Figure cell(const std::string& model, const std::string& column) { return hola("t1_" + model + "_" + column); }

/// HOLA, or another subject, against all other rows (full attention only if `full`).
Contest column(const std::string& subject, const std::string& name, bool full) {
  Contest contest{cell(subject, name), {}, name == "wiki" || name == "lambada"};
  for (const char* model : {"transformer", "deltanet", "gla", "gsa", "kda", "gdn_cited", "gdn", "recency", "hola"}) {
    if (model != subject && (full || std::string(model) != "transformer")) contest.others.push_back(cell(model, name));
  }
  return contest;
}

/// A gain over the paper's own GDN: the difference, and what it is not.
Claim gain(const std::string& id, const std::string& statement, const std::string& name, const std::string& difference,
           const std::string& false_difference) {
  const Derived worked_out = change(cell("gdn", name), cell("hola", name));
  return figure_claim(
      id, Voice::derived, table, pages, statement, is_printed(worked_out, difference),
      {{"it changes by " + false_difference, Outcome::refuted, is_printed(worked_out, false_difference)}});
}

Claim relative_gain(const std::string& id, const std::string& statement, const std::string& name,
                    const std::string& percent, const std::string& false_percent) {
  const Derived worked_out = percent_change(cell("gdn", name), cell("hola", name));
  return figure_claim(
      id, Voice::derived, table, pages, statement, is_printed(worked_out, percent),
      {{"it changes by " + false_percent + " %", Outcome::refuted, is_printed(worked_out, false_percent)}});
}

Claim wiki_printed() {
  const Derived own = percent_change(cell("hola", "wiki"), cell("gdn", "wiki"));  // of the wrong base
  const Figure stated = hola("wiki_gain_percent");
  const Derived reduction{"27.32 -> 22.92 as a reduction in percent",
                          -percent_change(cell("gdn", "wiki"), cell("hola", "wiki")).value,
                          exactly(0) - percent_change(cell("gdn", "wiki"), cell("hola", "wiki")).range};
  return figure_claim("hola.wiki_percent", Voice::stated, table, "1, 7-8",
                      "Wikitext perplexity falls by 16.1 % against the paper's own GDN", is_printed(reduction, stated),
                      {{"that is in percent of HOLA's perplexity", Outcome::refuted, is_printed(own, stated)}});
}

Claim borrowed_anchor() {
  const Derived borrowed = percent_change(cell("gdn_cited", "wiki"), cell("hola", "wiki"));
  return figure_claim("hola.borrowed_anchor", Voice::reading, table, pages,
                      "Wikitext perplexity falls by 16.1 % against the cited GDN row (27.08) too",
                      is_printed(borrowed, "-16.1"),
                      {{"against that row it falls by 15.36 %", Outcome::holds, is_printed(borrowed, "-15.36")},
                       {"against that row it falls by 17 %", Outcome::refuted, is_printed(borrowed, "-17")}});
}

Claim squad() {
  const Derived more = change(hola("squad_gdn"), hola("squad_hola"));
  return figure_claim("hola.squad", Voice::derived, "Section 4.2", "8", "SQuAD rises from 32.5 to 33.8, by 1.3",
                      is_printed(more, "1.3"), {{"by 2.3", Outcome::refuted, is_printed(more, "2.3")}});
}

Claim boolq() {
  const Derived more = point_change(hola("boolq_gdn"), hola("boolq_hola"));
  return figure_claim("hola.boolq", Voice::stated, "Section 4.2", "8", "BoolQ rises from 0.548 to 0.584, by 3.5 points",
                      is_printed(more, hola("boolq_gain")),
                      {{"by 3.6 points", Outcome::holds, is_printed(more, "3.6")},
                       {"by 3.0 points", Outcome::refuted, is_printed(more, "3.0")}});
}

Claim nine_tasks() {
  const Figure nine = hola("nine_hola");
  const Derived gap{"100 x 0.446", 100 * nine.value, exactly(100) * nine.range};
  return figure_claim("hola.nine_tasks", Voice::reading, "Table 1; Section 4.2", "7-8",
                      "the mean of nine tasks, 0.446, and the one of Table 1, 42.85, are the same mean",
                      lies_in(gap, cell("hola", "common").range),
                      {{"the nine tasks' mean is 0.6 points above GDN's", Outcome::holds,
                        is_printed(point_change(hola("nine_gdn"), nine), "0.6")},
                       {"it is 0.31 points above GDN's, as the other one", Outcome::refuted,
                        lies_in(point_change(hola("nine_gdn"), nine), printed("0.31").range)}});
}

Claim best_perplexity() {
  return figure_claim("hola.best_perplexity", Voice::derived, table, pages,
                      "HOLA has the lowest perplexity of all rows, at Wikitext and at LAMBADA",
                      best_in_all({column("hola", "wiki", true), column("hola", "lambada", true)}),
                      {{"the cache with recency has", Outcome::refuted,
                        best_in_all({column("recency", "wiki", true), column("recency", "lambada", true)})}});
}

Claim best_common() {
  return figure_claim("hola.best_common_sense", Voice::reading, table, pages,
                      "HOLA has the highest mean at common sense of all rows of Table 1",
                      noting(best_in_all({column("hola", "common", true)}),
                             "The source says no such thing: it calls the differences noise."),
                      {{"the cache with recency has", Outcome::holds, best_in_all({column("recency", "common", true)})},
                       {"the paper's own GDN has", Outcome::refuted, best_in_all({column("gdn", "common", true)})}});
}

Claim best_extraction() {
  return figure_claim("hola.best_extraction", Voice::derived, table, pages,
                      "of the models with a bounded state HOLA extracts best, at FDA and at SWDE",
                      best_in_all({column("hola", "fda", false), column("hola", "swde", false)}),
                      {{"so it does among all rows", Outcome::refuted,
                        best_in_all({column("hola", "fda", true), column("hola", "swde", true)})}});
}

Claim below_attention() {
  const auto against = [](const std::string& name) {
    return Contest{cell("transformer", name), {cell("hola", name)}, false};
  };
  return figure_claim("hola.extraction_below_attention", Voice::reading, table, pages,
                      "full attention extracts better than HOLA at FDA and at SWDE",
                      best_in_all({against("fda"), against("swde")}),
                      {{"it does at FDA", Outcome::holds, best_in_all({against("fda")})},
                       {"it does at SWDE", Outcome::refuted, best_in_all({against("swde")})}});
}

Claim recency_everywhere() {
  const auto against = [](const std::string& subject, const std::string& name) {
    return Contest{cell(subject, name), {cell("gdn", name)}, name == "wiki" || name == "lambada"};
  };
  const auto all = [&](const std::string& subject) {
    return std::vector<Contest>{against(subject, "wiki"), against(subject, "lambada"), against(subject, "common"),
                                against(subject, "fda"), against(subject, "swde")};
  };
  return figure_claim(
      "hola.cache_always_helps", Voice::reading, table, pages,
      "a cache of any selection is better than GDN in every column of Table 1, the one with recency too",
      best_in_all(all("recency")),
      {{"HOLA is, in every column", Outcome::holds, best_in_all(all("hola"))},
       {"DeltaNet is", Outcome::refuted, best_in_all(all("deltanet"))}});
}

}  // namespace

std::vector<Claim> hola_main_figure_claims() {
  return {
      gain("hola.wiki_gain", "Wikitext perplexity falls by 4.40 against the paper's own GDN", "wiki", "-4.40", "-4.50"),
      wiki_printed(),
      borrowed_anchor(),
      gain("hola.lambada_gain", "LAMBADA perplexity falls by 0.69 against the paper's own GDN", "lambada", "-0.69",
           "-0.96"),
      relative_gain("hola.lambada_percent", "LAMBADA perplexity falls by 2.23 % against the paper's own GDN", "lambada",
                    "-2.23", "-6.9"),
      gain("hola.fda_gain", "FDA rises by 8.4 against the paper's own GDN", "fda", "8.4", "9.4"),
      relative_gain("hola.fda_percent", "FDA rises by 71.8 % against the paper's own GDN", "fda", "71.8", "41.8"),
      gain("hola.swde_gain", "SWDE rises by 6.9 against the paper's own GDN", "swde", "6.9", "5.9"),
      relative_gain("hola.swde_percent", "SWDE rises by 23.8 % against the paper's own GDN", "swde", "23.8", "19.2"),
      gain("hola.common_sense_gain", "the mean at common sense rises by 0.31 against the paper's own GDN", "common",
           "0.31", "0.6"),
      squad(),
      boolq(),
      nine_tasks(),
      best_perplexity(),
      best_common(),
      best_extraction(),
      below_attention(),
      recency_everywhere()};
}

}  // namespace deltaproof::claims
