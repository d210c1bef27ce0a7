#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>

#include "family_heads.hpp"

// Fewer tokens are the first tokens, fewer heads the first heads, fewer rows the first rows: what shrinking rests on.

namespace deltaproof {
namespace {

using namespace testing;

RegimeShape whole_shape() {
  return {.tokens = 40, .K = 8, .V = 6, .B = 2, .H = 4, .HV = 8, .slots = 3, .initial_state = true, .chunk = 16};
}

// Older than the rule; they keep their bits.
bool depends_on_length(const Regime& regime, const std::string& tensor) {
  const bool key = regime.keys == KeyGeometry::tiny || regime.keys == KeyGeometry::mixed_norm;
  return (key && tensor == "k") || (regime.values == ValueProfile::heavy_tail && tensor == "v");
}

// Indices 0 .. count - 1 of an axis.
Tensor first_of(const Tensor& tensor, std::size_t axis, std::int64_t count) {
  Tensor part{tensor.dtype, tensor.shape, {}};
  part.shape[axis] = count;
  std::size_t outer = 1, inner = dtype_size(tensor.dtype);
  for (std::size_t i = 0; i < tensor.shape.size(); ++i)
    (i < axis ? outer : inner) *= i == axis ? 1 : static_cast<std::size_t>(tensor.shape[i]);
  for (std::size_t n = 0; n < outer; ++n) {
    const auto begin = tensor.bytes.begin() + static_cast<std::ptrdiff_t>(n * inner) * tensor.shape[axis];
    part.bytes.insert(part.bytes.end(), begin, begin + static_cast<std::ptrdiff_t>(inner) * count);
  }
  return part;
}

// The tensors that are not the first `count` of `whole` along the axis.
using Count = std::function<std::int64_t(std::string)>;
std::set<std::string> other_than_first(const Problem& part, const Problem& whole, std::size_t token_axis,
                                       std::size_t state_axis, const Count& count) {
  std::set<std::string> others;
  for (const auto& [name, tensor] : part.tensors()) {
    const bool is_state = name.starts_with("initial");
    const bool is_parameter = name.starts_with("gamma") || name == "sink" || name == "cache_gate";  // [HV, ..]
    const std::size_t axis = is_state ? state_axis : is_parameter ? 0 : token_axis;
    const bool has_axis = token_axis == 2 || !(is_parameter || (is_state && token_axis == 1));
    const Tensor& all = *whole.find(name);
    const Tensor first = has_axis ? first_of(all, axis, count(name)) : all;
    if (first.shape != tensor.shape || first.bytes != tensor.bytes) others.insert(name);
  }
  return others;
}

std::string named(const Regime& regime, const RuleInfo& info) {
  return std::string(regime.name) + " " + std::string(info.name);
}

TEST(Prefixes, FewerTokensAreTheFirst) {
  for (const Regime& regime : regimes())
    for (const RuleInfo& info : rule_table()) {
      const Problem whole = regime_problem(regime, info.rule, whole_shape(), 5);
      for (const std::int64_t tokens : {1, 15, 16, 17, 39}) {
        RegimeShape shape = whole_shape();
        shape.tokens = tokens;
        const Problem part = regime_problem(regime, info.rule, shape, 5);
        for (const std::string& name :
             other_than_first(part, whole, 1, 1, [&](const std::string&) { return tokens; })) {
          EXPECT_TRUE(depends_on_length(regime, name)) << named(regime, info) << ' ' << name;
        }
      }
    }
}

// `v = W k` of `cancel_v=Wk` follows keys, and writes over |k|^2 do: but no family's keys with those depend on T.
TEST(Prefixes, OnlyThreeFamiliesDependOnTheLength) {
  std::set<std::string_view> dependent;
  for (const Regime& regime : regimes())
    for (const char* tensor : {"k", "v"})
      if (depends_on_length(regime, tensor)) dependent.insert(regime.name);
  EXPECT_EQ(dependent, (std::set<std::string_view>{"kla_tinykey", "kla_mixnorm", "heavytail_v"}));
}

TEST(Prefixes, FewerHeadsAreTheFirst) {
  for (const Regime& regime : regimes())
    for (const RuleInfo& info : rule_table()) {
      const Problem whole = regime_problem(regime, info.rule, whole_shape(), 5);
      for (const std::int64_t heads : {1, 3}) {
        RegimeShape shape = whole_shape();
        shape.H = heads, shape.HV = 2 * heads;
        const auto count = [&](const std::string& name) { return name == "q" || name == "k" ? heads : 2 * heads; };
        EXPECT_EQ(other_than_first(regime_problem(regime, info.rule, shape, 5), whole, 2, 1, count),
                  std::set<std::string>{})
            << named(regime, info);
      }
    }
}

TEST(Prefixes, FewerRowsAreTheFirst) {
  for (const Regime& regime : regimes())
    for (const RuleInfo& info : rule_table()) {
      const Problem whole = regime_problem(regime, info.rule, whole_shape(), 5);
      RegimeShape shape = whole_shape();
      shape.B = 1;
      const auto one = [](const std::string&) { return std::int64_t{1}; };
      EXPECT_EQ(other_than_first(regime_problem(regime, info.rule, shape, 5), whole, 0, 0, one),
                std::set<std::string>{})
          << named(regime, info);
    }
}

}  // namespace
}  // namespace deltaproof
