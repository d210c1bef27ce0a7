#include <algorithm>
#include <iterator>

#include "properties/claims/hola_claims.hpp"
#include "properties/claims/hola_parts.hpp"

namespace deltaproof::claims {

std::vector<Claim> hola_write_claims() {
  std::vector<Claim> all;
  for (auto* part :
       {&hola_score_claims, &hola_rule_claims, &hola_spectrum_claims, &hola_rank_claims, &hola_ranking_claims}) {
    std::vector<Claim> some = part();
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace deltaproof::claims
