#include "properties/claims/kla_claims.hpp"
#include "properties/claims/kla_parts.hpp"
#include "properties/claims/kla_search.hpp"

namespace deltaproof::claims {

std::vector<Claim> kla_chunk_claims() {
  return together(kla_equation_claims(), kla_system_claims(), kla_appendix_claims(), kla_cost_claims(),
                  kla_memory_claims());
}

}  // namespace deltaproof::claims
