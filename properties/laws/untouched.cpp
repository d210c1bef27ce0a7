#include "properties/laws/untouched.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace deltaproof::laws {
namespace {

constexpr std::byte poison{0xff};

}  // namespace

std::optional<std::int64_t> changed_pool_row(const Problem& problem, const Outputs& outputs) {
  if (problem.find("state_indices") == nullptr) return std::nullopt;
  const Tensor& before = *problem.find("initial_state");
  const Tensor& after = outputs.tensors.at("final_state");
  const auto rows = static_cast<std::size_t>(problem.dims().pool);
  const std::size_t bytes = before.bytes.size() / rows;
  std::vector<bool> used(rows);
  for (const Sequence& sequence : problem.sequences()) {
    if (sequence.state_row >= 0) used[static_cast<std::size_t>(sequence.state_row)] = true;
  }
  for (std::size_t row = 0; row < rows; ++row) {
    const auto at = row * bytes;
    if (!used[row] && std::memcmp(before.bytes.data() + at, after.bytes.data() + at, bytes) != 0) {
      return static_cast<std::int64_t>(row);
    }
  }
  return std::nullopt;
}

std::optional<std::int64_t> written_skipped_rows(const Problem& problem, const Outputs& outputs) {
  const Tensor& o = outputs.tensors.at("o");
  const Dimensions& d = problem.dims();
  const auto row = static_cast<std::size_t>(d.HV * d.V) * dtype_size(o.dtype);
  for (const Sequence& sequence : problem.sequences()) {
    if (sequence.state_row >= 0) continue;
    const std::byte* first = o.bytes.data() + static_cast<std::size_t>(sequence.batch * d.T + sequence.begin) * row;
    const std::byte* end = first + static_cast<std::size_t>(sequence.length) * row;
    if (!std::all_of(first, end, [](std::byte x) { return x == poison; })) return sequence.index;
  }
  return std::nullopt;
}

}  // namespace deltaproof::laws
