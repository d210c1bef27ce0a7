#include "properties/runs/run_properties.hpp"

#include <algorithm>
#include <array>

namespace deltaproof {

std::span<const RunProperty> run_properties() {
  static constexpr std::array table = {
      RunProperty{"accuracy", "outputs are the right answer, within the bound of the declared arithmetic"},
      RunProperty{"schedules", "the bits are the same whatever the order of threads and blocks (host)"},
      RunProperty{"checked", "there is no race, no access out of bounds, no uninitialised read (host)"},
      RunProperty{"against_host", "a GPU's bits are the host executor's (cuda)"},
  };
  return table;
}

bool is_run_property(std::string_view name) {
  const auto table = run_properties();
  return std::any_of(table.begin(), table.end(), [&](const RunProperty& each) { return each.name == name; });
}

}  // namespace deltaproof
