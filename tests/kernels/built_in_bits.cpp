#include "tests/kernels/built_in_bits.hpp"

#include <algorithm>
#include <utility>

#include "kernels/bits.hpp"
#include "properties/accuracy/emulated_outputs.hpp"

namespace deltaproof {
namespace {

constexpr std::byte untouched{0xff};

// Bytes of row `row` of the first axis of a tensor that has `rows` of them.
std::pair<std::size_t, std::size_t> row_of(const Tensor& tensor, std::int64_t row, std::int64_t rows) {
  const std::size_t size = tensor.bytes.size() / static_cast<std::size_t>(rows);
  return {static_cast<std::size_t>(row) * size, size};
}

}  // namespace

Outputs expected_outputs(const Problem& problem) {
  const Dimensions& d = problem.dims();
  Outputs outputs = emulated_outputs(problem, false);
  Tensor& o = outputs.tensors.at("o");
  std::vector<bool> token_seen(static_cast<std::size_t>(d.B * d.T));
  for (const Sequence& s : problem.sequences()) {
    if (s.state_row < 0) continue;
    const auto first = token_seen.begin() + (s.batch * d.T + s.begin);
    std::fill(first, first + s.length, true);
  }
  for (std::int64_t t = 0; t < d.B * d.T; ++t) {
    if (token_seen[static_cast<std::size_t>(t)]) continue;
    const auto [begin, size] = row_of(o, t, d.B * d.T);
    std::fill_n(o.bytes.begin() + static_cast<std::ptrdiff_t>(begin), size, untouched);
  }
  return outputs;
}

testing::AssertionResult same_bits(const Problem& problem, const Outputs& expected, const Outputs& actual) {
  const BitDifference difference = compare_bits(problem, expected, actual);
  if (difference.compared == 0) return testing::AssertionFailure() << "nothing was compared";
  if (difference.unequal == 0) return testing::AssertionSuccess();
  return testing::AssertionFailure() << problem.name() << ": " << difference.unequal << " of " << difference.compared
                                     << " values differ, the first at " << to_string(difference.first);
}

Problem own_problem(const std::string& kernel, Rule rule, const RegimeShape& shape, const Metadata& more,
                    const TensorMap& tensors, const std::string& regime) {
  const BuiltInInfo& info = *find_built_in_kernel(kernel);
  TensorMap all = regime_problem(*find_regime(regime), rule, shape, 5).tensors();
  for (const auto& [name, tensor] : tensors) all[name] = tensor;
  Metadata metadata{{"format", "deltaproof.case/1"},
                    {"rule", std::string(rule_info(rule).name)},
                    {"arithmetic", std::string(info.arithmetic)}};
  for (const auto& [key, value] : more) metadata[key] = value;
  return Problem::make(kernel + " " + metadata["rule"] + " " + std::string(dtype_name(shape.input)), metadata,
                       std::move(all));
}

}  // namespace deltaproof
