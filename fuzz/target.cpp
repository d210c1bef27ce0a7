#include "fuzz/target.hpp"

#include <algorithm>
#include <array>

#include "fuzz/targets/arithmetic.hpp"
#include "fuzz/targets/barriers.hpp"
#include "fuzz/targets/case_file.hpp"
#include "fuzz/targets/chunk.hpp"
#include "fuzz/targets/problem_text.hpp"
#include "fuzz/targets/selection.hpp"
#include "fuzz/targets/solve.hpp"

namespace deltaproof::fuzz {

std::span<const Target> targets() {
  static constexpr std::array<Target, 7> table = {{
      {"arithmetic", [](Bytes bytes) { check_arithmetic(bytes); }},
      {"barriers", [](Bytes bytes) { check_barriers(bytes); }},
      {"case_file", [](Bytes bytes) { check_case_file(bytes); }},
      {"chunk", [](Bytes bytes) { check_chunk(bytes); }},
      {"problem_text", [](Bytes bytes) { check_problem_text(bytes); }},
      {"selection", [](Bytes bytes) { check_selection(bytes); }},
      {"solve", [](Bytes bytes) { check_solve_target(bytes); }},
  }};
  return table;
}

const Target* find_target(std::string_view name) {
  const auto found = std::find_if(targets().begin(), targets().end(), [&](const Target& t) { return t.name == name; });
  return found == targets().end() ? nullptr : &*found;
}

}  // namespace deltaproof::fuzz
