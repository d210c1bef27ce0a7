#include "properties/claims/hola_figures.hpp"
#include "properties/claims/hola_parts.hpp"
#include "properties/claims/hola_search.hpp"

namespace deltaproof::claims {
namespace {

Claim scale(const std::string& id, const std::string& size, const std::string& from, const std::string& to,
            const std::string& percent, const std::string& false_percent) {
  const Derived worked_out = percent_change(hola(from), hola(to));
  return figure_claim(
      id, Voice::derived, "Table 2", "8", "at " + size + " the perplexity falls by " + percent + " % from GDN to HOLA",
      is_printed(worked_out, "-" + percent),
      {{"it falls by " + false_percent + " %", Outcome::refuted, is_printed(worked_out, "-" + false_percent)}});
}

Claim one_size_only() {
  // What would be the same if only the number of parameters changed.
  const auto same = [](const std::string& key) { return one_number(hola("t6_46m_" + key), hola("t6_340m_" + key)); };
  return figure_claim(
      "hola.scale_alone", Voice::reading, "Section 4.3; Tables 2 and 6", "8, 12",
      "the three scales differ in the size of the model alone: the training tokens are the same",
      noting(same("tokens"), "The source does not say so: Appendix A gives each scale a recipe of its own."),
      {{"170M and 340M have one training length", Outcome::holds,
        one_number(hola("t6_170m_context"), hola("t6_340m_context"))},
       {"46M and 340M have", Outcome::refuted, same("context")}});
}

Claim depth_and_width() {
  return figure_claim(
      "hola.depth_and_width", Voice::stated, "Table 6", "12", "46M and 170M have the same depth",
      one_number(hola("t6_46m_layers"), hola("t6_170m_layers")),
      {{"170M and 340M have one width", Outcome::holds, one_number(hola("t6_170m_width"), hola("t6_340m_width"))},
       {"46M and 170M have one width", Outcome::refuted, one_number(hola("t6_46m_width"), hola("t6_170m_width"))},
       {"170M and 340M have one depth", Outcome::refuted, one_number(hola("t6_170m_layers"), hola("t6_340m_layers"))},
       {"170M and 340M have as many training tokens", Outcome::refuted,
        one_number(hola("t6_170m_tokens"), hola("t6_340m_tokens"))}});
}

Claim anchor() {
  return figure_claim(
      "hola.anchor_46m", Voice::reading, "Tables 2, 4 and 5", "8-10",
      "the perplexity of GDN at 46M, 71.0 in Table 2 and 70.21 in Tables 4 and 5, is one figure",
      one_number(hola("t2_46m_gdn"), hola("t4_none_wiki")),
      {{"that of Table 4 and of Table 5 is", Outcome::holds, one_number(hola("t4_none_wiki"), hola("t5_gdn_wiki"))},
       {"that of Table 2 and of HOLA with unit vectors is", Outcome::refuted,
        one_number(hola("t2_46m_gdn"), hola("t5_unit_wiki"))}});
}

Claim recency_gain() {
  const Derived less = change(hola("t1_recency_wiki"), hola("t1_hola_wiki"));
  return figure_claim("hola.recency_gain", Voice::derived, "Section 4.5; Table 1", "7-9",
                      "from recency to the score the perplexity falls by 2.12", is_printed(less, "-2.12"),
                      {{"it falls by 4.40", Outcome::refuted, is_printed(less, "-4.40")}});
}

Claim recency_percent() {
  const Derived less = percent_change(hola("t1_recency_wiki"), hola("t1_hola_wiki"));
  return figure_claim("hola.recency_percent", Voice::derived, "Section 4.5; Table 1", "7-9",
                      "from recency to the score the perplexity falls by 8.47 %", is_printed(less, "-8.47"),
                      {{"it falls by 9.25 %, as of HOLA's", Outcome::refuted, is_printed(less, "-9.25")}});
}

Claim selection_share() {
  const Derived cache = share_of_change(hola("t1_gdn_wiki"), hola("t1_recency_wiki"), hola("t1_hola_wiki"));
  const Derived score{"25.04 -> 22.92 of 27.32 -> 22.92, in percent", 100 - cache.value, exactly(100) - cache.range};
  return figure_claim(
      "hola.selection_share", Voice::reading, "Section 4.5; Table 1", "7-9",
      "hOLA's whole gain in perplexity over GDN is that of the selection by score",
      noting(lies_in(score, {99, 100}),
             "The source does not say so: Section 4.5 has recency as a control, whose row is in Table 1."),
      {{"51.8 % of it is there with recency already", Outcome::holds, is_printed(cache, "51.8")},
       {"10 % of it is there with recency already", Outcome::refuted, is_printed(cache, "10")}});
}

Figure rule(const std::string& name, const std::string& column) { return hola("t4_" + name + "_" + column); }

std::vector<Contest> columns(const std::string& subject, const std::vector<std::string>& names) {
  std::vector<Contest> all;
  for (const std::string& name : names) {
    Contest contest{rule(subject, name), {}, name == "wiki"};
    for (const char* other : {"none", "attention", "residual", "value", "write"}) {
      if (other != subject) contest.others.push_back(rule(other, name));
    }
    all.push_back(contest);
  }
  return all;
}

Claim best_rule() {
  const std::vector<std::string> all{"far", "keys1", "keys2", "keys4", "wiki"};
  return figure_claim("hola.best_rule", Voice::derived, "Table 4; Section 4.5", "9",
                      "of the rules of Table 4 beta |e| is the best in every column",
                      best_in_all(columns("write", all)),
                      {{"|e| alone is", Outcome::refuted, best_in_all(columns("residual", all))},
                       {"accumulated attention is", Outcome::refuted, best_in_all(columns("attention", all))}});
}

Claim residual_alone() {
  const Derived gained = change(rule("residual", "far"), rule("write", "far"));
  const Contest below{rule("none", "far"), {rule("residual", "far")}, false};
  return figure_claim("hola.residual_alone", Voice::derived, "Table 4; Section 4.5", "9",
                      "with |e| alone the far accuracy is 0.22, with beta |e| 0.67: 0.45 more",
                      is_printed(gained, "0.45"),
                      {{"with |e| alone it is below that without a cache", Outcome::holds, best_in_all({below})},
                       {"the gate adds 0.12", Outcome::refuted, is_printed(gained, "0.12")}});
}

Claim rule_perplexity() {
  const Derived less = change(rule("none", "wiki"), rule("write", "wiki"));
  return figure_claim("hola.score_perplexity", Voice::reading, "Tables 4 and 5", "9-10",
                      "the choice by beta |e| alone, read with unit vectors, brings the 10 points of perplexity at 46M",
                      lies_in(less, {-12, -10}),
                      {{"it brings 0.11", Outcome::holds, is_printed(less, "-0.11")},
                       {"it brings 0.16 %", Outcome::holds,
                        is_printed(percent_change(rule("none", "wiki"), rule("write", "wiki")), "-0.16")},
                       {"it brings 1.6 %", Outcome::refuted,
                        is_printed(percent_change(rule("none", "wiki"), rule("write", "wiki")), "-1.6")}});
}

Claim read_gain() {
  const Derived less = change(hola("t5_unit_wiki"), hola("t5_rmsnorm_wiki"));
  return figure_claim("hola.read_gain", Voice::derived, "Table 5; Section 4.5", "9-10",
                      "RMSNorm in the read lowers the perplexity by 10.6", is_printed(less, "-10.6"),
                      {{"it lowers it by 11.5, as from Table 2", Outcome::refuted, is_printed(less, "-11.5")}});
}

Claim read_share() {
  const Derived score = share_of_change(hola("t5_gdn_wiki"), hola("t5_unit_wiki"), hola("t5_rmsnorm_wiki"));
  const Derived read{"70.10 -> 59.5 of 70.21 -> 59.5, in percent", 100 - score.value, exactly(100) - score.range};
  return figure_claim("hola.read_share", Voice::derived, "Table 5; Section 4.5", "9-10",
                      "RMSNorm in the read brings more than 98 % of the gain in perplexity of Table 5",
                      lies_in(read, {98, 100}), {{"it is half", Outcome::refuted, lies_in(read, {49, 51})}});
}

Claim eight_keys() {
  const Derived more = change(hola("t5_unit_keys8"), hola("t5_rmsnorm_keys8"));
  return figure_claim("hola.eight_keys", Voice::derived, "Table 5", "10",
                      "with 8 keys RMSNorm raises the accuracy by 0.26, from 0.41 to 0.67", is_printed(more, "0.26"),
                      {{"with 1 key the accuracy is the same", Outcome::holds,
                        one_number(hola("t5_unit_keys1"), hola("t5_rmsnorm_keys1"))},
                       {"with 1 key it rises by as much", Outcome::refuted,
                        is_printed(change(hola("t5_unit_keys1"), hola("t5_rmsnorm_keys1")), "0.26")}});
}

Claim sixteen_keys() {
  const Figure at = hola("t5_rmsnorm_keys16");
  const Derived accuracy{"accuracy with 16 keys", at.value, at.range};
  return figure_claim("hola.sixteen_keys", Voice::reading, "Table 5", "10",
                      "HOLA recalls up to 16 facts: with 16 keys the accuracy is above one half",
                      lies_in(accuracy, {Rational(1, 2), 1}),
                      {{"it is 0.10 above that with unit vectors", Outcome::holds,
                        is_printed(change(hola("t5_unit_keys16"), at), "0.10")},
                       {"it is above 0.6", Outcome::refuted, lies_in(accuracy, {Rational(6, 10), 1})}});
}

Claim every_column() {
  std::vector<Contest> all, unit;
  for (const char* name : {"wiki", "far", "mean", "keys1", "keys4", "keys8", "keys16"}) {
    const std::string column(name);
    const bool lower = column == "wiki";
    const Figure none = hola("t5_gdn_" + column), flat = hola("t5_unit_" + column),
                 normed = hola("t5_rmsnorm_" + column);
    all.push_back({normed, {none, flat}, lower});
    unit.push_back({flat, {none, normed}, lower});
  }
  return figure_claim("hola.read_every_column", Voice::derived, "Table 5", "10",
                      "the read after RMSNorm is the best in every column of Table 5", best_in_all(all),
                      {{"the read with unit vectors is", Outcome::refuted, best_in_all(unit)}});
}

}  // namespace

std::vector<Claim> hola_ablation_claims() {
  return {scale("hola.scale_46m", "46M", "t2_46m_gdn", "t2_46m_hola", "16.20", "11.5"),
          scale("hola.scale_170m", "170M", "t2_170m_gdn", "t2_170m_hola", "15.20", "16.20"),
          scale("hola.scale_340m", "340M", "t2_340m_gdn", "t2_340m_hola", "16.11", "15.36"),
          one_size_only(),
          depth_and_width(),
          anchor(),
          recency_gain(),
          recency_percent(),
          selection_share(),
          best_rule(),
          residual_alone(),
          rule_perplexity(),
          read_gain(),
          read_share(),
          eight_keys(),
          sixteen_keys(),
          every_column()};
}

}  // namespace deltaproof::claims
