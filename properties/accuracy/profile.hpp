#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "properties/accuracy/comparison.hpp"
#include "reference/problem/problem.hpp"
#include "reference/verdict.hpp"

namespace deltaproof {

/// Reduces what is compared to a picture (docs/verdicts.md) while it is compared: nothing of a block is kept, and the
/// result is the same in whatever order blocks come.
class ProfileBuilder {
 public:
  static constexpr std::int64_t most_cells = 96;
  static constexpr std::size_t most_heads = 32;  ///< of more, those with the largest ratio
  static constexpr std::size_t buckets = 20;

  explicit ProfileBuilder(const Problem& problem);

  /// On any thread.
  void add(const ComparedBlock& block);

  /// Of `o`, then of the states; one of which nothing was compared is left out. Numbers have four significant digits:
  /// errors and ratios are rounded up and what is allowed down, so that none says that a value is nearer to the right
  /// answer than it is. Between 1 and 1.01 it is a ratio's excess over 1 that has four.
  std::vector<TensorProfile> profiles() const;

 private:
  // The largest ratio of some values, with what it is made of.
  struct Peak {
    double ratio = -1;  ///< none yet
    double error = -1, allowed = -1;
    void take(const Peak& other);
  };
  using Histogram = std::array<std::int64_t, buckets>;
  struct Tensor {
    std::map<std::int64_t, std::vector<double>> ratio;  ///< [head][cell]; -1: nothing compared
    std::vector<Peak> cells;
    std::vector<double> position;
    Histogram histogram{};
  };

  static Peak peak_of(const ComparedBlock& block, std::int64_t row, Histogram& histogram);
  std::size_t cell_of(const ComparedBlock& block, std::int64_t row) const;
  TensorProfile profile_of(const Tensor& tensor, const char* name) const;

  std::vector<std::int64_t> first_token_;  ///< of each sequence, and the end
  std::int64_t tokens_a_cell_ = 1, cells_ = 0, chunk_size_ = 0;
  Tensor o_, states_;
  mutable std::mutex mutex_;
};

}  // namespace deltaproof
