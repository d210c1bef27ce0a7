#include <algorithm>
#include <iterator>

#include "properties/claims/hola_claims.hpp"
#include "properties/claims/hola_parts.hpp"

namespace deltaproof::claims {

std::vector<Claim> hola_cache_claims() {
  std::vector<Claim> all;
  for (auto* part : {&hola_merge_claims, &hola_selection_claims, &hola_order_claims, &hola_visible_claims,
                     &hola_read_claims, &hola_normalisation_claims, &hola_share_claims, &hola_dimension_claims}) {
    std::vector<Claim> some = part();
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace deltaproof::claims
