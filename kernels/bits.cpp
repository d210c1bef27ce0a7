#include "kernels/bits.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "reference/problem/schema.hpp"

namespace deltaproof {
namespace {

// Row `row` of the B T token rows.
void place_token(const Problem& problem, std::int64_t row, Location& where) {
  const Dimensions& d = problem.dims();
  for (const Sequence& sequence : problem.sequences()) {
    const std::int64_t token = row - sequence.batch * d.T - sequence.begin;
    if (sequence.batch != row / d.T || token < 0 || token >= sequence.length) continue;
    where.sequence = sequence.index;
    where.token = token;
    where.chunk = token / problem.options().chunk_size;
    where.chunk_position = token % problem.options().chunk_size;
  }
}

// Part `part` of batch row `batch` on an axis that counts parts of `tokens` of each sequence; `first` is
// the number of a sequence's first part. A state comes after its tokens, a set of the cache before them.
void place_part(const Problem& problem, std::int64_t batch, std::int64_t part, std::int64_t tokens,
                std::int64_t Sequence::*first, bool after, Location& where) {
  for (const Sequence& sequence : problem.sequences()) {
    const std::int64_t n = part - sequence.*first;
    if (sequence.batch != batch || n < 0 || n >= state_count(sequence.length, tokens)) continue;
    where.sequence = sequence.index;
    where.token = after ? std::min((n + 1) * tokens, sequence.length) : n * tokens;
  }
}

// The place in one state of which `flat` is an element.
void place_in_state(const Problem& problem, std::int64_t flat, Location& where) {
  const Dimensions& d = problem.dims();
  const bool vk = problem.options().state_layout == StateLayout::vk;
  const std::int64_t last = vk ? d.K : d.V;
  where.row = vk ? flat % last : flat / last % d.K;
  where.column = vk ? flat / last % d.V : flat % last;
  where.head = flat / (d.K * d.V) % d.HV;
}

Location place_of_final_state(const Problem& problem, std::int64_t flat) {
  const Dimensions& d = problem.dims();
  Location where{.tensor = "final_state"};
  place_in_state(problem, flat, where);
  for (const Sequence& sequence : problem.sequences()) {
    if (sequence.state_row != flat / (d.K * d.V * d.HV)) continue;
    where.sequence = sequence.index;
    where.token = sequence.length;
  }
  return where;
}

bool is_judged(const Problem& problem, const Location& where) {
  return where.sequence >= 0 && problem.sequences()[static_cast<std::size_t>(where.sequence)].state_row >= 0;
}

// The payload of a NaN that arithmetic makes is the processor's own: two NaN are the same value.
bool same(const Tensor& x, const Tensor& y, std::int64_t i) {
  const std::size_t size = dtype_size(x.dtype), at = static_cast<std::size_t>(i) * size;
  if (std::memcmp(x.bytes.data() + at, y.bytes.data() + at, size) == 0) return true;
  return is_floating(x.dtype) && std::isnan(x.value(i)) && std::isnan(y.value(i));
}

}  // namespace

Location place_of(const Problem& problem, const std::string& tensor, std::int64_t flat) {
  const Dimensions& d = problem.dims();
  const Options& options = problem.options();
  if (tensor == "final_state") return place_of_final_state(problem, flat);
  Location where{.tensor = tensor};
  if (tensor == "chunk_states") {
    place_in_state(problem, flat, where);
    const std::int64_t row = flat / (d.K * d.V * d.HV);
    const std::int64_t rows = part_rows(problem, options.states_every);
    place_part(problem, row / rows, row % rows, options.states_every, &Sequence::first_state, true, where);
    return where;
  }
  if (tensor == "selected") {
    const std::int64_t rows = part_rows(problem, options.hola.cache_block);
    const std::int64_t row = flat / (d.cache * d.HV);
    where.column = flat % d.cache;
    where.head = flat / d.cache % d.HV;
    place_part(problem, row / rows, row % rows, options.hola.cache_block, &Sequence::first_block, false, where);
    return where;
  }
  const std::int64_t width = tensor == "scores" ? 1 : d.V;
  if (tensor != "scores") where.column = flat % width;
  where.head = flat / width % d.HV;
  place_token(problem, flat / (width * d.HV), where);
  return where;
}

namespace {

BitDifference compared(const Problem& problem, const Outputs& one, const Outputs& other, bool judged_only) {
  BitDifference result;
  for (const auto& [name, x] : one.tensors) {
    const Tensor* y = other.find(name);
    if (y == nullptr) continue;
    result.compared += x.size();
    if (x.dtype != y->dtype || x.shape != y->shape) {
      if (result.unequal == 0 && x.size() > 0) result.first = place_of(problem, name, 0);
      result.unequal += x.size();
      continue;
    }
    if (x.bytes == y->bytes) continue;
    for (std::int64_t i = 0; i < x.size(); ++i) {
      if (same(x, *y, i)) continue;
      const Location where = place_of(problem, name, i);
      if (judged_only && !is_judged(problem, where)) continue;
      if (result.unequal++ == 0) result.first = where;
    }
  }
  return result;
}

}  // namespace

BitDifference compare_bits(const Problem& problem, const Outputs& one, const Outputs& other) {
  return compared(problem, one, other, false);
}

BitDifference compare_judged_bits(const Problem& problem, const Outputs& one, const Outputs& other) {
  return compared(problem, one, other, true);
}

}  // namespace deltaproof
