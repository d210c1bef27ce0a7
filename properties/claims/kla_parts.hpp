#pragma once

#include <vector>

#include "properties/claims/claim.hpp"

/// The groups that kla_claims.hpp puts together.
namespace deltaproof::claims {

std::vector<Claim> kla_projection_claims();    ///< Eqs (1)-(2): the smallest change that meets the constraint
std::vector<Claim> kla_line_search_claims();   ///< Eq (4), Theorem 1: gradient and best step along it
std::vector<Claim> kla_residual_claims();      ///< Eq (5): what is left of the residual
std::vector<Claim> kla_scale_claims();         ///< what the size of a key does
std::vector<Claim> kla_proximal_claims();      ///< Proposition 1
std::vector<Claim> kla_delta_rule_claims();    ///< next to the gated delta rule
std::vector<Claim> kla_interference_claims();  ///< what a write does to other keys
std::vector<Claim> kla_capacity_claims();      ///< how many associations a state holds

std::vector<Claim> kla_equation_claims();  ///< Eqs (7)-(9)
std::vector<Claim> kla_system_claims();    ///< what Eqs (7)-(9) rest on: triangle, decays, normalised queries
std::vector<Claim> kla_appendix_claims();  ///< Appendix B
std::vector<Claim> kla_cost_claims();      ///< multiplications
std::vector<Claim> kla_memory_claims();    ///< what is kept between tokens, and for training

std::vector<Claim> kla_table_claims();     ///< language modelling: Tables 1 and 3
std::vector<Claim> kla_task_claims();      ///< synthetic tasks: Table 4
std::vector<Claim> kla_speed_claims();     ///< Section 5.4
std::vector<Claim> kla_ablation_claims();  ///< Table 5
std::vector<Claim> kla_between_claims();   ///< two printed values of what looks like one quantity
std::vector<Claim> kla_model_claims();     ///< size and training budget
std::vector<Claim> kla_missing_claims();   ///< what the tables do not have

}  // namespace deltaproof::claims
