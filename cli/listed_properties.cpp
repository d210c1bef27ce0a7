#include "cli/listed_properties.hpp"

#include "properties/laws/property.hpp"
#include "properties/runs/run_properties.hpp"
#include "properties/runs/solve_properties.hpp"
#include "properties/stages/stage_properties.hpp"

namespace deltaproof::cli {

std::vector<ListedProperty> listed_properties() {
  std::vector<ListedProperty> listed;
  for (const RunProperty& each : run_properties()) listed.push_back({each.name, each.sentence});
  for (const Property* law : all_laws()) listed.push_back({law->name, law->sentence});
  for (const SolveProperty* each : solve_properties()) {
    if (!is_run_property(each->name)) listed.push_back({each->name, each->sentence});
  }
  for (const StageProperty* each : stage_properties()) {
    if (!is_run_property(each->name)) listed.push_back({each->name, each->sentence});
  }
  return listed;
}

}  // namespace deltaproof::cli
