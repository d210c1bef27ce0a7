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

/// Adds to `sums` the groups that the outputs of one chunk belong to, unless they are too few to be rehearsed.
/// `error`: kernel less right answer.
void add_groups(bool is_state, std::int64_t head, std::int64_t chunk, const Matrix& error, const Matrix& expected,
                const Noise& noise, const Matrix& z, GroupSums& sums);

/// What is beyond its limit, worst first, so that a correct kernel has any with probability at most `alarm`
/// (docs/advisory.md, 3). `correlation`: of the elements of one chunk, at most (correlation_norm).
std::vector<Structure> structures(const GroupSums& sums, double correlation, double alarm);

}  // namespace deltaproof
