#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/listed_properties.hpp"
#include "cli/output.hpp"
#include "kernels/built_in/capabilities.hpp"
#include "properties/claims/claim.hpp"
#include "properties/defects/catalogue.hpp"
#include "properties/regimes/families.hpp"
#include "reference/problem/arithmetics.hpp"
#include "reference/rules/rule.hpp"

namespace deltaproof::cli {
namespace {

std::string line(std::string_view name, std::string_view summary) {
  return fmt::format("{}  {}\n", name, summary);
}

template <class Table>
std::string lines(const Table& table) {
  std::string text;
  for (const auto& entry : table) text += line(entry.name, entry.summary);
  return text;
}

}  // namespace

int run_list(const ListArguments& arguments) {
  std::string text;
  if (arguments.what == "rules") text = lines(rule_table());
  if (arguments.what == "kernels") text = lines(built_in_kernels());
  if (arguments.what == "regimes") text = lines(regimes());
  if (arguments.what == "arithmetics") text = lines(arithmetic_table());
  if (arguments.what == "defects") {
    for (const Defect& defect : defect_catalogue()) text += line(defect.id, defect.sentence);
  }
  if (arguments.what == "properties") {
    for (const ListedProperty& each : listed_properties()) text += line(each.name, each.sentence);
  }
  if (arguments.what == "claims") {
    for (const claims::Claim& claim : claims::claim_table()) text += line(claim.id, claim.statement);
  }
  print(text);
  return 0;
}

}  // namespace deltaproof::cli
