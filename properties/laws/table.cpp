#include "properties/laws/table.hpp"

#include <algorithm>

namespace deltaproof {
namespace {

constexpr const Property* all[] = {
    &laws::repeatable,
};

}  // namespace

std::span<const Property* const> all_laws() { return all; }

const Property* find_law(std::string_view name) {
  const auto found = std::find_if(std::begin(all), std::end(all), [&](const Property* law) { return law->name == name; });
  return found == std::end(all) ? nullptr : *found;
}

}  // namespace deltaproof
