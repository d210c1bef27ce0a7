// Parts of a problem, from which laws build their second runs.
#include "properties/laws/parts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "kernels/stepwise.hpp"
#include "properties/laws/draws.hpp"
#include "properties/laws/other_values.hpp"
#include "properties/laws/second_run.hpp"
#include "tests/properties/laws/small_problems.hpp"

namespace deltaproof::laws {
namespace {

// Sequences of 19, 0, 5 and 14 tokens; 2 of the 40 rows are in none.
Problem packed_problem() {
  for (const Problem& problem : small_problems(*find_built_in_kernel("recurrent"))) {
    if (problem.find("cu_seqlens") != nullptr) return problem;
  }
  throw std::logic_error("no packed problem among the small ones");
}

bool same_row(const Tensor& x, std::int64_t i, const Tensor& y, std::int64_t j) {
  const std::size_t row = x.bytes.size() / static_cast<std::size_t>(x.shape[1]);
  const auto first = x.bytes.begin() + i * static_cast<std::ptrdiff_t>(row);
  return std::equal(first, first + static_cast<std::ptrdiff_t>(row),
                    y.bytes.begin() + j * static_cast<std::ptrdiff_t>(row));
}

TEST(LawParts, SequencesInAnotherOrderTakeTheirRowsAlong) {
  const Problem problem = packed_problem();
  const Problem other = problem.with_inputs(with_sequences(problem, {3, 1, 0, 2}));
  EXPECT_EQ(other.dims().T, 40);
  const std::vector<Sequence>& sequences = other.sequences();
  EXPECT_EQ(sequences[0].length, 14);
  EXPECT_EQ(sequences[1].length, 0);
  EXPECT_EQ(sequences[2].length, 19);
  const Tensor &before = *problem.find("v"), &after = *other.find("v");
  EXPECT_TRUE(same_row(after, 0, before, 24));
  EXPECT_TRUE(same_row(after, 14, before, 0));
  EXPECT_TRUE(same_row(after, 39, before, 39)) << "rows of no sequence stay behind";
  EXPECT_FALSE(same_row(after, 0, before, 0));
}

TEST(LawParts, OneSequenceLeavesTheOthersOut) {
  const Problem problem = packed_problem();
  const Problem one = problem.with_inputs(with_sequences(problem, {2}, false));
  EXPECT_EQ(one.dims().T, 5);
  EXPECT_TRUE(same_row(*one.find("q"), 0, *problem.find("q"), 19));
}

TEST(LawParts, RowsBetweenAreThoseOfARunOfTheTokens) {
  const Problem problem = packed_problem();
  const Tensor& v = *problem.find("v");
  const Problem piece = tokens_of(problem, 4, 3, states_before(problem));
  EXPECT_EQ(rows_between(problem, v, 4, 7).bytes, piece.find("v")->bytes);
}

TEST(LawParts, OtherValuesAreAtTheTokensAskedForAlone) {
  const Problem problem = packed_problem();
  const auto from_3 = [](const Sequence&, std::int64_t token) { return token >= 3; };
  const TensorMap other = with_other_values(problem, from_3);
  for (const auto& [name, tensor] : problem.tensors()) {
    if (!has_token_rows(name)) continue;
    EXPECT_TRUE(same_row(tensor, 21, other.at(name), 21)) << name;
    EXPECT_FALSE(same_row(tensor, 22, other.at(name), 22)) << name;
    EXPECT_TRUE(same_row(tensor, 39, other.at(name), 39)) << name << " of no sequence";
  }
}

TEST(LawDraws, PermutationsAreNotTheIdentity) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Generator draw(seed, {1});
    const Indices order = shuffled(2 + static_cast<std::int64_t>(seed % 4), draw);
    EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
    Indices sorted = order;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < sorted.size(); ++i) EXPECT_EQ(sorted[i], static_cast<std::int64_t>(i));
  }
}

TEST(LawZeros, LoseTheirSignAndNothingElse) {
  Outputs outputs;
  outputs.tensors["o"] = Tensor::from(Dtype::bf16, {3}, {-0.0, 0.0, -1.5});
  const Outputs unsigned_zeros = without_signs_of_zero(outputs);
  const Tensor& o = unsigned_zeros.tensors.at("o");
  EXPECT_EQ(o.bytes, Tensor::from(Dtype::bf16, {3}, {0.0, 0.0, -1.5}).bytes);
}

}  // namespace
}  // namespace deltaproof::laws
