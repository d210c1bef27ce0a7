#include "properties/claims/kernel_claims.hpp"

namespace deltaproof::claims {

std::vector<Claim> kernel_claims() { return {}; }

}  // namespace deltaproof::claims
