#include "properties/accuracy/profile.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace deltaproof {
namespace {

constexpr double histogram_from = -8, histogram_step = 0.5;
constexpr double nothing = -1;
constexpr double infinity = std::numeric_limits<double>::infinity();

std::size_t bucket_of(double ratio) {
  if (ratio == 0) return 0;
  if (std::isinf(ratio)) return ProfileBuilder::buckets - 1;
  const double place = std::floor((std::log10(ratio) - histogram_from) / histogram_step);
  return static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(ProfileBuilder::buckets - 1)));
}

// Pictures need no more, and a report of many verdicts stays small. std::ceil for up, std::floor for down.
template <class Whole>
double rounded(double x, const Whole& whole) {
  if (x < 0) return std::numeric_limits<double>::quiet_NaN();  // nothing was compared
  if (x == 0 || !std::isfinite(x)) return x;
  constexpr int digits = 4;
  const int exponent = static_cast<int>(std::floor(std::log10(x))) - (digits - 1);
  const double unit = std::pow(10.0, std::abs(exponent));
  if (!std::isfinite(unit)) return x;
  return exponent < 0 ? whole(x * unit) / unit : whole(x / unit) * unit;
}

double rounded_up(double x) {
  return rounded(x, [](double y) { return std::ceil(y); });
}

double rounded_down(double x) {
  return rounded(x, [](double y) { return std::floor(y); });
}

// Just beyond the limit 1 it is the excess that has so many digits, so that a picture says what the verdict says. The
// difference is exact, and so is the order.
double ratio_rounded_up(double ratio) {
  return ratio > 1 && ratio < 1.01 ? 1 + rounded_up(ratio - 1) : rounded_up(ratio);
}

std::vector<double> ratios_rounded_up(std::vector<double> ratios) {
  for (double& ratio : ratios) ratio = ratio_rounded_up(ratio);
  return ratios;
}

double largest(const std::vector<double>& values) { return *std::max_element(values.begin(), values.end()); }

}  // namespace

// On equal ratios the larger error, so that the order of blocks cannot change a report.
void ProfileBuilder::Peak::take(const Peak& other) {
  if (std::tie(other.ratio, other.error, other.allowed) > std::tie(ratio, error, allowed)) *this = other;
}

ProfileBuilder::ProfileBuilder(const Problem& problem)
    : chunk_size_(problem.options().chunk_size) {
  std::int64_t tokens = 0;
  for (const Sequence& sequence : problem.sequences()) {
    first_token_.push_back(tokens);
    tokens += sequence.length;
  }
  first_token_.push_back(tokens);
  tokens_a_cell_ = std::max<std::int64_t>(1, (tokens + most_cells - 1) / most_cells);
  cells_ = (tokens + tokens_a_cell_ - 1) / tokens_a_cell_;
  for (Tensor* tensor : {&o_, &states_}) tensor->cells.resize(static_cast<std::size_t>(cells_));
  o_.position.assign(static_cast<std::size_t>(chunk_size_), nothing);
}

// Ratios are those of Comparison.
ProfileBuilder::Peak ProfileBuilder::peak_of(const ComparedBlock& block, std::int64_t row, Histogram& histogram) {
  Peak peak;
  for (Index j = 0; j < block.value->cols(); ++j) {
    const double value = (*block.value)(row, j), expected = (*block.expected)(row, j);
    const double allowed = (*block.bound)(row, j) + (*block.radius)(row, j);
    if (!std::isfinite(allowed) || !std::isfinite(expected)) continue;
    const double error = std::isfinite(value) ? std::abs(value - expected) : infinity;
    const Peak element{error == 0 ? 0 : error / allowed, error, allowed};
    ++histogram[bucket_of(element.ratio)];
    peak.take(element);
  }
  return peak;
}

// A state sits at the token before which it is; the last one of a sequence at the sequence's last token.
std::size_t ProfileBuilder::cell_of(const ComparedBlock& block, std::int64_t row) const {
  const auto sequence = static_cast<std::size_t>(block.sequence);
  const std::int64_t first = first_token_[sequence], end = first_token_[sequence + 1];
  const std::int64_t token = first + block.first_token + (block.is_state ? 0 : row);
  const std::int64_t last = std::max<std::int64_t>(std::max(first, end - 1), 0);
  return static_cast<std::size_t>(std::min(std::min(token, last) / tokens_a_cell_, cells_ - 1));
}

void ProfileBuilder::add(const ComparedBlock& block) {
  if (cells_ == 0) return;  // no token: there is no axis
  Histogram histogram{};
  std::vector<Peak> rows;  // of a state: one
  for (Index i = 0; i < block.value->rows(); ++i) {
    const Peak peak = peak_of(block, i, histogram);
    if (!block.is_state || rows.empty()) rows.emplace_back();
    rows.back().take(peak);
  }
  const std::lock_guard lock(mutex_);
  Tensor& tensor = block.is_state ? states_ : o_;
  std::vector<double>& ratio = tensor.ratio[block.head];
  ratio.resize(static_cast<std::size_t>(cells_), nothing);
  for (std::size_t i = 0; i < buckets; ++i) tensor.histogram[i] += histogram[i];
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t cell = cell_of(block, static_cast<std::int64_t>(i));
    tensor.cells[cell].take(rows[i]);
    ratio[cell] = std::max(ratio[cell], rows[i].ratio);
    if (block.is_state) continue;
    const std::int64_t position = (block.first_token + static_cast<std::int64_t>(i)) % chunk_size_;
    double& there = tensor.position[static_cast<std::size_t>(position)];
    there = std::max(there, rows[i].ratio);
  }
}

TensorProfile ProfileBuilder::profile_of(const Tensor& tensor, const char* name) const {
  TensorProfile profile;
  profile.tensor = name;
  for (const auto& [head, ratio] : tensor.ratio) profile.heads.push_back(head);
  if (profile.heads.size() > most_heads) {
    std::stable_sort(profile.heads.begin(), profile.heads.end(), [&](std::int64_t x, std::int64_t y) {
      return largest(tensor.ratio.at(x)) > largest(tensor.ratio.at(y));
    });
    profile.heads.resize(most_heads);
    std::sort(profile.heads.begin(), profile.heads.end());
  }
  for (const std::int64_t head : profile.heads) profile.ratio.push_back(ratios_rounded_up(tensor.ratio.at(head)));
  for (const Peak& peak : tensor.cells) {
    profile.error.push_back(rounded_up(peak.error));
    profile.allowed.push_back(rounded_down(peak.allowed));
  }
  profile.tokens = first_token_.back();
  profile.tokens_a_cell = tokens_a_cell_;
  profile.chunk_size = chunk_size_;
  profile.position = ratios_rounded_up(tensor.position);
  profile.histogram_from = histogram_from;
  profile.histogram_step = histogram_step;
  profile.histogram.assign(tensor.histogram.begin(), tensor.histogram.end());
  return profile;
}

std::vector<TensorProfile> ProfileBuilder::profiles() const {
  const std::lock_guard lock(mutex_);
  std::vector<TensorProfile> list;
  const auto add = [&](const Tensor& tensor, const char* name) {
    const auto is_counted = [](std::int64_t count) { return count > 0; };
    if (std::any_of(tensor.histogram.begin(), tensor.histogram.end(), is_counted)) {
      list.push_back(profile_of(tensor, name));
    }
  };
  add(o_, "o");
  add(states_, "states");
  return list;
}

}  // namespace deltaproof
