#pragma once

#include <map>
#include <string>
#include <vector>

#include "reference/bounds/rounding.hpp"

namespace deltaproof {

/// What one rounding point adds to an output: left d right, where the elements of d are independent and symmetric,
/// each with a distribution no wider than the uniform one on [-h, h] (docs/advisory.md, 1).
struct NoiseSource {
  std::string name;
  Matrix left;       ///< rows x a; 0 x 0: the identity
  Matrix right;      ///< b x columns; 0 x 0: the identity
  Matrix variance;   ///< a x b: h^2 / 3
  Matrix rehearsal;  ///< a x b: the errors that rounding the exact values would make

  /// left d right, for errors d: a x b.
  Matrix carried(const Matrix& d) const;
};

/// A rounding of something that is known: a function of the inputs alone, or the mean of a truncation. A kernel of
/// the family adds one of `effects` to its output, or nothing.
struct KnownRounding {
  std::string name;
  std::vector<Matrix> effects;  ///< rows x columns each
};

/// How one output of a chunk kernel is spread about the exact one: rows x columns.
struct Noise {
  std::vector<NoiseSource> random;
  std::vector<KnownRounding> known;
  Matrix worst;  ///< what is not random: errors of fp32 arithmetic, in the worst case

  /// Of each element.
  Matrix variance() const;
  /// The random part of each element, if the exact values were rounded.
  Matrix rehearsal() const;
  /// Sums over `known` of the smallest and of the largest effect; 0 counts as one.
  Matrix low() const;
  Matrix high() const;
  /// Covariance of the random part times x.
  Matrix covariance_times(const Matrix& x) const;
};

/// The same noise with fewer sources: those that enter an output in the same way are one.
Noise combined(const Noise& noise);

/// A weighted sum of an output's errors: how it is spread for a correct kernel.
struct ProjectedNoise {
  double variance = 0;
  double worst = 0;
  double rehearsal = 0;  ///< the random part, if the exact values were rounded
  /// Of each known rounding, by its name: what each of its effects adds.
  std::map<std::string, std::vector<double>> known;

  void add(const ProjectedNoise& other);
  /// What a kernel's known roundings may add to the sum: the choice that comes nearest to `sum`.
  double nearest_known(double sum) const;
};

/// sum_ij w_ij e_ij; for each row i, sum_j w_ij e_ij; for each column j, sum_i w_ij e_ij.
ProjectedNoise project(const Noise& noise, const Matrix& weights);
std::vector<ProjectedNoise> project_rows(const Noise& noise, const Matrix& weights);
std::vector<ProjectedNoise> project_columns(const Noise& noise, const Matrix& weights);

/// Estimate from above of the largest eigenvalue of the correlation matrix of all elements of an output (its random
/// part, each element divided by its standard deviation), by power iteration (docs/advisory.md, 3).
double correlation_norm(const Noise& noise);

/// Random errors of one rounding point for the exact values x, from which the kernel's may be `apart` (0 x 0: not).
NoiseSource rounding_noise(std::string name, Matrix left, Matrix right, const Matrix& x, const Rounding& rounding,
                           const Matrix& apart = {});

/// Any distribution within +-half_width about a mean of zero. `rehearsal`: 0 x 0 for sums in fp32, of which nothing
/// is known.
NoiseSource bounded_noise(std::string name, Matrix left, Matrix right, const Matrix& half_width,
                          const Matrix& rehearsal = {});

/// The same errors multiplied by a factor.
NoiseSource scaled(NoiseSource source, double factor);

/// x as the rounding point stores it.
Matrix round_all(const Matrix& x, const Rounding& rounding);

}  // namespace deltaproof
