// The kill matrix of kernels with a cache.
#include <gtest/gtest.h>

#include <algorithm>

#include "properties/defects/catalogue.hpp"
#include "properties/defects/kill_matrix.hpp"

namespace deltaproof {
namespace {

constexpr std::size_t loc = 0;  // its column

MatrixOptions options_of(std::initializer_list<const char*> defects, std::initializer_list<const char*> names) {
  MatrixOptions options;
  for (const char* id : defects) options.defects.push_back(find_defect(id));
  for (const char* name : names) options.regimes.push_back(find_regime(name));
  return options;
}

const MatrixRow& row_of(const KillMatrix& matrix, std::string_view id) {
  return *std::ranges::find_if(matrix.rows, [&](const MatrixRow& row) { return row.id() == id; });
}

TEST(CacheMatrix, LocIsTheFirstColumn) { EXPECT_EQ(matrix_rules()[loc].name, "LOC"); }

// Ties show where scores are equal, an eps where rows are tiny; each rule counts what it is for.
TEST(CacheMatrix, DefectsOfACacheGoIntoAKernelThatHasOne) {
  const KillMatrix matrix = kill_matrix(
      options_of({"cache_tie_later", "rms_eps_outside", "read_twice", "score_no_beta"}, {"equal_scores", "tiny_rows"}));
  ASSERT_EQ(matrix.rows.size(), 6);  // two undamaged kernels
  EXPECT_TRUE(matrix.survivors().empty() && matrix.false_alarms().empty());
  for (const char* id : {"cache_tie_later", "rms_eps_outside", "read_twice", "score_no_beta"}) {
    EXPECT_EQ(row_of(matrix, id).kernel, "hola") << id;
  }
  EXPECT_EQ(row_of(matrix, "cache_tie_later").cells[0].property, "selection");
  EXPECT_GT(row_of(matrix, "score_no_beta").cells[1].rules[loc].killed, 0) << "scores have a bound";
  EXPECT_GT(row_of(matrix, "rms_eps_outside").cells[1].rules[loc].killed, 0);
  EXPECT_EQ(row_of(matrix, "rms_eps_outside").cells[0].rules[loc].killed, 0);
  EXPECT_GT(row_of(matrix, "read_twice").cells[0].rules[loc].killed, 0);
}

TEST(CacheMatrix, DefectsOfTheStateAreFoundBesideACache) {
  MatrixOptions options = options_of({"no_op", "gate_shift", "read_before_write", "swap_heads"}, {"typical"});
  options.kernel = "hola";
  const KillMatrix matrix = kill_matrix(options);
  EXPECT_TRUE(matrix.survivors().empty() && matrix.false_alarms().empty());
  EXPECT_EQ(row_of(matrix, "gate_shift").kernel, "hola");
  EXPECT_EQ(row_of(matrix, "swap_heads").kernel, "chunk") << "damage to outputs is tried without a cache";
}

}  // namespace
}  // namespace deltaproof
