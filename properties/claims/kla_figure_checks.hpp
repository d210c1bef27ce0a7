#pragma once

#include <string>
#include <vector>

#include "properties/claims/figures.hpp"

/// Statements about the published figures of the Kaczmarz paper (figures/kla.json), by their keys.
namespace deltaproof::claims {

/// a - b, printed as `result`.
Result difference_is(const Effort& effort, std::string a, std::string b, std::string result);
/// a / b, printed as `result`.
Result ratio_is(const Effort& effort, std::string a, std::string b, std::string result);
/// a / b - 1 in %, printed as `result`.
Result percent_more_is(const Effort& effort, std::string a, std::string b, std::string result);
/// a * b of counts, which are exact, is `result`.
Result product_is(const Effort& effort, std::string a, std::string b, std::string result);
/// 1000 / a, printed as `result`: ms for one from a second's count.
Result milliseconds_are(const Effort& effort, std::string a, std::string result);

/// Each figure is below the next, whatever the unprinted digits.
Result ascending(const Effort& effort, std::vector<std::string> keys);

enum class Better { lower, higher };
/// In each row the first figure is the best one.
Result first_is_best(const Effort& effort, std::vector<std::vector<std::string>> rows, Better better);

/// In each row first - second, as printed, is from `low` to `high`.
Result differences_within(const Effort& effort, std::vector<std::vector<std::string>> rows, std::string low,
                          std::string high);

/// Every figure is printed as `value` (100 as 100.00, too).
Result all_are(const Effort& effort, std::vector<std::string> keys, std::string value);

/// How such a check works, for `Claim::method`.
extern const char* const figure_method;

}  // namespace deltaproof::claims
