#include "tests/reference/arithmetic/containment.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace deltaproof::arithmetic_tests {
namespace {

SetBlock shrunk(SetBlock sets, double by) {
  sets.radius /= by;
  return sets;
}

}  // namespace

void Containment::add(const MatrixF& values_of_kernel, const SetBlock& sets, const std::string& place) {
  for (Index i = 0; i < sets.rows(); ++i) {
    for (Index j = 0; j < sets.cols(); ++j) {
      ++values;
      const double radius = sets.radius(i, j);
      if (!(radius < std::numeric_limits<double>::infinity())) continue;
      ++known;
      unambiguous += radius == 0;
      // 64 bits: the difference of an fp32 number and a double beside it is exact, or far above the radius.
      const long double error = std::abs(static_cast<long double>(values_of_kernel(i, j)) - sets.centre(i, j));
      if (error <= radius) continue;
      if (outside++ == 0) {
        where = place + " (" + std::to_string(i) + ", " + std::to_string(j) + "): " +
                std::to_string(values_of_kernel(i, j)) + " is " + std::to_string(error / radius) + " radii off";
      }
    }
  }
}

void Containment::merge(const Containment& other) {
  values += other.values;
  known += other.known;
  unambiguous += other.unambiguous;
  if (outside == 0) where = other.where;
  outside += other.outside;
}

Containment contain(const Judged& judged, const HeadInputs& head, bool state_was_given) {
  const Index chunk = head.options.chunk_size;
  const Emulation kernel = emulate(judged.kernel, head, chunk, state_was_given);
  const auto sets_of = [&](const HeadInputs& run) {
    return pin(judged.declared, *judged.tensor_core, run, chunk, Matrix(), state_was_given);
  };
  Containment result;
  const PinnedRun whole = sets_of(head);
  result.add(kernel.o, shrunk(whole.o, judged.shrink), "carried, o");
  Matrix state = head.initial_state;
  for (std::size_t n = 0; n < kernel.states.size(); ++n) {
    const Index begin = static_cast<Index>(n) * chunk, count = std::min(chunk, head.tokens - begin);
    const std::string place = ", chunk " + std::to_string(n);
    result.add(kernel.states[n], shrunk(whole.states[n], judged.shrink), "carried, state" + place);
    const PinnedRun one = sets_of(head.slice(begin, count, state));
    result.add(kernel.o.middleRows(begin, count), shrunk(one.o, judged.shrink), "o" + place);
    result.add(kernel.states[n], shrunk(one.states[0], judged.shrink), "state" + place);
    state = kernel.states[n].cast<double>();
    if (!state.allFinite()) break;  // such a state is no input
  }
  return result;
}

}  // namespace deltaproof::arithmetic_tests
