#include "reference/problem/sequences.hpp"

#include <fmt/format.h>

#include <unordered_map>

#include "reference/problem/message.hpp"

namespace deltaproof {
namespace {

std::vector<Sequence> packed(const std::string& file, const Dimensions& dims,
                             const Options& options, const Tensor& cu_seqlens) {
  const auto refuse_at = [&](std::int64_t i, const std::string& wanted) {
    refuse_tensor(file, "cu_seqlens",
                  fmt::format("value {} at [{}]; {}", cu_seqlens.integer(i), i, wanted));
  };
  if (cu_seqlens.integer(0) != 0) refuse_at(0, "wanted 0 at the start");
  std::vector<Sequence> sequences;
  std::int64_t states = 0, blocks = 0;
  for (std::int64_t n = 0; n < dims.N; ++n) {
    const std::int64_t begin = cu_seqlens.integer(n);
    const std::int64_t end = cu_seqlens.integer(n + 1);
    if (end < begin) refuse_at(n + 1, fmt::format("it must not be less than {} before it", begin));
    if (end > dims.T) refuse_at(n + 1, fmt::format("it must not pass T = {}", dims.T));
    sequences.push_back({n, 0, begin, end - begin, n, states, blocks});
    states += state_count(end - begin, options.states_every);
    blocks += state_count(end - begin, options.hola.cache_block);
  }
  return sequences;
}

void assign_rows(const std::string& file, const Dimensions& dims, const Tensor& state_indices,
                 std::vector<Sequence>& sequences) {
  std::unordered_map<std::int64_t, std::int64_t> listed;
  for (std::int64_t n = 0; n < dims.N; ++n) {
    const std::int64_t row = state_indices.integer(n);
    if (row < -1 || row >= dims.pool)
      refuse_tensor(
          file, "state_indices",
          fmt::format("value {} at [{}]; wanted a row of the pool, 0 to {}, or -1 for padding", row,
                      n, dims.pool - 1));
    if (row >= 0) {
      const auto [first, is_new] = listed.emplace(row, n);
      if (!is_new)
        refuse_tensor(
            file, "state_indices",
            fmt::format("value {} at [{}] stands at [{}] already; two sequences cannot share "
                        "a state",
                        row, n, first->second));
    }
    sequences[static_cast<std::size_t>(n)].state_row = row;
  }
}

}  // namespace

std::vector<Sequence> make_sequences(const std::string& file, const Dimensions& dims,
                                     const Options& options, const Tensor* cu_seqlens,
                                     const Tensor* state_indices) {
  std::vector<Sequence> sequences;
  if (cu_seqlens != nullptr)
    sequences = packed(file, dims, options, *cu_seqlens);
  else
    for (std::int64_t n = 0; n < dims.N; ++n) sequences.push_back({n, n, 0, dims.T, n, 0, 0});
  if (state_indices != nullptr) assign_rows(file, dims, *state_indices, sequences);
  return sequences;
}

}  // namespace deltaproof
