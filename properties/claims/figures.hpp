#pragma once

#include <string>
#include <vector>

#include "properties/claims/claim.hpp"
#include "properties/claims/exact.hpp"

namespace deltaproof::claims {

/// Every number that rounds to a printed one lies in [low, high].
struct Range {
  Rational low, high;
};
Range operator+(const Range& a, const Range& b);
Range operator-(const Range& a, const Range& b);
Range operator*(const Range& a, const Range& b);
/// Throws std::domain_error if `b` holds 0.
Range operator/(const Range& a, const Range& b);
Range exactly(const Rational& value);

/// A number as printed: "8.50" is the value 17/2 and stands for anything in [8.495, 8.505].
struct Figure {
  std::string text;
  Rational value;
  Range range;
  int places = 0;  ///< digits after the point
  std::string what, place;  ///< "validation perplexity of KLA", "Table 1, p. 2"
};

/// Of a decimal text: digits, at most one point, a sign. Throws std::invalid_argument.
Figure printed(const std::string& text);

/// A published figure of properties/claims/figures/PAPER.json. Throws std::out_of_range naming paper and key.
Figure figure(const std::string& paper, const std::string& key);

/// Every key of a paper's figures, sorted.
std::vector<std::string> figure_keys(const std::string& paper);

/// Whether a printed result follows from printed figures: `holds` if `value`, worked out from them as printed, rounds to it;
/// `conditional` if it does for some unrounded figures (`range`) only; else `refuted`. `what`: "8.50 - 8.09".
Result follows(const Figure& result, const Rational& value, const Range& range, const std::string& what);

}  // namespace deltaproof::claims
