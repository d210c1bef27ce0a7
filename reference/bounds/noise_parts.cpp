#include "reference/bounds/noise_parts.hpp"

#include <utility>

namespace deltaproof {

KnownErrors known_errors(const Matrix& x, const Matrix& error, const Rounding& rounding) {
  std::vector<Rounding> choices = {rounding};
  if (rounding.format.significant_bits < formats::tf32.significant_bits) choices.push_back(nearest(formats::tf32));
  KnownErrors known{{}, Matrix::Zero(x.rows(), x.cols()), {}};
  for (const Rounding& choice : choices) {
    const Matrix up = round_all(x + error, choice), down = round_all(x - error, choice);
    known.of_x.push_back((up + down) / 2 - x);
    known.half_width = known.half_width.cwiseMax((up - down) / 2);
  }
  known.rehearsal = round_all(x, rounding) - x - known.of_x.front();
  return known;
}

void NoiseParts::add_to_values(const char* name, const Matrix& left, const Matrix& right, const Matrix& value,
                               const Rounding& rounding) {
  add_to_values(name, left, right, value, rounding, 1);
}

void NoiseParts::add_to_values(const char* name, const Matrix& left, const Matrix& right, const Matrix& value,
                               const Rounding& rounding, double times) {
  if (!rounds(rounding)) return;
  const Matrix whole = left.size() == 0 ? Matrix::Identity(c.C, c.C) : left;
  NoiseSource source = rounding_noise(name, to_o(whole), right, value, rounding);
  source.variance *= times;
  noise.o.random.push_back(source);
  source.left = to_state(whole);
  noise.state.random.push_back(std::move(source));
}

void NoiseParts::add_bounded_to_values(const char* name, const Matrix& left, const Matrix& right,
                                       const Matrix& half_width, const Matrix& rehearsal) {
  if (half_width.isZero(0)) return;
  const Matrix whole = left.size() == 0 ? Matrix::Identity(c.C, c.C) : left;
  noise.o.random.push_back(bounded_noise(name, to_o(whole), right, half_width, rehearsal));
  noise.state.random.push_back(bounded_noise(name, to_state(whole), right, half_width, rehearsal));
}

void NoiseParts::add_known_to_values(const char* name, const std::vector<Matrix>& of_u) {
  KnownRounding o{name, {}}, state{name, {}};
  for (const Matrix& effect : of_u) {
    o.effects.push_back(to_o(effect));
    state.effects.push_back(to_state(effect));
  }
  noise.o.known.push_back(std::move(o));
  noise.state.known.push_back(std::move(state));
}

}  // namespace deltaproof
