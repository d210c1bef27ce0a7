#pragma once

#include <random>
#include <vector>

#include "properties/accuracy/structure.hpp"

namespace deltaproof {

/// An output of one chunk, and how the errors of a correct kernel are spread.
struct ModelledChunk {
  std::int64_t head = 0, chunk = 0;
  Matrix expected;
  Noise noise;
};

/// The outputs of a gated delta rule in chunks of 32 tokens (two blocks of the inverse's merge), of 16 x 16 channels, the fewest that are rehearsed.
std::vector<ModelledChunk> modelled_chunks(std::int64_t heads, std::int64_t chunks);

/// Errors as the model has them: every rounding uniform within its half width, each known rounding made or not,
/// in one of its ways, and all of `worst`, in the direction of the right answer or against it.
class NoiseDraws {
 public:
  explicit NoiseDraws(std::uint64_t seed) : random_(seed) {}
  /// Which effect of each known rounding a kernel makes, -1 for none: one choice for the whole run.
  std::vector<int> choose_known(const Noise& noise);
  double choose_sign() { return random_() % 2 == 0 ? 1 : -1; }
  Matrix errors(const ModelledChunk& chunk, const std::vector<int>& known, double worst);
  double uniform(double low, double high);

 private:
  Matrix uniform(const Matrix& half_width);
  std::mt19937_64 random_;
};

/// Errors beyond what is known and worst, in standard deviations.
Matrix deviations_of(const Noise& noise, const Matrix& error);

/// The groups of one run whose chunks have these errors.
GroupSums groups_of(const std::vector<ModelledChunk>& chunks, const std::vector<Matrix>& errors);

}  // namespace deltaproof
