// Edits that change nothing, so that a check which rejects them is known to be wrong.
#include <utility>

#include "properties/defects/kernel_faults.hpp"
#include "properties/defects/tables.hpp"

namespace deltaproof {
namespace {

using namespace faults;

MakeFault nothing() {
  return of_run([](const Problem&, const Sequence&, std::int64_t, HeadInputs&) {});
}

MakeFault rounded_again(Point point) {
  return always(after(point, [point](const ChunkStep& step, MatrixF& value) {
    value = step.bits.round(value, point);
  }));
}

MakeFault unit_diagonal_of_inverse() {
  return always(after(Point::T, [](const ChunkStep&, MatrixF& T) { T.diagonal().setOnes(); }));
}

MakeFault scores_masked_again() {
  return always(after(Point::P, [](const ChunkStep& step, MatrixF& P) { P = step.bits.lower(P); }));
}

}  // namespace

std::vector<Defect> control_defects() {
  constexpr Reach everywhere = Reach::everywhere;
  constexpr BugClass harness = BugClass::harness;
  return {
      {"no_op", Stage::none, harness, "planted: nothing is changed", "-", nothing(), everywhere, Needs::nothing,
       "it is the right kernel: whatever rejects it is wrong"},
      {"o_rounded_again", Stage::attention, harness, "outputs are rounded to their type twice", "type(type(o))",
       rounded_again(Point::o), everywhere, Needs::nothing, "a number of a type rounds to itself"},
      {"T_unit_diagonal", Stage::solve, harness, "the diagonal of the inverse is set to one", "T_ii = 1",
       unit_diagonal_of_inverse(), everywhere, Needs::residual,
       "the inverse of a unit lower triangular matrix has a diagonal of ones, which every type holds"},
      {"P_masked_again", Stage::attention, harness, "scores are masked a second time", "P_ij = 0 for j > i",
       scores_masked_again(), everywhere, Needs::nothing, "what is above the diagonal is 0 already"},
  };
}

}  // namespace deltaproof
