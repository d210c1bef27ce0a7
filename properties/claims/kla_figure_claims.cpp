#include "properties/claims/kla_claims.hpp"
#include "properties/claims/kla_parts.hpp"
#include "properties/claims/kla_search.hpp"

namespace deltaproof::claims {

std::vector<Claim> kla_figure_claims() {
  return together(kla_table_claims(), kla_task_claims(), kla_speed_claims(), kla_ablation_claims(),
                  kla_between_claims(), kla_model_claims(), kla_missing_claims());
}

}  // namespace deltaproof::claims
