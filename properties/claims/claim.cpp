#include "properties/claims/claim.hpp"

#include <algorithm>
#include <iterator>

#include "properties/claims/hola_claims.hpp"
#include "properties/claims/kernel_claims.hpp"
#include "properties/claims/kla_claims.hpp"

namespace deltaproof::claims {

const char* outcome_name(Outcome outcome) {
  switch (outcome) {
    case Outcome::holds:
      return "holds";
    case Outcome::conditional:
      return "holds under a condition";
    case Outcome::refuted:
      return "refuted";
    case Outcome::undecidable:
      return "not decidable";
  }
  return "?";
}

const char* voice_name(Voice voice) {
  switch (voice) {
    case Voice::stated:
      return "stated";
    case Voice::derived:
      return "worked out from it";
    case Voice::reading:
      return "a reading";
  }
  return "?";
}

const std::vector<Claim>& claim_table() {
  static const std::vector<Claim> all = [] {
    std::vector<Claim> table;
    for (auto* claims : {&kla_token_claims, &kla_chunk_claims, &kla_figure_claims, &hola_write_claims,
                         &hola_cache_claims, &hola_figure_claims, &kernel_claims}) {
      std::vector<Claim> some = claims();
      std::move(some.begin(), some.end(), std::back_inserter(table));
    }
    return table;
  }();
  return all;
}

const Claim* find_claim(const std::string& id) {
  const std::vector<Claim>& all = claim_table();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Claim& claim) { return claim.id == id; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace deltaproof::claims
