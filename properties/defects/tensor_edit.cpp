#include "properties/defects/tensor_edit.hpp"

#include <cstdlib>

#include "reference/problem/format.hpp"

namespace deltaproof {

TensorEdit::TensorEdit(const Outputs& outputs, const std::string& tensor) : name_(tensor), is_o_(tensor == "o") {
  const Tensor& t = outputs.tensors.at(tensor);
  const std::size_t rank = t.shape.size();
  heads = is_o_ ? t.shape[2] : t.shape[rank - 3];
  rows = is_o_ ? t.shape[1] : t.shape[rank - 2];
  columns = t.shape[rank - 1];
  const std::int64_t planes = heads * rows * columns;
  outer = planes == 0 ? 0 : t.size() / planes;
  values_ = t.values();
}

double& TensorEdit::at(std::int64_t outer_row, std::int64_t head, std::int64_t row, std::int64_t column) {
  const std::int64_t flat = is_o_ ? ((outer_row * rows + row) * heads + head) * columns + column
                                  : ((outer_row * heads + head) * rows + row) * columns + column;
  return values_.at(static_cast<std::size_t>(flat));
}

void TensorEdit::write(Outputs& outputs) const {
  Tensor& t = outputs.tensors.at(name_);
  t = Tensor::from(t.dtype, t.shape, values_);
}

double neighbour(Dtype dtype, double x, int units) {
  const Format& format = dtype_format(dtype);
  // 0.6 units from x: nearest to the next number, also below a power of two, where that is half a unit away.
  const double step = units > 0 ? 1.2 : -1.2;
  for (int i = 0; i < std::abs(units); ++i) x = round_to_nearest_even(format, x + step * half_ulp(format, x));
  return x;
}

}  // namespace deltaproof
