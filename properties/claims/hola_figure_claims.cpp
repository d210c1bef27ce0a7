#include <algorithm>
#include <iterator>

#include "properties/claims/hola_claims.hpp"
#include "properties/claims/hola_parts.hpp"

namespace deltaproof::claims {

std::vector<Claim> hola_figure_claims() {
  std::vector<Claim> all;
  for (auto* part :
       {&hola_cost_claims, &hola_main_figure_claims, &hola_length_claims, &hola_ablation_claims, &hola_open_claims}) {
    std::vector<Claim> some = part();
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace deltaproof::claims
