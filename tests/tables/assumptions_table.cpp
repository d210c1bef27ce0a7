// deltaproof_assumption_tables NAME prints one table of docs/what-this-rests-on.md; without a name, the names and the page.

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "properties/claims/assumptions.hpp"

namespace deltaproof {
namespace {

using claims::Assumption;
using claims::assumptions;

std::string name_of(const std::string& group) {
  std::string name = group;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

std::vector<std::string> groups() {
  std::vector<std::string> all;
  for (const Assumption& each : assumptions()) {
    if (all.empty() || all.back() != each.group) all.push_back(each.group);
  }
  return all;
}

std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

void print(const std::string& group) {
  fmt::print("| what | value | from | if it were wrong | supported by |\n|---|---|---|---|---|\n");
  for (const Assumption& each : assumptions()) {
    if (each.group != group) continue;
    fmt::print("| {} | {} | {} | {} | {} |\n", cell(each.what), cell(each.value), cell(each.source), cell(each.if_wrong),
               each.supported_by.empty() ? "nothing else" : cell(each.supported_by));
  }
}

}  // namespace
}  // namespace deltaproof

int main(int argc, char** argv) {
  using namespace deltaproof;
  for (const std::string& group : groups()) {
    if (argc < 2) fmt::print("{} docs/what-this-rests-on.md from the code's own tables\n", name_of(group));
    if (argc == 2 && name_of(group) == argv[1]) return print(group), 0;
  }
  if (argc < 2) return 0;
  fmt::print(stderr, "deltaproof_assumption_tables: no table named {}\n", argv[1]);
  return 2;
}
