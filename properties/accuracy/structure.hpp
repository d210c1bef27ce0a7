#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

#include "reference/bounds/noise.hpp"
#include "reference/verdict.hpp"

namespace deltaproof {

/// Elements whose errors are looked at together. `row`: position in the chunk of `o`, key channel of a state.
enum class Grouping { all, head, chunk, row, column };

struct GroupKey {
  bool is_state = false;
  Grouping grouping = Grouping::all;
  std::int64_t index = -1;
  friend auto operator<=>(const GroupKey&, const GroupKey&) = default;
};

/// Sums over the elements of a group: e error, x right answer, z error beyond what is not random in units of its
/// standard deviation, w weights 1 / variance.
struct GroupSum {
  std::int64_t count = 0;
  double energy = 0;     ///< sum z^2
  double rehearsed_energy = 0;  ///< the same of the errors that rounding the exact values would make
  double effect = 1;     ///< the largest design effect of a chunk (docs/advisory.md, 3)
  double along = 0;      ///< sum w x e
  double square = 0;     ///< sum w x^2
  ProjectedNoise noise;  ///< of `along`, for a correct kernel

  void add(const GroupSum& other);
};

using GroupSums = std::map<GroupKey, GroupSum>;

/// One output of one chunk, as far as its errors are looked at; all matrices have its shape.
struct ChunkErrors {
  bool is_state = false;
  std::int64_t head = 0, chunk = 0;
  const Matrix& error;      ///< kernel less right answer
  const Matrix& expected;   ///< right answer
  const Matrix& z;          ///< errors beyond what is not random, in standard deviations
  const Noise& noise;
  const Matrix& variance;   ///< of the noise
  const Matrix& rehearsed;  ///< rehearsed_energy of the noise
};

/// Squares of the rehearsed errors in units of their variance; 0 where nothing is random.
Matrix rehearsed_energy(const Noise& noise, const Matrix& variance);

/// Adds to `sums` the groups that the errors belong to, unless they are too few to be rehearsed.
void add_groups(const ChunkErrors& errors, GroupSums& sums);

/// What is beyond its limit, worst first, so that a correct kernel has any with probability at most `alarm`
/// (docs/advisory.md, 3). `correlation`: of the elements of one chunk, at most (correlation_norm).
std::vector<Structure> structures(const GroupSums& sums, double correlation, double alarm);

}  // namespace deltaproof
