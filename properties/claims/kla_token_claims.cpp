#include "properties/claims/kla_claims.hpp"
#include "properties/claims/kla_parts.hpp"
#include "properties/claims/kla_search.hpp"

namespace deltaproof::claims {

std::vector<Claim> kla_token_claims() {
  return together(kla_projection_claims(), kla_line_search_claims(), kla_residual_claims(), kla_scale_claims(),
                  kla_proximal_claims(), kla_delta_rule_claims(), kla_interference_claims(), kla_capacity_claims());
}

}  // namespace deltaproof::claims
