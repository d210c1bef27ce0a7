#pragma once

#include <cstdint>
#include <vector>

#include "kernels/built_in/cache_contents.hpp"

namespace deltaproof {

/// Sizes of a stage's inputs.
struct StageShape {
  std::int64_t B = 1, T = 0, H = 1, HV = 1, K = 16, V = 16;
  std::vector<std::int64_t> lengths = {};  ///< packed sequences, one behind the other; B is 1. Empty: B rows of T

  std::int64_t sequences() const { return lengths.empty() ? B : static_cast<std::int64_t>(lengths.size()); }
  /// Blocks of C tokens on a batch row: NB.
  std::int64_t blocks(std::int64_t C) const;
};

/// What `scores` is given. What the score does not read may be empty.
struct ScoresInput {
  StageShape shape;
  CallScore score = CallScore::beta_e;
  std::vector<float> u;  ///< b e, or e for score `e` [B, T, HV, V]
  Tensor k, v, write;    ///< [B, T, H, K], [B, T, HV, V] of one type; [B, T, HV]
  Coefficient coefficient = Coefficient::given;
  bool normalise_k = false;
  float eps = 0, l2norm_eps = 0, c = 1;
};
/// Scores [B, T, HV]. Throws KernelError.
std::vector<float> stage_scores(const Device& device, const ScoresInput& input);

/// What `select` is given: scores [B, T, HV].
struct SelectInput {
  StageShape shape;
  std::int64_t w = 0, C = 1;
  std::vector<float> scores;
};
/// Sets [B, NB, HV, w], -1 behind. Throws KernelError, also where a score is NaN or negative.
std::vector<std::int32_t> stage_select(const Device& device, const SelectInput& input);

/// What `cache_read` is given. `selected` [B, NB, HV, w]: indices of earlier tokens of the sequence
/// in any order, or negative.
struct ReadInput {
  StageShape shape;
  std::int64_t w = 0, C = 1;
  CallRead read = CallRead::rmsnorm;
  bool read_block = true;  ///< false: queries see the cache alone
  float logit_scale = 1, read_eps = 1e-6f, l2norm_eps = 1e-6f;
  Tensor q, k, v, o;        ///< o: of the state, in the type of q, k and v
  Tensor gamma_q, gamma_k;  ///< [HV, K], read `rmsnorm`
  Tensor sink, gate;        ///< [HV]
  std::vector<std::int32_t> selected;
};
struct ReadOutput {
  Tensor o;
  std::vector<float> cache_o;      ///< before the gate [B, T, HV, V]
  std::vector<float> key_factors;  ///< [B, T, H]
};
/// Throws KernelError, also where `selected` names no earlier token.
ReadOutput stage_read(const Device& device, const ReadInput& input);

/// What `hola_fill` is given: a prefill's keys, values, scores and sets.
struct FillInput {
  StageShape shape;
  std::int64_t w = 0, C = 1;
  CallRead read = CallRead::rmsnorm;
  float read_eps = 1e-6f, l2norm_eps = 1e-6f;
  Tensor k, v;
  std::vector<float> scores;
  std::vector<std::int32_t> selected;
};
/// The cache with which decoding goes on, a row for each sequence. Throws KernelError.
CacheContents stage_fill(const Device& device, const FillInput& input);

}  // namespace deltaproof
