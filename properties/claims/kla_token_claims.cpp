#include "properties/claims/kla_claims.hpp"

namespace deltaproof::claims {

std::vector<Claim> kla_token_claims() { return {}; }

}  // namespace deltaproof::claims
