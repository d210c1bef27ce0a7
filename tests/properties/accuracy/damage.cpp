#include "damage.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace deltaproof {
namespace {

// A tensor's values, with `o` and states as [outer, head, row, column].
class Values {
 public:
  Values(const Tensor& tensor, bool is_o) : tensor_(tensor), is_o_(is_o), all_(tensor.values()) {
    const auto& shape = tensor.shape;
    const std::size_t rank = shape.size();
    heads = is_o ? shape[2] : shape[rank - 3];
    rows = is_o ? shape[1] : shape[rank - 2];
    columns = shape[rank - 1];
    outer = tensor.size() / (heads * rows * columns);
  }

  double& at(std::int64_t o, std::int64_t h, std::int64_t r, std::int64_t c) {
    const std::int64_t flat = is_o_ ? ((o * rows + r) * heads + h) * columns + c
                                    : ((o * heads + h) * rows + r) * columns + c;
    return all_[static_cast<std::size_t>(flat)];
  }
  std::vector<double>& all() { return all_; }
  Tensor tensor() const { return Tensor::from(tensor_.dtype, tensor_.shape, all_); }

  std::int64_t outer = 0, heads = 0, rows = 0, columns = 0;

 private:
  const Tensor& tensor_;
  bool is_o_;
  std::vector<double> all_;
};

void swap_heads(Values& x) {
  for (std::int64_t o = 0; o < x.outer; ++o)
    for (std::int64_t r = 0; r < x.rows; ++r)
      for (std::int64_t c = 0; c < x.columns; ++c) std::swap(x.at(o, 0, r, c), x.at(o, 1, r, c));
}

void shift(Values& x, const Problem& problem) {
  for (const Sequence& s : problem.sequences()) {
    for (std::int64_t t = s.begin + s.length - 1; t > s.begin; --t)
      for (std::int64_t h = 0; h < x.heads; ++h)
        for (std::int64_t c = 0; c < x.columns; ++c)
          x.at(s.batch, h, t, c) = x.at(s.batch, h, t - 1, c);
  }
}

void transpose(Values& x) {
  for (std::int64_t o = 0; o < x.outer; ++o)
    for (std::int64_t h = 0; h < x.heads; ++h)
      for (std::int64_t r = 0; r < x.rows; ++r)
        for (std::int64_t c = 0; c < r; ++c) std::swap(x.at(o, h, r, c), x.at(o, h, c, r));
}

// The tokens of one sequence of `o`, or the rows of one state.
void zero_column(Values& x, const Place& place, bool is_o, const Problem& problem) {
  std::int64_t begin = 0, end = x.rows;
  if (is_o) {
    for (const Sequence& s : problem.sequences()) {
      if (s.batch != place.outer || place.row < s.begin || place.row >= s.begin + s.length)
        continue;
      begin = s.begin;
      end = s.begin + s.length;
    }
  }
  for (std::int64_t r = begin; r < end; ++r) x.at(place.outer, place.head, r, place.column) = 0;
}

}  // namespace

const std::vector<Damage>& all_damages() {
  static const std::vector<Damage> damages = {
      Damage::zeros,  Damage::zero_row,      Damage::one_nan, Damage::zero_column,
      Damage::scaled, Damage::swapped_heads, Damage::shifted, Damage::transposed};
  return damages;
}

const char* damage_name(Damage damage) {
  switch (damage) {
    case Damage::zeros:
      return "zeros";
    case Damage::zero_row:
      return "zero_row";
    case Damage::one_nan:
      return "one_nan";
    case Damage::zero_column:
      return "zero_column";
    case Damage::scaled:
      return "scaled";
    case Damage::swapped_heads:
      return "swapped_heads";
    case Damage::shifted:
      return "shifted";
    case Damage::transposed:
      return "transposed";
  }
  throw std::logic_error("unknown damage");
}

bool applies(Damage damage, const std::string& tensor, const Problem& problem) {
  const bool is_o = tensor == "o";
  const auto& sequences = problem.sequences();
  switch (damage) {
    case Damage::shifted:
      return is_o && std::any_of(sequences.begin(), sequences.end(),
                                 [](const Sequence& s) { return s.length > 1; });
    case Damage::transposed:
      return !is_o && problem.dims().K == problem.dims().V;
    case Damage::swapped_heads:
      return problem.dims().HV > 1;
    default:
      return true;
  }
}

Outputs damaged(const Outputs& outputs, const std::string& tensor, Damage damage,
                const Place& place, const Problem& problem) {
  const bool is_o = tensor == "o";
  Values x(outputs.tensors.at(tensor), is_o);
  switch (damage) {
    case Damage::zeros:
      std::fill(x.all().begin(), x.all().end(), 0.0);
      break;
    case Damage::zero_row:
      for (std::int64_t c = 0; c < x.columns; ++c) x.at(place.outer, place.head, place.row, c) = 0;
      break;
    case Damage::one_nan:
      x.at(place.outer, place.head, place.row, place.column) =
          std::numeric_limits<double>::quiet_NaN();
      break;
    case Damage::zero_column:
      zero_column(x, place, is_o, problem);
      break;
    case Damage::scaled:
      return scaled(outputs, tensor, 1.01);
    case Damage::swapped_heads:
      swap_heads(x);
      break;
    case Damage::shifted:
      shift(x, problem);
      break;
    case Damage::transposed:
      transpose(x);
      break;
  }
  Outputs copy = outputs;
  copy.tensors.at(tensor) = x.tensor();
  return copy;
}

Outputs scaled(const Outputs& outputs, const std::string& tensor, double factor) {
  Values x(outputs.tensors.at(tensor), tensor == "o");
  for (double& value : x.all()) value *= factor;
  Outputs copy = outputs;
  copy.tensors.at(tensor) = x.tensor();
  return copy;
}

}  // namespace deltaproof
