#include <algorithm>
#include <stdexcept>

#include "reference/oracle/answer.hpp"
#include "reference/oracle/hola_answer.hpp"

namespace deltaproof {
namespace {

bool narrow(double value, double radius, double relative_width) {
  return 2 * radius <= relative_width * std::max(1.0, std::abs(value));
}

bool narrow(const Matrix& value, const Matrix& radius, double relative_width) {
  for (Index i = 0; i < value.size(); ++i)
    if (!narrow(value.data()[i], radius.data()[i], relative_width)) return false;
  return true;
}

bool columns_narrow(const std::vector<Matrix>& values, const std::vector<RowVector>& radii,
                    double relative_width) {
  for (std::size_t n = 0; n < values.size(); ++n)
    if (!narrow(values[n], radii[n].replicate(values[n].rows(), 1), relative_width)) return false;
  return true;
}

bool narrow(const HeadAnswer& answer, double relative_width) {
  return narrow(answer.o, answer.o_radius, relative_width) &&
         narrow(answer.u, answer.u_radius, relative_width) &&
         columns_narrow(answer.states, answer.state_radius, relative_width) &&
         columns_narrow(answer.slot_values, answer.slot_values_radius, relative_width);
}

// Scores are doubles with a radius: where these bits do not tell them apart, no more will.
constexpr int bits_for_scores = 256;

}  // namespace

HeadAnswer answer_mpfi_to_width(const HeadInputs& head, const AnswerRequest& request,
                                double relative_width, int max_bits) {
  int bits = std::min(128, max_bits);
  HeadAnswer answer = answer_mpfi(head, request, bits);
  const auto hopeless = [&] { return bits >= bits_for_scores && sets_undecided(answer); };
  while (!narrow(answer, relative_width) && bits < max_bits && !hopeless()) {
    bits = std::min(2 * bits, max_bits);
    answer = answer_mpfi(head, request, bits);
  }
  return answer;
}

}  // namespace deltaproof
