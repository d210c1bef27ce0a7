#pragma once

#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "reference/arithmetic/exact.hpp"

namespace deltaproof::noise_tests {

/// One place where a text is disturbed. merge_..: the operands of the products that merge the blocks of the inverse.
struct Place {
  enum class Kind { nowhere, point, product, inverse, scan,
                    merge_L, merge_X, merge_diagonal, merge_product, merge_first_product, all_merges };
  Kind kind = Kind::nowhere;
  Point point = Point::o;
  Product product = Product::gram;
  int occurrence = 0;  ///< of those that a text has more than once; -1: all of them
  std::optional<Point> also = {};  ///< a second point that is disturbed

  static Place at(Point point, int occurrence = 0) { return {Kind::point, point, Product::gram, occurrence, {}}; }
  static Place at(Product product) { return {Kind::product, Point::o, product, 0, {}}; }
  static Place at(Kind kind, int occurrence = 0) { return {kind, Point::o, Product::gram, occurrence, {}}; }
};

/// By its error of rounding to bf16 or TF32 to nearest, or by any numbers. Merges truncate to TF32.
enum class By { rounding, rounding_to_tf32, random_numbers };

/// Exact, but for `step` times a disturbance at one place.
class Disturbed : public Exact<Mpfr> {
 public:
  /// `blocks`: of 16 tokens in the chunk.
  Disturbed(const Declared& declared, Place place, By by, Mpfr step, Index blocks)
      : Exact<Mpfr>(declared), place_(place), by_(by), step_(std::move(step)), calls_(merge_calls(blocks)) {}

  /// What was added, divided by `step`; 0 x 0 if the text has no such place.
  const Matrix& disturbance() const { return disturbance_; }
  /// What was there before.
  const Matrix& value() const { return value_; }

  /// What truncation takes from each operand of the merges, in their order; or has the merges take `errors` instead.
  const std::vector<Block>& truncations() const { return truncations_; }
  void truncate_by(const std::vector<Block>& errors) { given_ = &errors; }

  Block round(const Block& a, Point point) const {
    return is_it(Place::Kind::point, point == place_.point) || point == place_.also ? disturbed(a) : a;
  }
  Block mma(const Block& c, const Block& a, const Block& b, Product product) const {
    const Block sum = Exact<Mpfr>::mma(c, a, b, product);
    return is_it(Place::Kind::product, product == place_.product) ? disturbed(sum) : sum;
  }
  Block inverse(const Block& L) const {
    const Block x = Exact<Mpfr>::inverse(L);
    if (!is_it(Place::Kind::inverse, true)) return x;
    const Block y = disturbed(x);
    disturbance_ = Matrix(disturbance_.triangularView<Eigen::StrictlyLower>());
    return Block(x + Exact<Mpfr>::strictly_lower(Block(y - x)));
  }
  Block scan(const Block& g) const {
    const Block sums = Exact<Mpfr>::scan(g);
    return is_it(Place::Kind::scan, true) ? disturbed(sums) : sums;
  }
  Block merge(const Block& c, const Block& a, const Block& b) const {
    const auto [of_a, of_b] = calls_.at(next_++);
    return Exact<Mpfr>::merge(c, truncated_if(of_a, a), truncated_if(of_b, b));
  }

 private:
  using Operands = std::pair<Place::Kind, Place::Kind>;

  // Operands in the order in which unit_lower_inverse merges: next to the diagonal (X_ii L_ij) X_jj, farther away
  // X_ii (sum_k L_ik X_kj).
  static std::vector<Operands> merge_calls(Index blocks) {
    using enum Place::Kind;
    std::vector<Operands> calls;
    for (Index distance = 1; distance < blocks; ++distance) {
      for (Index j = 0; j + distance < blocks; ++j) {
        if (distance == 1) {
          calls.insert(calls.end(), {{merge_diagonal, merge_L}, {merge_first_product, merge_X}});
        } else {
          calls.insert(calls.end(), static_cast<std::size_t>(distance), {merge_L, merge_X});
          calls.push_back({merge_diagonal, merge_product});
        }
      }
    }
    return calls;
  }

  bool is_it(Place::Kind kind, bool same) const {
    return kind == place_.kind && same && (seen_++ == place_.occurrence || place_.occurrence < 0);
  }

  Block disturbed(const Block& a) const {
    const Format& format = by_ == By::rounding ? formats::bf16 : formats::tf32;
    disturbance_.resize(a.rows(), a.cols());
    value_.resize(a.rows(), a.cols());
    Block sum = a;
    for (Index i = 0; i < a.size(); ++i) {
      const Mpfr& x = a.data()[i];
      const Mpfr error = by_ == By::random_numbers
                             ? Mpfr(deviate_(random_))
                             : Mpfr(Mpfr(round_to_nearest_even(format, to_double(x))) - x);
      value_.data()[i] = to_double(x);
      disturbance_.data()[i] = to_double(error);
      sum.data()[i] += step_ * error;
    }
    return sum;
  }

  Block truncated_if(Place::Kind kind, const Block& a) const {
    if (kind != place_.kind && place_.kind != Place::Kind::all_merges) return a;
    const std::size_t number = truncations_.size();
    truncations_.push_back(given_ != nullptr ? given_->at(number) : Block(a.unaryExpr([](const Mpfr& x) {
      return Mpfr(Mpfr(round_towards_zero(formats::tf32, to_double(x))) - x);
    })));
    return Block(a + step_ * truncations_.back());
  }

  Place place_;
  By by_;
  Mpfr step_;
  std::vector<Operands> calls_;
  mutable std::size_t next_ = 0;
  mutable std::vector<Block> truncations_;
  const std::vector<Block>* given_ = nullptr;
  mutable int seen_ = 0;
  mutable Matrix disturbance_, value_;
  mutable std::mt19937_64 random_{7};
  mutable std::normal_distribution<double> deviate_;
};

}  // namespace deltaproof::noise_tests
