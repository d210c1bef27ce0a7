// Prefill in two parts, cut anywhere: a kernel must not depend on where the grid of its chunks begins, and must hand
// its whole state on.
#include "properties/laws/applies.hpp"
#include "properties/laws/pieces.hpp"
#include "properties/laws/table.hpp"

namespace deltaproof::laws {
namespace {

std::string why_not(const Trial& trial) { return not_to_be_cut(trial.problem); }

// Half of the cuts at an end or next to it, where parts are of 0 or 1 tokens.
void check(const Trial& trial, Verdict& verdict) {
  Generator draw = draws_of(trial, "split");
  const auto T = static_cast<int>(longest_answered(trial.problem));
  const int ends[] = {0, 1, T - 1, T};
  const int cut = draw.integer(0, 1) == 0 ? ends[draw.integer(0, 3)] : draw.integer(0, T);
  verdict.notes.push_back("cut before token " + std::to_string(cut));
  agree_in_pieces(trial, trial.problem, {0, cut, T}, verdict);
}

}  // namespace

const Property split{"split", "a run cut anywhere, with the state handed on, agrees with one run within both bounds",
                     &why_not, &check};

}  // namespace deltaproof::laws
