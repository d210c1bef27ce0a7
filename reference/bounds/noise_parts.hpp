#pragma once

#include "reference/bounds/chunk_noise.hpp"
#include "reference/bounds/exact_chunk.hpp"

namespace deltaproof {

inline Matrix strictly_lower(const Matrix& m) { return m.triangularView<Eigen::StrictlyLower>(); }

inline bool rounds(const Rounding& rounding) { return rounding.mode != Rounding::Mode::exact; }

/// What a rounding point does to x, a function of the inputs that a kernel has within `error`.
struct KnownErrors {
  std::vector<Matrix> of_x;  ///< error of x: rounded as declared; to nearest in TF32, if that is finer
  Matrix half_width;         ///< how far each may be off, where `error` reaches across a rounding boundary
  Matrix rehearsal;          ///< how far the first is off for the exact x
};
KnownErrors known_errors(const Matrix& x, const Matrix& error, const Rounding& rounding);

/// What the parts of the model of one chunk share (docs/advisory.md, 2).
struct NoiseParts {
  const Chunk& c;
  const Chunk& in_fp32;  ///< the same chunk without roundings below fp32
  const ChunkFormats& f;
  ExactChunk x;
  ChunkNoise& noise;

  /// What an error of U, the written values, does to o and to the state.
  Matrix to_o(const Matrix& of_u) const { return x.scale * (x.P * of_u); }
  Matrix to_state(const Matrix& of_u) const { return x.K_to_end.transpose() * of_u; }

  /// A rounding point of `value`, whose errors enter U as left d right (0 x 0: the identity).
  void add_to_values(const char* name, const Matrix& left, const Matrix& right, const Matrix& value,
                     const Rounding& rounding);
  /// The same with a variance several times as large.
  void add_to_values(const char* name, const Matrix& left, const Matrix& right, const Matrix& value,
                     const Rounding& rounding, double times);
  /// Errors within +-half_width, of mean zero (bounded_noise).
  void add_bounded_to_values(const char* name, const Matrix& left, const Matrix& right, const Matrix& half_width,
                             const Matrix& rehearsal = {});
  /// Known errors of U, any of which a kernel may make.
  void add_known_to_values(const char* name, const std::vector<Matrix>& of_u);
};

void add_value_noise(NoiseParts& parts);   ///< of U, by the way its kernel solves for it
void add_output_noise(NoiseParts& parts);  ///< of what is made from the state and U
void add_fp32_noise(NoiseParts& parts);    ///< of sums and of the scan of the gates

}  // namespace deltaproof
