#pragma once

#include <string_view>
#include <vector>

namespace deltaproof::cli {

/// A property as `list properties` shows it and `--property` takes it.
struct ListedProperty {
  std::string_view name, sentence;
};

/// Of every run, laws, of the solve, of the stages of a cache. Each name once.
std::vector<ListedProperty> listed_properties();

}  // namespace deltaproof::cli
