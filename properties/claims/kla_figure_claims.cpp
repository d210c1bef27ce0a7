#include "properties/claims/kla_claims.hpp"

namespace deltaproof::claims {

std::vector<Claim> kla_figure_claims() { return {}; }

}  // namespace deltaproof::claims
