#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "reference/problem/head.hpp"
#include "reference/rules/cache_sets.hpp"

namespace deltaproof {

/// Tensors of the answer file, filled head by head.
class AnswerTensors {
 public:
  using Shape = std::vector<std::int64_t>;

  explicit AnswerTensors(const Problem& problem) : d_(problem.dims()) {}

  /// rows: length x columns of one head's tokens, into [B, T, HV, columns].
  void tokens(const std::string& name, const Sequence& s, std::int64_t head, const Matrix& rows) {
    std::vector<double>& all = storage(name, {d_.B, d_.T, d_.HV, rows.cols()});
    for (Index t = 0; t < rows.rows(); ++t) {
      const std::int64_t at = ((s.batch * d_.T + s.begin + t) * d_.HV + head) * rows.cols();
      std::copy_n(rows.row(t).data(), rows.cols(), all.begin() + at);
    }
  }

  /// One value a token, into [B, T, HV].
  void per_token(const std::string& name, const Sequence& s, std::int64_t head, const Matrix& values) {
    std::vector<double>& all = storage(name, {d_.B, d_.T, d_.HV});
    for (Index t = 0; t < values.rows(); ++t) all[(s.batch * d_.T + s.begin + t) * d_.HV + head] = values(t, 0);
  }

  /// One state into [outer..., HV, rows, columns].
  void state(const std::string& name, const Shape& outer, std::int64_t row, std::int64_t head,
             const Matrix& m) {
    Shape shape = outer;
    shape.insert(shape.end(), {d_.HV, m.rows(), m.cols()});
    std::vector<double>& all = storage(name, shape);
    std::copy_n(m.data(), m.size(), all.begin() + (row * d_.HV + head) * m.size());
  }

  /// The sets of one head into [B, NB, HV, w], unused places -1.
  void sets(const std::string& name, std::int64_t blocks, const Sequence& s, std::int64_t head, const CacheSets& sets) {
    std::vector<double>& all = storage(name, {d_.B, blocks, d_.HV, d_.cache}, -1);
    for (std::size_t n = 0; n < sets.size(); ++n) {
      const std::int64_t row = s.batch * blocks + s.first_block + static_cast<std::int64_t>(n);
      std::ranges::copy(sets[n], all.begin() + (row * d_.HV + head) * d_.cache);
    }
  }

  TensorMap tensors() const {
    TensorMap result;
    for (const auto& [name, entry] : all_) {
      const Dtype dtype = name == "selected" ? Dtype::i64 : Dtype::f64;
      result[name] = Tensor::from(dtype, entry.first, entry.second);
    }
    return result;
  }

 private:
  std::vector<double>& storage(const std::string& name, const Shape& shape, double empty = 0) {
    auto [it, fresh] = all_.try_emplace(name);
    if (fresh) {
      std::int64_t size = 1;
      for (std::int64_t n : shape) size *= n;
      it->second = {shape, std::vector<double>(static_cast<std::size_t>(size), empty)};
    }
    return it->second.second;
  }

  const Dimensions& d_;
  std::map<std::string, std::pair<Shape, std::vector<double>>> all_;
};

}  // namespace deltaproof
