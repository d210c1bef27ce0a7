#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "fuzz/finding.hpp"
#include "properties/runs/problem_spec.hpp"

namespace deltaproof::fuzz {

/// What is under test; tests put in what is wrong.
struct ProblemTextFunctions {
  std::function<ProblemSpec(std::string_view)> read = &parse_spec;
  std::function<std::string(const ProblemSpec&)> write = &to_text;
  std::function<Problem(const ProblemSpec&)> draw = &problem_of;
};

/// The bytes as the one line that names a generated problem: refused with an InputError, or read. What is read survives
/// being written and read; a small one is drawn, twice to the same bits, or refused with an InputError.
void check_problem_text(Bytes bytes, const ProblemTextFunctions& functions = {});

}  // namespace deltaproof::fuzz
