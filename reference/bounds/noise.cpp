#include "reference/bounds/noise.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace deltaproof {
namespace {

// a b, where 0 x 0 stands for the identity.
Matrix times(const Matrix& a, const Matrix& b) {
  if (a.size() == 0) return b;
  if (b.size() == 0) return a;
  return a * b;
}

Matrix squares(const Matrix& m) { return m.cwiseAbs2(); }

// Sums over the known roundings of the effect that `nearer` chooses, element by element, among each one's and 0.
Matrix hull(const Noise& noise, const auto& nearer) {
  Matrix sum = Matrix::Zero(noise.worst.rows(), noise.worst.cols());
  for (const KnownRounding& known : noise.known) {
    Matrix end = Matrix::Zero(sum.rows(), sum.cols());
    for (const Matrix& effect : known.effects) end = nearer(end, effect);
    sum += end;
  }
  return sum;
}

// Adds what is not random of a weighted sum; `part` takes from a matrix the elements that are summed.
void add_known(const Noise& noise, const Matrix& weights, const auto& part, ProjectedNoise& result) {
  for (const KnownRounding& known : noise.known) {
    std::vector<double>& sums = result.known[known.name];
    for (const Matrix& effect : known.effects) sums.push_back(part(effect).cwiseProduct(part(weights)).sum());
  }
  result.worst += part(noise.worst).cwiseProduct(part(weights).cwiseAbs()).sum();
}

}  // namespace

Matrix Noise::variance() const {
  Matrix sum = Matrix::Zero(worst.rows(), worst.cols());
  for (const NoiseSource& s : random) sum += times(times(squares(s.left), s.variance), squares(s.right));
  return sum;
}

Matrix NoiseSource::carried(const Matrix& d) const { return times(times(left, d), right); }

Matrix Noise::rehearsal() const {
  Matrix sum = Matrix::Zero(worst.rows(), worst.cols());
  for (const NoiseSource& s : random) sum += s.carried(s.rehearsal);
  return sum;
}

Matrix Noise::low() const {
  return hull(*this, [](const Matrix& x, const Matrix& y) { return Matrix(x.cwiseMin(y)); });
}

Matrix Noise::high() const {
  return hull(*this, [](const Matrix& x, const Matrix& y) { return Matrix(x.cwiseMax(y)); });
}

Matrix Noise::covariance_times(const Matrix& x) const {
  Matrix sum = Matrix::Zero(x.rows(), x.cols());
  for (const NoiseSource& s : random) {
    const Matrix back = times(times(s.left.transpose(), x), s.right.transpose());
    sum += s.carried(s.variance.cwiseProduct(back));
  }
  return sum;
}

Noise combined(const Noise& noise) {
  const auto same = [](const Matrix& x, const Matrix& y) {
    return x.rows() == y.rows() && x.cols() == y.cols() && std::equal(x.data(), x.data() + x.size(), y.data());
  };
  Noise result{{}, noise.known, noise.worst};
  for (const NoiseSource& source : noise.random) {
    const auto like = std::find_if(result.random.begin(), result.random.end(), [&](const NoiseSource& other) {
      return same(source.left, other.left) && same(source.right, other.right);
    });
    if (like == result.random.end()) {
      result.random.push_back(source);
      continue;
    }
    like->name += ", " + source.name;
    like->variance += source.variance;
    like->rehearsal += source.rehearsal;
  }
  return result;
}

void ProjectedNoise::add(const ProjectedNoise& other) {
  variance += other.variance;
  worst += other.worst;
  rehearsal += other.rehearsal;
  for (const auto& [name, effects] : other.known) {
    std::vector<double>& mine = known[name];
    mine.resize(std::max(mine.size(), effects.size()));
    for (std::size_t i = 0; i < effects.size(); ++i) mine[i] += effects[i];
  }
}

double ProjectedNoise::nearest_known(double sum) const {
  std::vector<double> totals = {0};
  for (const auto& [name, effects] : known) {
    const std::size_t without = totals.size();
    for (const double effect : effects) {
      for (std::size_t i = 0; i < without; ++i) totals.push_back(totals[i] + effect);
    }
  }
  return *std::min_element(totals.begin(), totals.end(),
                           [sum](double x, double y) { return std::abs(x - sum) < std::abs(y - sum); });
}

ProjectedNoise project(const Noise& noise, const Matrix& weights) {
  ProjectedNoise result;
  for (const NoiseSource& s : noise.random) {
    const Matrix along = times(times(s.left.transpose(), weights), s.right.transpose());
    result.variance += squares(along).cwiseProduct(s.variance).sum();
    result.rehearsal += along.cwiseProduct(s.rehearsal).sum();
  }
  add_known(noise, weights, [](const Matrix& m) -> const Matrix& { return m; }, result);
  return result;
}

std::vector<ProjectedNoise> project_rows(const Noise& noise, const Matrix& weights) {
  std::vector<ProjectedNoise> result(static_cast<std::size_t>(weights.rows()));
  const auto at = [&](Index i) -> ProjectedNoise& { return result[static_cast<std::size_t>(i)]; };
  for (const NoiseSource& s : noise.random) {
    const Matrix along = times(weights, s.right.transpose());  // rows x b
    Matrix variance, rehearsal;                                // of each row, spread over a
    if (s.left.size() == 0) {
      variance = squares(along).cwiseProduct(s.variance);
      rehearsal = along.cwiseProduct(s.rehearsal);
    } else {
      variance = squares(s.left).cwiseProduct(squares(along) * s.variance.transpose());
      rehearsal = s.left.cwiseProduct(along * s.rehearsal.transpose());
    }
    for (Index i = 0; i < weights.rows(); ++i) {
      at(i).variance += variance.row(i).sum();
      at(i).rehearsal += rehearsal.row(i).sum();
    }
  }
  for (Index i = 0; i < weights.rows(); ++i) {
    add_known(noise, weights, [i](const Matrix& m) { return m.row(i); }, at(i));
  }
  return result;
}

std::vector<ProjectedNoise> project_columns(const Noise& noise, const Matrix& weights) {
  std::vector<ProjectedNoise> result(static_cast<std::size_t>(weights.cols()));
  const auto at = [&](Index j) -> ProjectedNoise& { return result[static_cast<std::size_t>(j)]; };
  for (const NoiseSource& s : noise.random) {
    const Matrix along = times(s.left.transpose(), weights);  // a x columns
    const Matrix variance = squares(along).cwiseProduct(times(s.variance, squares(s.right)));
    const Matrix rehearsal = along.cwiseProduct(times(s.rehearsal, s.right));
    for (Index j = 0; j < weights.cols(); ++j) {
      at(j).variance += variance.col(j).sum();
      at(j).rehearsal += rehearsal.col(j).sum();
    }
  }
  for (Index j = 0; j < weights.cols(); ++j) {
    add_known(noise, weights, [j](const Matrix& m) { return m.col(j); }, at(j));
  }
  return result;
}

double correlation_norm(const Noise& noise) {
  constexpr int steps = 40;
  const Matrix deviation = noise.variance().cwiseSqrt();
  const Matrix inverse = deviation.unaryExpr([](double s) { return s > 0 ? 1 / s : 0.0; });
  // A start with a share in every direction: the fractional parts of multiples of the golden ratio.
  Matrix x(inverse.rows(), inverse.cols());
  for (Index i = 0; i < x.size(); ++i) {
    const double part = static_cast<double>(i + 1) * 0.6180339887498949;
    x.data()[i] = part - std::floor(part) - 0.5;
  }
  double norm = 0;
  for (int step = 0; step < steps; ++step) {
    x /= x.norm();
    const Matrix next = inverse.cwiseProduct(noise.covariance_times(inverse.cwiseProduct(x)));
    norm = std::max(norm, next.norm());
    if (norm == 0) return 1;
    x = next;
  }
  // Kuczynski and Wozniakowski (1992): from a random start, k steps miss on average at most
  // 0.871 ln n / (k - 1) of the eigenvalue.
  const double missed = 0.871 * std::log(static_cast<double>(std::max<Index>(x.size(), 2))) / (steps - 1);
  return std::max(1.0, norm / (1 - missed));
}

NoiseSource rounding_noise(std::string name, Matrix left, Matrix right, const Matrix& x, const Rounding& rounding,
                           const Matrix& apart) {
  // The kernel's own value may lie in the next binade.
  Matrix size = x.cwiseAbs() * (1 + 0x1p-7);
  if (apart.size() != 0) size += apart.cwiseAbs();
  const Matrix h = size.unaryExpr([&](double s) { return s == 0 ? 0 : half_ulp(rounding.format, s); });
  Matrix rehearsal = round_all(x, rounding) - x;
  if (rounding.mode == Rounding::Mode::truncated) {
    rehearsal += x.unaryExpr([&](double v) {  // about the mean
      return v == 0 ? 0 : std::copysign(half_ulp(rounding.format, v), v);
    });
  }
  return {std::move(name), std::move(left), std::move(right), squares(h) / 3, std::move(rehearsal)};
}

NoiseSource bounded_noise(std::string name, Matrix left, Matrix right, const Matrix& half_width,
                          const Matrix& rehearsal) {
  const Matrix none = Matrix::Zero(half_width.rows(), half_width.cols());
  return {std::move(name), std::move(left), std::move(right), squares(half_width),
          rehearsal.size() == 0 ? none : rehearsal};
}

NoiseSource scaled(NoiseSource source, double factor) {
  source.variance *= factor * factor;
  source.rehearsal *= factor;
  return source;
}

Matrix round_all(const Matrix& x, const Rounding& rounding) {
  switch (rounding.mode) {
    case Rounding::Mode::exact:
      break;
    case Rounding::Mode::nearest:
      return x.unaryExpr([&](double value) { return round_to_nearest_even(rounding.format, value); });
    case Rounding::Mode::truncated:
      return x.unaryExpr([&](double value) { return round_towards_zero(rounding.format, value); });
  }
  return x;
}

}  // namespace deltaproof
