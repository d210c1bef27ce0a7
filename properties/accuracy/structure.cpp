#include "properties/accuracy/structure.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace deltaproof {
namespace {

const char* name_of(Grouping grouping, bool is_state) {
  switch (grouping) {
    case Grouping::all: return "all";
    case Grouping::head: return "head";
    case Grouping::chunk: return "chunk";
    case Grouping::row: return is_state ? "row" : "position";
    case Grouping::column: break;
  }
  return "column";
}

// A chunk with fewer rows or columns cannot tell whether its roundings repeat.
constexpr Index fewest_rehearsals = 16;

// Mean square of n rehearsals in units of their deviation, as far as it is above what chance makes of 1: the mean of n
// squares of normal values has the deviation sqrt(2 / n).
double beyond_chance(double sum_of_squares, double n) {
  return n == 0 ? 1 : std::max(1.0, sum_of_squares / n / (1 + 3 * std::sqrt(2 / n)));
}

// How much wider sums are spread than independent errors would have them, judged by the errors that rounding the
// exact values would make (docs/advisory.md, 3): along rows and along columns of the outputs.
struct DesignEffect {
  double rows = 1, columns = 1;

  double of(Grouping grouping) const {
    if (grouping == Grouping::row) return rows;
    if (grouping == Grouping::column) return columns;
    return rows * columns;
  }
};

double effect_along(const std::vector<ProjectedNoise>& sums) {
  double squares = 0, count = 0;
  for (const ProjectedNoise& noise : sums) {
    if (!(noise.variance > 0)) continue;
    squares += noise.rehearsal * noise.rehearsal / noise.variance;
    ++count;
  }
  return beyond_chance(squares, count);
}

// What repeats from chunk to chunk, too: of all sums over rows and over columns.
DesignEffect effect_across_chunks(const GroupSums& sums, bool is_state) {
  std::vector<ProjectedNoise> rows, columns;
  for (const auto& [key, group] : sums) {
    if (key.is_state != is_state) continue;
    if (key.grouping == Grouping::row) rows.push_back(group.noise);
    if (key.grouping == Grouping::column) columns.push_back(group.noise);
  }
  return {effect_along(rows), effect_along(columns)};
}

// How far from what is expected, in units of what chance allows: to sort by.
double excess(const Structure& s) {
  return s.statistic == "slope" ? std::abs(s.value - s.expected) / s.limit : s.value / s.limit;
}

// The slope of the error on the right answer: sub-Gaussian about what is known, plus the worst of fp32.
bool is_sloped(const GroupSum& group, double deviations, double effect, Structure& s) {
  if (!(group.square > 0)) return false;
  const double chance = deviations * std::sqrt(effect * group.noise.variance) + group.noise.worst;
  if (std::abs(group.along) <= chance) return false;  // near zero already: which roundings are made does not matter
  const double known = group.noise.nearest_known(group.along);
  s.statistic = "slope";
  s.value = group.along / group.square;
  s.expected = known / group.square;
  s.limit = chance / group.square;
  return !(std::abs(group.along - known) <= chance);
}

// The mean of z^2: Hsu, Kakade and Zhang (2012), a tail of quadratic forms of sub-Gaussian vectors.
bool is_energetic(const GroupSum& group, double correlation, double exponent, Structure& s) {
  if (group.count == 0) return false;
  const auto count = static_cast<double>(group.count);
  const double share = correlation * group.effect * exponent / count;
  s.statistic = "energy";
  s.value = group.energy / count;
  s.expected = std::max(1.0, group.rehearsed_energy / count);
  s.limit = s.expected * (1 + 2 * std::sqrt(share) + 2 * share);
  return !(s.value <= s.limit);
}

}  // namespace

void GroupSum::add(const GroupSum& other) {
  count += other.count;
  energy += other.energy;
  rehearsed_energy += other.rehearsed_energy;
  effect = std::max(effect, other.effect);
  along += other.along;
  square += other.square;
  noise.add(other.noise);
}

Matrix rehearsed_energy(const Noise& noise, const Matrix& variance) {
  return noise.rehearsal().cwiseAbs2().binaryExpr(variance, [](double r, double v) { return v > 0 ? r / v : 0.0; });
}

void add_groups(const ChunkErrors& of, GroupSums& sums) {
  const Matrix &error = of.error, &expected = of.expected;
  if (error.rows() < fewest_rehearsals || error.cols() < fewest_rehearsals) return;
  const Matrix spread = of.variance + of.noise.worst.cwiseAbs2();
  const Matrix weights =
      expected.binaryExpr(spread, [](double x, double s) { return s > 0 && std::isfinite(s) ? x / s : 0.0; });
  const Matrix along = weights.cwiseProduct(error), square = weights.cwiseProduct(expected);
  const Matrix energy = of.z.cwiseAbs2();
  auto by_row = project_rows(of.noise, weights), by_column = project_columns(of.noise, weights);
  const DesignEffect effect{effect_along(by_row), effect_along(by_column)};
  const auto add = [&](Grouping grouping, std::int64_t index, const auto& part, ProjectedNoise projected) {
    projected.variance *= effect.of(grouping);
    sums[{of.is_state, grouping, index}].add({part(along).size(), part(energy).sum(), part(of.rehearsed).sum(),
                                              effect.of(Grouping::all), part(along).sum(), part(square).sum(),
                                              std::move(projected)});
  };
  const auto whole = [](const Matrix& m) -> const Matrix& { return m; };
  const ProjectedNoise projected = project(of.noise, weights);
  add(Grouping::all, -1, whole, projected);
  add(Grouping::head, of.head, whole, projected);
  add(Grouping::chunk, of.chunk, whole, projected);
  for (Index i = 0; i < error.rows(); ++i) {
    add(Grouping::row, i, [i](const Matrix& m) { return m.row(i); }, std::move(by_row[static_cast<std::size_t>(i)]));
  }
  for (Index j = 0; j < error.cols(); ++j) {
    add(Grouping::column, j, [j](const Matrix& m) { return m.col(j); },
        std::move(by_column[static_cast<std::size_t>(j)]));
  }
}

std::vector<Structure> structures(const GroupSums& sums, double correlation, double alarm) {
  // Half of the probability for slopes, half for energies. Of the slopes', half is for those of a whole tensor.
  const auto count = static_cast<double>(sums.size());
  const auto tensors = static_cast<double>(std::count_if(
      sums.begin(), sums.end(), [](const auto& s) { return s.first.grouping == Grouping::all; }));
  const auto sub_gaussian = [](double tests, double probability) {  // both sides
    return std::sqrt(2 * std::log(2 * tests / probability));
  };
  const double of_tensors = sub_gaussian(tensors, alarm / 4), of_others = sub_gaussian(count, alarm / 4);
  const double exponent = std::log(count / (alarm / 2));
  const DesignEffect of_o = effect_across_chunks(sums, false), of_states = effect_across_chunks(sums, true);
  std::vector<Structure> found;
  for (const auto& [key, group] : sums) {
    const double effect = (key.is_state ? of_states : of_o).of(key.grouping);
    Structure s;
    s.tensor = key.is_state ? "states" : "o";
    s.group = name_of(key.grouping, key.is_state);
    s.index = key.index;
    if (is_sloped(group, key.grouping == Grouping::all ? of_tensors : of_others, effect, s)) found.push_back(s);
    if (is_energetic(group, correlation, exponent, s)) found.push_back(s);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Structure& x, const Structure& y) { return excess(x) > excess(y); });
  return found;
}

}  // namespace deltaproof
