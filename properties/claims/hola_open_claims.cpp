#include "properties/claims/hola_figures.hpp"
#include "properties/claims/hola_parts.hpp"

namespace deltaproof::claims {
namespace {

/// Not decidable, as some figures are not published; the variant is decided by the same check from some that are.
Claim open_claim(const std::string& id, const std::string& place, const std::string& pages,
                 const std::string& statement, const std::vector<std::string>& needed, const Variant& decided) {
  Claim claim = figure_claim(id, place, pages, statement, decided_by(needed, decided.check), {decided});
  claim.method = "looks for the figures that would decide it among those that are published";
  return claim;
}

Variant from(const std::string& statement, const std::vector<std::string>& keys, const Check& check) {
  return {statement, Outcome::refuted, decided_by(keys, check)};
}

Check less(const std::string& subject, const std::string& other) {
  return best_in_all({{hola(subject), {hola(other)}, true}});
}
Check more(const std::string& subject, const std::string& other) {
  return best_in_all({{hola(subject), {hola(other)}, false}});
}

}  // namespace

std::vector<Claim> hola_open_claims() {
  return {
      open_claim("hola.speed", "Section 3.5", "6", "HOLA decodes faster than full attention, or as fast as GDN.",
                 {"tokens_per_second_of_HOLA", "tokens_per_second_of_GDN"},
                 from("HOLA needs no more memory than GDN.", {"peak_hola", "peak_gdn"}, less("peak_hola", "peak_gdn"))),
      open_claim("hola.score_optimal", "Sections 3.2-3.3", "4-5", "beta |e| is the best score to evict by.",
                 {"recall_with_a_learned_score", "bound_on_the_recall_of_any_score"},
                 from("|e| is better than beta |e| at far recall.", {"t4_residual_far", "t4_write_far"},
                      more("t4_residual_far", "t4_write_far"))),
      open_claim("hola.learned_eviction", "Sections 2 and 5", "3, 10",
                 "HOLA is better than eviction by a learned network (LTE) with the same budget.",
                 {"perplexity_of_LTE_with_64_entries"},
                 from("It is no better than recency with the same budget.", {"t1_recency_wiki", "t1_hola_wiki"},
                      less("t1_recency_wiki", "t1_hola_wiki"))),
      open_claim("hola.long_attention", "Section 4.4", "8",
                 "HOLA recalls better at 32k than full attention that was trained or adapted for that length.",
                 {"recall_of_adapted_full_attention_at_32k"},
                 from("Full attention trained at 2k recalls as much at 32k.", {"f1_32k_transformer", "f1_32k_hola"},
                      more("f1_32k_transformer", "f1_32k_hola"))),
      open_claim("hola.recall_128k", "Section 3.5", "6", "HOLA recalls at 128k, where its memory was measured.",
                 {"recall_of_HOLA_at_128k"},
                 from("Recall was measured at as long a context as memory.", {"longest_recall", "recall_length"},
                      one_number(hola("longest_recall"), hola("recall_length")))),
      open_claim("hola.common_sense_noise", "Section 4.2", "8", "The differences at common sense are noise.",
                 {"spread_of_the_common_sense_mean_over_seeds"},
                 from("There are none: HOLA and GDN have one mean.", {"t1_hola_common", "t1_gdn_common"},
                      one_number(hola("t1_hola_common"), hola("t1_gdn_common")))),
      open_claim("hola.fixed_temperature", "Section 4.5", "9-10",
                 "The learned normalisation is better than a fixed high temperature, and keeps the state from idling.",
                 {"perplexity_with_a_fixed_temperature", "entropy_of_the_cache_reads", "values_of_the_gates"},
                 from("It is worse than the read with unit vectors.", {"t5_unit_wiki", "t5_rmsnorm_wiki"},
                      less("t5_unit_wiki", "t5_rmsnorm_wiki"))),
      open_claim("hola.larger_models", "Sections 4.3 and 5", "8, 10",
                 "The gain carries over to models of a billion parameters and more.",
                 {"perplexity_of_HOLA_beyond_10^9_parameters"},
                 from("It is nothing at 340M.", {"t2_340m_gdn", "t2_340m_hola"},
                      one_number(hola("t2_340m_gdn"), hola("t2_340m_hola")))),
      open_claim("hola.variable_tracking", "Section 4.1", "7",
                 "HOLA is better at variable tracking, which the setup names.", {"recall_of_HOLA_at_variable_tracking"},
                 from("It is worse than GDN in S1 at 8k.", {"t3_8k_gdn_s1", "t3_8k_hola_s1"},
                      more("t3_8k_gdn_s1", "t3_8k_hola_s1"))),
  };
}

}  // namespace deltaproof::claims
