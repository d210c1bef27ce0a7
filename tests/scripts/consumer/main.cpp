#include <iostream>

#include "reference/rules/rule.hpp"

int main() {
  for (const deltaproof::RuleInfo& rule : deltaproof::rule_table()) {
    std::cout << rule.name << '\n';
  }
}
