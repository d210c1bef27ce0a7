#pragma once

#include <vector>

#include "properties/claims/claim.hpp"

/// What the lists of hola_claims.hpp are put together from.
namespace deltaproof::claims {

// Writes.
std::vector<Claim> hola_score_claims();     ///< Eqs. (5) and (6), and the change of the state
std::vector<Claim> hola_rule_claims();      ///< residual, repeated writes, interference
std::vector<Claim> hola_spectrum_claims();  ///< eigenvalues of the state's update, stability
std::vector<Claim> hola_rank_claims();      ///< rank of the state, and what it says of its capacity
std::vector<Claim> hola_ranking_claims();   ///< which entries a score prefers

// Cache.
std::vector<Claim> hola_merge_claims();          ///< top-w: blocks, order, ties
std::vector<Claim> hola_selection_claims();      ///< what is kept, and how long
std::vector<Claim> hola_order_claims();          ///< order of the tokens
std::vector<Claim> hola_visible_claims();        ///< what a query sees: causality and size
std::vector<Claim> hola_read_claims();           ///< the read as a regression, its limits
std::vector<Claim> hola_normalisation_claims();  ///< RMSNorm, unit keys, logits
std::vector<Claim> hola_share_claims();          ///< the weight of a match, Section 3.4
std::vector<Claim> hola_dimension_claims();      ///< which dimension the numbers of Section 3.4 are of

// Figures.
std::vector<Claim> hola_cost_claims();         ///< parameters and memory
std::vector<Claim> hola_main_figure_claims();  ///< Tables 1 and 2: perplexity, common sense, extraction
std::vector<Claim> hola_length_claims();       ///< Figure 1b and Table 3
std::vector<Claim> hola_ablation_claims();     ///< Tables 4 and 5
std::vector<Claim> hola_open_claims();         ///< what the publication does not decide

}  // namespace deltaproof::claims
