#include "kernels/bits.hpp"

#include <cmath>
#include <cstring>

namespace deltaproof {
namespace {

Location place_of_output(const Problem& problem, std::int64_t flat) {
  const Dimensions& d = problem.dims();
  Location where{.tensor = "o"};
  where.column = flat % d.V;
  where.head = flat / d.V % d.HV;
  const std::int64_t row = flat / (d.V * d.HV);
  for (const Sequence& sequence : problem.sequences()) {
    const std::int64_t token = row - sequence.batch * d.T - sequence.begin;
    if (sequence.batch != row / d.T || token < 0 || token >= sequence.length) continue;
    where.sequence = sequence.index;
    where.token = token;
    where.chunk = token / problem.options().chunk_size;
    where.chunk_position = token % problem.options().chunk_size;
  }
  return where;
}

Location place_of_state(const Problem& problem, std::int64_t flat) {
  const Dimensions& d = problem.dims();
  const bool vk = problem.options().state_layout == StateLayout::vk;
  const std::int64_t last = vk ? d.K : d.V;
  Location where{.tensor = "final_state"};
  where.row = vk ? flat % last : flat / last % d.K;
  where.column = vk ? flat / last % d.V : flat % last;
  where.head = flat / (d.K * d.V) % d.HV;
  const std::int64_t row = flat / (d.K * d.V * d.HV);
  for (const Sequence& sequence : problem.sequences()) {
    if (sequence.state_row != row) continue;
    where.sequence = sequence.index;
    where.token = sequence.length;
  }
  return where;
}

// The payload of a NaN that arithmetic makes is the processor's own: two NaN are the same value.
bool same(const Tensor& x, const Tensor& y, std::int64_t i) {
  const std::size_t size = dtype_size(x.dtype), at = static_cast<std::size_t>(i) * size;
  if (std::memcmp(x.bytes.data() + at, y.bytes.data() + at, size) == 0) return true;
  return std::isnan(x.value(i)) && std::isnan(y.value(i));
}

}  // namespace

Location place_of(const Problem& problem, const std::string& tensor, std::int64_t flat) {
  return tensor == "o" ? place_of_output(problem, flat) : place_of_state(problem, flat);
}

BitDifference compare_bits(const Problem& problem, const Outputs& one, const Outputs& other) {
  BitDifference result;
  for (const char* name : {"o", "final_state"}) {
    const Tensor& x = one.tensors.at(name);
    const Tensor& y = other.tensors.at(name);
    result.compared += x.size();
    if (x.bytes == y.bytes) continue;
    for (std::int64_t i = 0; i < x.size(); ++i) {
      if (same(x, y, i)) continue;
      if (result.unequal++ == 0) result.first = place_of(problem, name, i);
    }
  }
  return result;
}

}  // namespace deltaproof
