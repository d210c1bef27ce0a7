#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "properties/claims/exact.hpp"
#include "properties/claims/kla_claims.hpp"

namespace deltaproof::claims {

/// Every claim of the Kaczmarz paper.
inline const std::vector<Claim>& kla_claims() {
  static const std::vector<Claim> all = [] {
    std::vector<Claim> list = kla_token_claims();
    for (auto* more : {&kla_chunk_claims, &kla_figure_claims}) {
      for (Claim& claim : more()) list.push_back(std::move(claim));
    }
    return list;
  }();
  return all;
}

inline const Claim& kla_claim(const std::string& id) {
  for (const Claim& claim : kla_claims()) {
    if (claim.id == id) return claim;
  }
  throw std::out_of_range("no claim " + id);
}

/// What a counterexample prints under a name.
inline std::string input(const Result& result, const std::string& name) {
  for (const Named& each : result.counterexample.value().inputs) {
    if (each.name == name) return each.value;
  }
  throw std::out_of_range("the counterexample has no " + name);
}

/// The numbers of "[1, 1/2; 0, 3]", "(1, 1/2)" or "3/4", row by row.
inline std::vector<std::vector<Rational>> numbers_of(const std::string& text) {
  std::vector<std::vector<Rational>> rows(1);
  std::string digits;
  const auto take = [&] {
    if (!digits.empty()) rows.back().emplace_back(digits);
    digits.clear();
  };
  for (const char c : text) {
    if ((c >= '0' && c <= '9') || c == '-' || c == '/') {
      digits.push_back(c);
    } else {
      take();
      if (c == ';') rows.emplace_back();
    }
  }
  take();
  return rows;
}

}  // namespace deltaproof::claims
