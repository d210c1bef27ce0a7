#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "properties/claims/exact.hpp"
#include "properties/claims/hola_claims.hpp"

namespace deltaproof::claims {

/// All claims of the HOLA paper.
inline const std::vector<Claim>& hola_ledger() {
  static const std::vector<Claim> all = [] {
    std::vector<Claim> claims = hola_write_claims();
    for (auto* part : {&hola_cache_claims, &hola_figure_claims}) {
      const std::vector<Claim> some = part();
      claims.insert(claims.end(), some.begin(), some.end());
    }
    return claims;
  }();
  return all;
}

inline const Claim& hola_claim(const std::string& id) {
  for (const Claim& claim : hola_ledger()) {
    if (claim.id == id) return claim;
  }
  throw std::out_of_range("no claim " + id);
}

}  // namespace deltaproof::claims
