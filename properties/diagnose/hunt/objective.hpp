#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "reference/problem/case_file.hpp"
#include "reference/verdict.hpp"

namespace deltaproof {

/// What the search makes large.
enum class Objective {
  bound,     ///< error over bound: above 1 a value is further off than a correct kernel can be
  sigma,     ///< error in standard deviations of the advisory tier
  relative,  ///< rms error of a head's outputs over their rms (relative_error)
};
inline constexpr std::array objectives = {Objective::bound, Objective::sigma, Objective::relative};
std::string_view objective_name(Objective objective);
std::optional<Objective> find_objective(std::string_view name);

/// rms(o - exact o) / rms(exact o) over all tokens of a sequence and head, of whole runs; the largest. Whatever the
/// scale of q and v, it is the same. Left out are heads
/// - whose outputs are small because their queries stand at right angles to what is stored: rms(o) is below 1/16 of the rms
///   of scale |q_t| |S_t|. Any error is large relative to those (not with a cache, where more is read than a state);
/// - whose largest output is no normal number of o's type: underflow alone would make it 1;
/// - with a value that is not finite: the verdict says so;
/// - whose exact answer is not known to an eighth of the error; with a cache, for which other sets would do as well.
/// Empty if no head is left.
std::optional<double> relative_error(const Problem& problem, const Outputs& outputs);

/// The value of each objective of one run, in the order of `objectives`; empty where there is none.
using ObjectiveValues = std::array<std::optional<double>, objectives.size()>;
ObjectiveValues values_of(const Problem& problem, const Outputs& outputs, const Verdict& verdict);

/// For ranking across types: a relative error in units of roundoff of o's type; the others as they are.
double rank_value(Objective objective, double value, Dtype type);

}  // namespace deltaproof
