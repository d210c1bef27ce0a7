#include "properties/claims/hola_figures.hpp"
#include "properties/claims/hola_parts.hpp"

namespace deltaproof::claims {
namespace {

/// A figure of figures/hola.json.
Needed published(const std::string& key) { return {hola(key).what, key}; }

/// One that the source does not have.
Needed none(const std::string& what) { return {what, {}}; }

/// Not decidable as stated; the variant puts published figures to the same comparison.
Claim open_claim(const std::string& id, Voice voice, const std::string& place, const std::string& pages,
                 const std::string& statement, const Comparison& comparison, const std::string& false_statement,
                 const Comparison& of_published) {
  Claim claim = figure_claim(id, voice, place, pages, statement, compared(comparison),
                             {{false_statement, Outcome::refuted, compared(of_published)}});
  claim.method =
      "by reading: the notes name no such figure. Were it there, it would be compared; that the comparison can tell is "
      "seen on figures that are";
  return claim;
}

Claim speed() {
  return open_claim(
      "hola.speed", Voice::reading, "Section 3.5", "6", "HOLA decodes as many tokens a second as GDN, at least",
      {none("tokens per second of HOLA"), Order::at_least, none("tokens per second of GDN")},
      "HOLA needs no more memory than GDN", {published("peak_hola"), Order::at_most, published("peak_gdn")});
}

Claim score_optimal() {
  return open_claim(
      "hola.score_optimal", Voice::reading, "Sections 3.2-3.3", "4-5",
      "beta |e| is the best score to evict by, learned ones included",
      {published("t4_write_far"), Order::at_least, none("far recall with a learned score, or a bound on any")},
      "|e| is, of those measured", {published("t4_residual_far"), Order::at_least, published("t4_write_far")});
}

Claim learned_eviction() {
  return open_claim("hola.learned_eviction", Voice::reading, "Sections 2 and 5", "3, 10",
                    "HOLA is better than eviction by a learned network (LTE) with the same budget",
                    {published("t1_hola_wiki"), Order::at_most, none("perplexity of LTE with 64 entries")},
                    "recency is better than HOLA with the same budget",
                    {published("t1_recency_wiki"), Order::at_most, published("t1_hola_wiki")});
}

Claim long_attention() {
  return open_claim("hola.long_attention", Voice::reading, "Section 4.4", "8",
                    "HOLA recalls better at 32k than full attention that was trained or adapted for that length",
                    {published("f1_32k_hola"), Order::at_least, none("recall of adapted full attention at 32k")},
                    "full attention trained at 2k recalls as much as HOLA at 32k",
                    {published("f1_32k_transformer"), Order::at_least, published("f1_32k_hola")});
}

Claim recall_128k() {
  Claim claim =
      open_claim("hola.recall_128k", Voice::reading, "Section 3.5", "6",
                 "HOLA recalls at 128k, where its memory was measured, as at 32k",
                 {none("recall of HOLA at 128k"), Order::same, published("f1_32k_hola")}, "it recalls at 32k as at 16k",
                 {published("f1_32k_hola"), Order::same, published("f1_16k_hola")});
  claim.variants.push_back({"recall was measured at as long a context as memory", Outcome::refuted,
                            compared({published("longest_recall"), Order::same, published("recall_length")})});
  return claim;
}

Claim common_sense_noise() {
  return open_claim("hola.common_sense_noise", Voice::stated, "Section 4.2", "8",
                    "the differences at common sense are within what the seed makes",
                    {none("mean of HOLA at common sense over several seeds"), Order::same, published("t1_gdn_common")},
                    "HOLA and GDN have one mean at common sense",
                    {published("t1_hola_common"), Order::same, published("t1_gdn_common")});
}

Claim fixed_temperature() {
  return open_claim(
      "hola.fixed_temperature", Voice::stated, "Section 4.5", "9-10",
      "the learned normalisation is better than a fixed high temperature, and keeps the state from idling",
      {published("t5_rmsnorm_wiki"), Order::at_most,
       none("perplexity with a fixed high temperature, entropy of its reads, values of its gates")},
      "the read with unit vectors is better than the one after RMSNorm",
      {published("t5_unit_wiki"), Order::at_most, published("t5_rmsnorm_wiki")});
}

Claim larger_models() {
  return open_claim("hola.larger_models", Voice::reading, "Sections 4.3 and 5", "8, 10",
                    "the gain carries over to models of a billion parameters and more",
                    {none("perplexity of HOLA beyond 10^9 parameters"), Order::at_most,
                     none("perplexity of GDN beyond 10^9 parameters")},
                    "at 340M GDN has the lower perplexity",
                    {published("t2_340m_gdn"), Order::at_most, published("t2_340m_hola")});
}

Claim variable_tracking() {
  return open_claim("hola.variable_tracking", Voice::reading, "Section 4.1", "7",
                    "HOLA is better than GDN at variable tracking, which the setup names",
                    {none("HOLA at variable tracking"), Order::at_least, none("GDN at variable tracking")},
                    "HOLA is better than GDN at several queries (MQ) at 2k",
                    {published("t3_2k_hola_mq"), Order::at_least, published("t3_2k_gdn_mq")});
}

/// The RMSNorm row is a mean of three seeds; the others are taken over from the flat read, without a variance.
Claim rows_of_seeds() {
  return open_claim(
      "hola.seeds_of_rows", Voice::reading, "Table 5; Section 4.5", "9-10",
      "the rows of Table 5 are means over the same seeds: over those three seeds of RMSNorm's row the read "
      "with unit vectors has the perplexity of its row",
      {none("perplexity of the read with unit vectors as a mean over the three seeds of RMSNorm's row"), Order::same,
       published("t5_unit_wiki")},
      "both reads have one perplexity", {published("t5_rmsnorm_wiki"), Order::same, published("t5_unit_wiki")});
}

Claim gate_of_mixing() {
  return open_claim("hola.mixing_gate", Voice::reading, "Sections 3.2 and 3.5", "5-6",
                    "the coefficient lambda_t of Eq. (3), one for each token, is the gate of each head of Section 3.5",
                    {none("how lambda_t is worked out from the gate, and how many values it has in a layer"),
                     Order::same, published("heads")},
                    "there are as many heads as layers", {published("layers"), Order::same, published("heads")});
}

}  // namespace

std::vector<Claim> hola_open_claims() {
  return {speed(),
          score_optimal(),
          learned_eviction(),
          long_attention(),
          recall_128k(),
          common_sense_noise(),
          fixed_temperature(),
          larger_models(),
          variable_tracking(),
          rows_of_seeds(),
          gate_of_mixing()};
}

}  // namespace deltaproof::claims
