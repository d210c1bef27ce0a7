#include "properties/claims/kernel_claims.hpp"

#include <iterator>
#include <utility>

namespace deltaproof::claims {

std::vector<Claim> kernel_claims() {
  std::vector<Claim> all;
  for (auto* claims : {&kernel_run_claims, &kernel_power_claims, &kernel_fairness_claims, &kernel_zero_claims,
                       &kernel_sign_claims}) {
    std::vector<Claim> some = claims();
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace deltaproof::claims
