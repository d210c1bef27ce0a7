#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace deltaproof {

/// What a page keeps of profiles.
struct ProfileBudget {
  std::size_t bytes = 8 << 20;  ///< of JSON, in all
  std::size_t closest = 50;     ///< verdicts that passed: this many of those nearest their bound
};

/// A report as a page holds it: without white space, profiles within the budget, first of what did not pass, then of
/// what passed, largest ratio first. A verdict that lost its profile has `profile_left_out`.
std::string page_report(std::string_view report, const ProfileBudget& budget = {});

/// Without white space, which is most of a kill matrix; "null" for no JSON.
std::string compact_json(std::string_view json);

/// JSON that can stand in a script element: no "<", so no name in it can end the element or open a comment.
std::string script_json(std::string_view json);

}  // namespace deltaproof
