#include "properties/diagnose/hunt/archive.hpp"

#include <gtest/gtest.h>

namespace deltaproof {
namespace {

Worst found(double value, std::int64_t evaluation, const char* rule = "delta", Dtype type = Dtype::bf16) {
  Worst worst;
  worst.candidate.spec.options["rule"] = rule;
  worst.candidate.spec.shape.input = type;
  worst.value = value;
  worst.evaluation = evaluation;
  return worst;
}

TEST(Archive, KeepsTheLargestOfEachCell) {
  Archive archive;
  for (int i = 0; i < 20; ++i) archive.add(Objective::bound, found(i % 7, i));
  archive.add(Objective::bound, found(0.5, 20, "kla"));
  ASSERT_EQ(archive.cells().size(), 2);
  const std::vector<Worst>& delta = archive.cells().at("delta BF16");
  ASSERT_EQ(delta.size(), Archive::kept_per_cell);
  EXPECT_EQ(delta[0].value, 6);
  EXPECT_EQ(delta[0].evaluation, 6);  // of equal ones the first
  EXPECT_EQ(delta[3].value, 3);
  EXPECT_EQ(archive.cells().at("kla BF16").front().value, 0.5);
  EXPECT_EQ(archive.ranked(Objective::bound).size(), 5);
}

// 2^-20 is 16 units of roundoff in fp32 and nothing in bf16.
TEST(Archive, RanksRelativeErrorsInUnitsOfRoundoff) {
  Archive archive;
  archive.add(Objective::relative, found(0x1p-6, 1));
  archive.add(Objective::relative, found(0x1p-20, 2, "delta", Dtype::f32));
  EXPECT_EQ(archive.ranked(Objective::relative).front().evaluation, 2);
  Archive plain;
  plain.add(Objective::sigma, found(3, 1));
  plain.add(Objective::sigma, found(2, 2, "delta", Dtype::f32));
  EXPECT_EQ(plain.ranked(Objective::sigma).front().evaluation, 1);
}

}  // namespace
}  // namespace deltaproof
