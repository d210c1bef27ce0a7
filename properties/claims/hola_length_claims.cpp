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
  return figure_claim(id, Voice::derived, curve, "1, 8", statement, is_printed(more, difference),
                      {{"it rises by " + false_difference, Outcome::refuted, is_printed(more, false_difference)}});
}

Claim sixteen_times() {
  // In units of 1024 tokens.
  const Derived longer =
      exact_number("32 x 1024 / 2048", hola("longest_recall").value * 1024 / hola("t6_340m_context").value);
  const Derived recall_ratio = ratio(recall("32k", "hola"), recall("32k", "gdn"));
  return figure_claim("hola.sixteen_times", Voice::derived, "Section 4.4", "8", "32k is 16 times the training length",
                      is_printed(longer, "16"),
                      {{"the recall at 32k is 16 times GDN's", Outcome::refuted, is_printed(recall_ratio, "16")}});
}

const std::vector<std::string>& lengths() {
  static const std::vector<std::string> all{"2k", "4k", "8k", "16k", "32k"};
  return all;
}

/// A curve that does not rise with the length.
std::vector<Contest> falling(const std::string& model) {
  std::vector<Contest> steps;
  for (std::size_t i = 1; i < lengths().size(); ++i)
    steps.push_back({recall(lengths()[i - 1], model), {recall(lengths()[i], model)}, false});
  return steps;
}

Claim decline() {
  std::vector<Contest> rising;
  for (const Contest& each : falling("hola")) rising.push_back({each.others.front(), {each.subject}, false});
  return figure_claim("hola.recall_falls", Voice::derived, curve, "1, 8",
                      "hOLA's recall does not rise with the length: it falls from 1.00 to 0.58",
                      best_in_all(falling("hola")), {{"it never falls", Outcome::refuted, best_in_all(rising)}});
}

Claim near_perfect() {
  const auto at = [](const std::string& length) {
    const Figure figure = recall(length, "hola");
    return Derived{"recall at " + length, figure.value, figure.range};
  };
  return figure_claim(
      "hola.near_perfect", Voice::reading, curve, "1, 8", "hOLA's recall stays above 0.9 up to 32k",
      lies_in(at("32k"), {Rational(9, 10), 1}),
      {{"up to 16k it does", Outcome::holds, lies_in(at("16k"), {Rational(9, 10), 1})},
       {"it stays above 0.95 up to 16k", Outcome::refuted, lies_in(at("16k"), {Rational(95, 100), 1})}});
}

Claim attention_zero() {
  const auto nothing_at = [](const std::string& length) {
    return is_printed(Derived{"recall of full attention at " + length, recall(length, "transformer").value,
                              recall(length, "transformer").range},
                      "0.00");
  };
  return figure_claim("hola.attention_zero", Voice::stated, "Figure 1b; Table 3", "1, 8-9",
                      "full attention recalls nothing at 4k", nothing_at("4k"),
                      {{"it recalls nothing at 32k", Outcome::holds, nothing_at("32k")},
                       {"it recalls nothing at 2k", Outcome::refuted, nothing_at("2k")}});
}

/// Whether full attention recalls nothing just where the context is longer than `limit`, in tokens.
Check nothing_beyond(const std::string& name, const Figure& limit) {
  return [=](const Effort&) {
    Result result;
    for (const std::string& length : lengths()) {
      const Rational tokens = 1024 * Rational(std::stoi(length));
      const bool nothing = recall(length, "transformer").value == 0;
      ++result.cases;
      result.numbers.push_back({"recall at " + length, recall(length, "transformer").text});
      if (nothing == (tokens > limit.value) || result.counterexample) continue;
      result.counterexample = Counterexample{{{"tokens", text(tokens)}, {name, limit.text}},
                                             "the recall is " + recall(length, "transformer").text + " at " + length};
    }
    result.outcome = result.counterexample ? Outcome::refuted : Outcome::holds;
    result.finding = result.counterexample
                         ? "The recall is nothing from 4k on, not just beyond the " + name + " of " + limit.text + "."
                         : "The recall is nothing at every length beyond the " + name + " and at no other.";
    return result;
  };
}

Claim attention_positions() {
  return figure_claim("hola.attention_positions", Voice::reading, "Section 4.4; Table 3", "8-9",
                      "full attention recalls nothing just beyond its largest position",
                      nothing_beyond("largest position", hola("max_position")),
                      {{"it recalls nothing just beyond its training length", Outcome::holds,
                        nothing_beyond("training length", hola("t6_340m_context"))},
                       {"it recalls nothing just beyond the training length of the 46M models", Outcome::refuted,
                        nothing_beyond("training length", hola("t6_46m_context"))}});
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
  const std::vector<std::string> printed_lengths{"2k", "4k", "8k"};
  return figure_claim(
      "hola.every_cell", Voice::reading, "Table 3; Section 4.4", "8-9",
      "HOLA is the best of GDN, recency and HOLA in every cell of Table 3", best_in_all(cells(printed_lengths, "hola")),
      {{"it is in more than half of the cells", Outcome::holds, best_in_most(cells(printed_lengths, "hola"))},
       {"the cache with recency is in more than half", Outcome::refuted,
        best_in_most(cells(printed_lengths, "recency"))}});
}

Claim ceiling() {
  const auto against = [](const Figure& full, const Figure& own) { return Contest{full, {own}, false}; };
  const Contest s3 = against(hola("t3_2k_transformer_s3"), cell("2k", "hola", "s3"));
  const Contest s1 = against(recall("2k", "transformer"), cell("2k", "hola", "s1"));
  return figure_claim("hola.attention_ceiling", Voice::stated, "Section 4.4; Table 3", "8-9",
                      "at 2k full attention is a ceiling for HOLA", best_in_all({s1, s3}),
                      {{"at 2k it is not below HOLA in S1", Outcome::holds, best_in_all({s1})},
                       {"at 2k it is not below the cache with recency in S3", Outcome::refuted,
                        best_in_all({against(hola("t3_2k_transformer_s3"), cell("2k", "recency", "s3"))})}});
}

Claim figure_and_table() {
  return figure_claim("hola.curve_and_table", Voice::derived, "Figure 1b; Table 3", "1, 9",
                      "at 8k the curve and the table have one recall for HOLA in S1",
                      one_number(recall("8k", "hola"), cell("8k", "hola", "s1")),
                      {{"the curve at 8k is that of S2", Outcome::refuted,
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
      "hola.bar_heights", Voice::reading, "Figure 1a", "1",
      "the bars of perplexity stand in the proportion of the perplexities", lies_in(bars, perplexities.range),
      {{"they stand as 2.51 to 1, since the axis starts at 20", Outcome::holds, is_printed(bars, "2.51")},
       {"the perplexities stand as 2.51 to 1", Outcome::refuted, is_printed(perplexities, "2.51")}});
}

}  // namespace

std::vector<Claim> hola_length_claims() {
  return {gain("hola.recall_32k", "at 32k S-NIAH-1 rises by 0.44 over GDN", "32k", "gdn", "0.44", "0.58"),
          gain("hola.recall_32k_recency", "at 32k S-NIAH-1 rises by 0.34 over the cache with recency", "32k", "recency",
               "0.34", "0.44"),
          gain("hola.recall_16k", "at 16k S-NIAH-1 rises by 0.64 over GDN", "16k", "gdn", "0.64", "0.44"),
          sixteen_times(),
          decline(),
          near_perfect(),
          attention_zero(),
          attention_positions(),
          every_cell(),
          ceiling(),
          figure_and_table(),
          bars()};
}

}  // namespace deltaproof::claims
