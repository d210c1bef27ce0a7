#pragma once

#include <span>
#include <string_view>

namespace deltaproof {

/// A property that `check_run` has a verdict for, beside the laws of properties/laws/.
struct RunProperty {
  std::string_view name;
  std::string_view sentence;
};

std::span<const RunProperty> run_properties();
/// True if `check_run` judges it.
bool is_run_property(std::string_view name);

}  // namespace deltaproof
