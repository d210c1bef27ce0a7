#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reference/problem/case_file.hpp"

namespace deltaproof {

/// Values of one tensor of outputs, by outer row, value head, row and column. Rows are tokens of a batch row of `o`
/// or key channels (vk: value channels) of a state; outer rows of a state tensor are its states.
class TensorEdit {
 public:
  TensorEdit(const Outputs& outputs, const std::string& tensor);

  double& at(std::int64_t outer, std::int64_t head, std::int64_t row, std::int64_t column);
  std::vector<double>& all() { return values_; }
  /// Puts the values back, each rounded to the tensor's type.
  void write(Outputs& outputs) const;

  std::int64_t outer = 0, heads = 0, rows = 0, columns = 0;

 private:
  std::string name_;
  bool is_o_;
  std::vector<double> values_;
};

/// `x`, a number of `dtype` (fp32 or narrower), moved by `units` of its numbers: to the next larger one for 1.
double neighbour(Dtype dtype, double x, int units);

}  // namespace deltaproof
