#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "reference/tensor_core_pass.hpp"

namespace deltaproof {

using namespace tensor_core_detail;

namespace {

struct Product {
  const TensorCoreModel& model;
  Operand operand;
  std::int64_t m, n, k;
  StridedMatrix<const float> a, b;
  StridedMatrix<float> c;

  std::vector<Factor> unpack_a() const {
    std::vector<Factor> factors(static_cast<std::size_t>(m * k));
    const std::int32_t least = min_exponent(operand);
    for (std::int64_t i = 0; i < m; ++i) {
      for (std::int64_t l = 0; l < k; ++l) factors[i * k + l] = unpack_factor(a(i, l), least);
    }
    return factors;
  }

  /// Columns `first` to first + count of B; what the other lanes answer is not read.
  void unpack_b(std::int64_t first, int count, std::vector<FactorRow>& panel) const {
    const std::int32_t least = min_exponent(operand);
    for (std::int64_t l = 0; l < k; ++l) {
      FactorRow row{};
      for (int j = 0; j < count; ++j) {
        const Factor factor = unpack_factor(b(l, first + j), least);
        row.significand[j] = factor.significand;
        row.exponent[j] = factor.exponent;
      }
      panel[l] = row;
    }
  }

  /// The chains of elements (i, first) to (i, first + count) of C.
  void chain(const Factor* row, const std::vector<FactorRow>& panel, std::int64_t i,
             std::int64_t first, int count) const {
    const Pass pass{model.fraction_bits};
    const int depth = model.depth(operand);
    Bits sum{};
    for (int j = 0; j < count; ++j) sum[j] = std::bit_cast<std::uint32_t>(c(i, first + j));
    for (std::int64_t l = 0; l < k; l += depth) {
      const int length = static_cast<int>(std::min<std::int64_t>(depth, k - l));
      Ints special;
      Bits result = pass(row + l, &panel[l], length, sum, special);
      if (any(special)) {
        for (int j = 0; j < count; ++j) {
          if (special[j] != 0) {
            result[j] = std::bit_cast<std::uint32_t>(
                special_pass([&](std::int64_t r) { return a(i, l + r); },
                             [&](std::int64_t r) { return b(l + r, first + j); }, length,
                             std::bit_cast<float>(std::uint32_t{sum[j]}), operand));
          }
        }
      }
      sum = result;
    }
    for (int j = 0; j < count; ++j) c(i, first + j) = std::bit_cast<float>(std::uint32_t{sum[j]});
  }

  void aligned() const {
    const std::vector<Factor> rows = unpack_a();
    std::vector<FactorRow> panel(static_cast<std::size_t>(k));
    for (std::int64_t first = 0; first < n; first += lanes) {
      const int count = static_cast<int>(std::min<std::int64_t>(lanes, n - first));
      unpack_b(first, count, panel);
      for (std::int64_t i = 0; i < m; ++i) chain(&rows[i * k], panel, i, first, count);
    }
  }

  void fused() const {
    std::vector<float> factors(static_cast<std::size_t>(k * n)), sums(static_cast<std::size_t>(n));
    for (std::int64_t l = 0; l < k; ++l) {
      for (std::int64_t j = 0; j < n; ++j) factors[l * n + j] = truncate_factor(b(l, j), operand);
    }
    for (std::int64_t i = 0; i < m; ++i) {
      for (std::int64_t j = 0; j < n; ++j) sums[j] = c(i, j);
      for (std::int64_t l = 0; l < k; ++l) {
        const float x = truncate_factor(a(i, l), operand);
        const float* row = &factors[l * n];
        for (std::int64_t j = 0; j < n; ++j) sums[j] = std::fma(x, row[j], sums[j]);
      }
      for (std::int64_t j = 0; j < n; ++j) c(i, j) = one_nan(sums[j]);
    }
  }
};

}  // namespace

void tensor_core_product(const TensorCoreModel& model, Operand operand, std::int64_t m,
                         std::int64_t n, std::int64_t k, StridedMatrix<const float> a,
                         StridedMatrix<const float> b, StridedMatrix<float> c) {
  require_arithmetic(model, operand);
  if (m == 0 || n == 0 || k == 0) return;
  if (model.accumulation == Accumulation::fp32_fma) {
    Product{model, operand, m, n, k, a, b, c}.fused();
  } else if (n >= lanes || n >= m) {
    Product{model, operand, m, n, k, a, b, c}.aligned();
  } else {  // few columns: the lanes are rows of C
    Product{model, operand, n, m, k, b.transposed(), a.transposed(), c.transposed()}.aligned();
  }
}

}  // namespace deltaproof
