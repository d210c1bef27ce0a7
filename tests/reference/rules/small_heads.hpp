#pragma once

#include <cmath>
#include <initializer_list>
#include <vector>

#include "reference/problem/head.hpp"
#include "reference/rules/steps.hpp"

namespace deltaproof {

inline Matrix matrix_of(std::initializer_list<std::initializer_list<double>> rows) {
  Matrix result(static_cast<Index>(rows.size()), static_cast<Index>(rows.begin()->size()));
  Index r = 0;
  for (const auto& row : rows) {
    Index c = 0;
    for (const double x : row) result(r, c++) = x;
    ++r;
  }
  return result;
}

/// Two tokens, K = 2, V = 1: k_1 = (1, 2), v_1 = 7, q_1 = (1, 0); k_2 = (1, 1), v_2 = 5, q_2 = (1,
/// 3); S_0 = (2, 4)^T; scale 1/2.
inline HeadInputs two_token_head(Rule rule) {
  HeadInputs head;
  head.options.rule = rule;
  head.options.scale = 0.5;
  head.tokens = 2, head.K = 2, head.V = 1;
  head.q = matrix_of({{1, 0}, {1, 3}});
  head.k = matrix_of({{1, 2}, {1, 1}});
  head.v = matrix_of({{7}, {5}});
  head.initial_state = matrix_of({{2}, {4}});
  return head;
}

/// Every rule of the update family.
inline std::vector<Rule> update_family() {
  std::vector<Rule> rules;
  for (const RuleInfo& info : rule_table())
    if (info.system == System::update_family) rules.push_back(info.rule);
  return rules;
}

}  // namespace deltaproof
