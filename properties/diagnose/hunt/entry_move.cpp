#include "properties/diagnose/hunt/entry_move.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "properties/diagnose/hunt/aligned_rows.hpp"
#include "properties/diagnose/hunt/critical_values.hpp"
#include "properties/diagnose/hunt/moved_tokens.hpp"

namespace deltaproof {
namespace {

using Kind = EntryMove::Kind;

// Elements [begin, end) of a tensor that belong to one chosen token; of a state all, as one.
struct Stretch {
  std::size_t begin, end;
  std::int64_t batch;
};

std::vector<Stretch> stretches(const EntryMove& move, const Tensor& tensor) {
  const auto size = static_cast<std::size_t>(tensor.size());
  if (move.tensor == "initial_state") return {{0, size, 0}};
  const auto row = size / static_cast<std::size_t>(std::max<std::int64_t>(tensor.shape[0] * tensor.shape[1], 1));
  std::vector<Stretch> all;
  for (std::int64_t b = 0; b < tensor.shape[0]; ++b) {
    for (const std::int64_t t : moved_tokens(move, tensor.shape[1])) {
      const auto begin = static_cast<std::size_t>(b * tensor.shape[1] + t) * row;
      all.push_back({begin, begin + row, b});
    }
  }
  return all;
}

// A hash of two numbers with well mixed low bits.
std::uint64_t mixed(std::uint64_t x, std::uint64_t y) {
  std::uint64_t h = (x + 1) * 0x9e3779b97f4a7c15 ^ (y + 1) * 0xc2b2ae3d27d4eb4f;
  h = (h ^ (h >> 31)) * 0xbf58476d1ce4e5b9;
  return h ^ (h >> 29);
}

// The neighbour of x in its type, away from 0 or towards it. Twice half the spacing there, and what lies beyond a power
// of two is rounded to a number of the type.
double neighbour(const Format& format, double x, bool up) {
  return round_to_nearest_even(format, x + (up ? 2 : -2) * half_ulp(format, x));
}

double nudged(const EntryMove& move, const Format& format, double x, std::size_t at) {
  const std::uint64_t h = mixed(static_cast<std::uint64_t>(move.other), at) % 3;
  if (h == 0) return x;
  const double next = neighbour(format, x, h == 1);
  return move.tensor == "g" ? std::min(next, 0.0) : next;  // a decay does not grow
}

void change(const EntryMove& move, const Tensor& tensor, const Stretch& where, std::vector<double>& values) {
  const Format& format = dtype_format(tensor.dtype);
  const std::size_t row = where.end - where.begin;
  const std::int64_t T = tensor.shape[1];
  const auto from = static_cast<std::size_t>(where.batch * T + (move.other % T + T) % T) * row;
  for (std::size_t i = where.begin; i < where.end; ++i) {
    switch (move.kind) {
      case Kind::negate: values[i] = -values[i]; break;
      case Kind::zero: values[i] = 0; break;
      case Kind::scale:
        values[i] = std::ldexp(values[i], static_cast<int>(std::clamp<std::int64_t>(move.other, -64, 64)));
        break;
      case Kind::copy:
        if (move.tensor != "initial_state") values[i] = values[from + i - where.begin];
        break;
      case Kind::nudge: values[i] = nudged(move, format, values[i], i); break;
      case Kind::set: values[i] = critical_value(move.tensor, move.other); break;
      case Kind::ask:
      case Kind::cancel:
      case Kind::turn: break;  // of several tensors
    }
  }
}

bool takes(const EntryMove& move) {
  const bool one_sign = move.tensor == "g" || move.tensor == "beta" || move.tensor == "eta";
  if (move.kind == Kind::negate) return !one_sign;
  if (move.kind == Kind::set) return one_sign;
  return true;
}

Problem with_tensor(const Problem& problem, const std::string& name, const std::vector<double>& values) {
  TensorMap tensors = problem.tensors();
  Tensor& tensor = tensors.at(name);
  tensor = Tensor::from(tensor.dtype, tensor.shape, values);
  return problem.with_inputs(std::move(tensors));
}

}  // namespace

Problem moved(const EntryMove& move, const Problem& problem) {
  const Tensor* tensor = problem.find(move.tensor);
  if (tensor == nullptr || tensor->size() == 0 || !takes(move)) return problem;
  if (move.kind == Kind::ask) return asking_for_keys(move, problem);
  if (move.kind == Kind::cancel) return with_cancelled_residuals(move, problem);
  if (move.kind == Kind::turn) return with_turned_queries(move, problem);
  std::vector<double> values = tensor->values();
  for (const Stretch& where : stretches(move, *tensor)) change(move, *tensor, where, values);
  return with_tensor(problem, move.tensor, values);
}

}  // namespace deltaproof
