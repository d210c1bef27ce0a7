#include "properties/claims/hola_figures.hpp"
#include "properties/claims/hola_parts.hpp"

namespace deltaproof::claims {
namespace {

const char* const curve = "Figure 1b; Section 4.4";

Figure recall(const std::string& length, const std::string& model) { return hola("f1_" + length + "_" + model); }
Figure cell(const std::string& length, const std::string& model, const std::string& task) {
  return hola("t3_" + length + "_" + model + "_" + task);
}

Claim gain(const std::string& id, const std::string& statement, const std::string& length, const std::string& model,
           const std::string& difference, const std::string& false_difference) {
  const Derived more = change(recall(length, model), recall(length, "hola"));
  return figure_claim(id, curve, "1, 8", statement, is_printed(more, difference),
                      {{"By " + false_difference + ".", Outcome::refuted, is_printed(more, false_difference)}});
}

Claim sixteen_times() {
  // In units of 1024 tokens.
  const Derived longer =
      exact_number("32 x 1024 / 2048", hola("longest_recall").value * 1024 / hola("t6_340m_context").value);
  const Derived recall_ratio = ratio(recall("32k", "hola"), recall("32k", "gdn"));
  return figure_claim("hola.sixteen_times", "Section 4.4", "8", "32k is 16 times the training length.",
                      is_printed(longer, "16"),
                      {{"The recall at 32k is 16 times GDN's.", Outcome::refuted, is_printed(recall_ratio, "16")}});
}

/// A curve that does not rise with the length.
std::vector<Contest> falling(const std::string& model) {
  std::vector<Contest> steps;
  const std::vector<std::string> lengths{"2k", "4k", "8k", "16k", "32k"};
  for (std::size_t i = 1; i < lengths.size(); ++i)
    steps.push_back({recall(lengths[i - 1], model), {recall(lengths[i], model)}, false});
  return steps;
}

Claim decline() {
  std::vector<Contest> rising;
  for (const Contest& each : falling("hola")) rising.push_back({each.others.front(), {each.subject}, false});
  return figure_claim("hola.recall_falls", curve, "1, 8",
                      "HOLA's recall does not rise with the length: it falls from 1.00 to 0.58.",
                      best_in_all(falling("hola")), {{"It never falls.", Outcome::refuted, best_in_all(rising)}});
}

Claim near_perfect() {
  const auto at = [](const std::string& length) {
    const Figure figure = recall(length, "hola");
    return Derived{"recall at " + length, figure.value, figure.range};
  };
  return figure_claim(
      "hola.near_perfect", curve, "1, 8", "HOLA's recall stays above 0.9 up to 32k.",
      lies_in(at("32k"), {Rational(9, 10), 1}),
      {{"Up to 16k it does.", Outcome::holds, lies_in(at("16k"), {Rational(9, 10), 1})},
       {"It stays above 0.95 up to 16k.", Outcome::refuted, lies_in(at("16k"), {Rational(95, 100), 1})}});
}

Claim attention_zero() {
  const auto at = [](const std::string& length) {
    const Figure figure = recall(length, "transformer");
    return Derived{"recall of full attention at " + length, figure.value, figure.range};
  };
  const Range nothing = printed("0.00").range;
  const Derived inside = exact_number("4 x 1024, longer than trained", Rational(4 * 1024));
  const Range untrained{hola("t6_340m_context").value + 1, hola("max_position").value};
  return figure_claim("hola.attention_zero", "Figure 1b; Table 3", "1, 8-9", "Full attention recalls nothing at 4k.",
                      lies_in(at("4k"), nothing),
                      {{"4k is beyond the training length and within the maximal position.", Outcome::holds,
                        lies_in(inside, untrained)},
                       {"It recalls nothing at 2k.", Outcome::refuted, lies_in(at("2k"), nothing)}});
}

/// HOLA against recency and GDN.
std::vector<Contest> cells(const std::vector<std::string>& lengths, const std::string& subject) {
  std::vector<Contest> all;
  for (const std::string& length : lengths) {
    for (const char* task : {"s1", "s2", "s3", "mk1", "mv", "mq"}) {
      Contest contest{cell(length, subject, task), {}, false};
      for (const char* model : {"gdn", "recency", "hola"}) {
        if (model != subject) contest.others.push_back(cell(length, model, task));
      }
      all.push_back(contest);
    }
  }
  return all;
}

Claim every_cell() {
  const std::vector<std::string> lengths{"2k", "4k", "8k"};
  return figure_claim(
      "hola.every_cell", "Table 3; Section 4.4", "8-9",
      "HOLA is the best of GDN, recency and HOLA in every cell of Table 3.", best_in_all(cells(lengths, "hola")),
      {{"It is in more than half of the cells.", Outcome::holds, best_in_most(cells(lengths, "hola"))},
       {"The cache with recency is in more than half.", Outcome::refuted, best_in_most(cells(lengths, "recency"))}});
}

Claim ceiling() {
  const auto against = [](const Figure& full, const Figure& own) { return Contest{full, {own}, false}; };
  const Contest s3 = against(hola("t3_2k_transformer_s3"), cell("2k", "hola", "s3"));
  const Contest s1 = against(recall("2k", "transformer"), cell("2k", "hola", "s1"));
  return figure_claim("hola.attention_ceiling", "Section 4.4; Table 3", "8-9", "At 2k full attention is a ceiling.",
                      best_in_all({s1, s3}),
                      {{"At 2k it is not below HOLA in S1.", Outcome::holds, best_in_all({s1})},
                       {"At 2k it is not below the cache with recency in S3.", Outcome::refuted,
                        best_in_all({against(hola("t3_2k_transformer_s3"), cell("2k", "recency", "s3"))})}});
}

Claim figure_and_table() {
  return figure_claim("hola.curve_and_table", "Figure 1b; Table 3", "1, 9",
                      "At 8k the curve and the table have one recall for HOLA in S1.",
                      one_number(recall("8k", "hola"), cell("8k", "hola", "s1")),
                      {{"The curve at 8k is that of S2.", Outcome::refuted,
                        one_number(recall("8k", "hola"), cell("8k", "hola", "s2"))}});
}

Claim bars() {
  const Derived bars{
      "(27.32 - 20) / (22.92 - 20)",
      (hola("t1_gdn_wiki").value - hola("axis_start").value) / (hola("t1_hola_wiki").value - hola("axis_start").value),
      (hola("t1_gdn_wiki").range - exactly(hola("axis_start").value)) /
          (hola("t1_hola_wiki").range - exactly(hola("axis_start").value))};
  const Derived perplexities = ratio(hola("t1_gdn_wiki"), hola("t1_hola_wiki"));
  return figure_claim(
      "hola.bar_heights", "Figure 1a", "1", "The bars of perplexity stand in the proportion of the perplexities.",
      lies_in(bars, perplexities.range),
      {{"They stand as 2.51 to 1, since the axis starts at 20.", Outcome::holds, is_printed(bars, "2.51")},
       {"The perplexities stand as 2.51 to 1.", Outcome::refuted, is_printed(perplexities, "2.51")}});
}

}  // namespace

std::vector<Claim> hola_length_claims() {
  return {gain("hola.recall_32k", "At 32k S-NIAH-1 rises by 0.44 over GDN.", "32k", "gdn", "0.44", "0.58"),
          gain("hola.recall_32k_recency", "At 32k it rises by 0.34 over recency.", "32k", "recency", "0.34", "0.44"),
          gain("hola.recall_16k", "At 16k it rises by 0.64 over GDN.", "16k", "gdn", "0.64", "0.44"),
          sixteen_times(),
          decline(),
          near_perfect(),
          attention_zero(),
          every_cell(),
          ceiling(),
          figure_and_table(),
          bars()};
}

}  // namespace deltaproof::claims
