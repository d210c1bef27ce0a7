#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.hpp"

namespace deltaproof::cli {

/// Whether verdicts of a property are asked for: all are, unless some were named.
inline bool wanted(const CheckArguments& arguments, std::string_view property) {
  const std::vector<std::string>& names = arguments.kernel.properties;
  return names.empty() || std::any_of(names.begin(), names.end(), [&](const std::string& name) {
           return name == "all" || name == property;
         });
}

}  // namespace deltaproof::cli
