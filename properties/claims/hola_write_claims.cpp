#include "properties/claims/hola_claims.hpp"

namespace deltaproof::claims {

std::vector<Claim> hola_write_claims() { return {}; }

}  // namespace deltaproof::claims
