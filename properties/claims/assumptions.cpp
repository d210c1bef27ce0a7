#include "properties/claims/assumptions.hpp"

#include <iterator>
#include <utility>

#include "properties/claims/assumption_groups.hpp"

namespace deltaproof::claims {

const std::vector<Assumption>& assumptions() {
  static const std::vector<Assumption> all = [] {
    std::vector<Assumption> table;
    for (auto* group : {&instruction_assumptions, &tensor_core_assumptions, &device_assumptions,
                        &arithmetic_assumptions, &toolchain_assumptions, &method_assumptions}) {
      std::vector<Assumption> some = group();
      std::move(some.begin(), some.end(), std::back_inserter(table));
    }
    return table;
  }();
  return all;
}

}  // namespace deltaproof::claims
