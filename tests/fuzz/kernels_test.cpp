#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fuzz/host.hpp"
#include "fuzz/targets/chunk.hpp"
#include "fuzz/targets/selection.hpp"
#include "fuzz/targets/solve.hpp"
#include "tests/fuzz/planted_fault.hpp"

namespace deltaproof::fuzz {
namespace {

using ::testing::HasSubstr;

std::string with_edit(const std::function<void(const std::string&, Outputs&)>& edit) {
  return findings_of("chunk", [&](const StoredInput& input) { check_chunk(input.bytes, edit); });
}

TEST(FuzzChunk, ARunOfTwiceTheAnswerIsAFindingOfEitherKernel) {
  for (const char* faulty : {"chunk", "recurrent"}) {
    const auto twice = [&](const std::string& kernel, Outputs& outputs) {
      if (kernel != faulty) return;
      Tensor& o = outputs.tensors.at("o");
      std::vector<double> values = o.values();
      for (double& x : values) x *= 2;
      o = Tensor::from(o.dtype, o.shape, values);
    };
    EXPECT_THAT(with_edit(twice), HasSubstr(std::string("kernel ") + faulty + " is failed"));
  }
}

TEST(FuzzChunk, OneBitWithinTheBoundIsAFinding) {
  const auto flip = [&](const std::string& kernel, Outputs& outputs) {
    if (kernel == "chunk") outputs.tensors.at("o").bytes.front() ^= std::byte{1};
  };
  EXPECT_THAT(with_edit(flip), HasSubstr("kernel chunk is "));
}

TEST(FuzzChunk, RunsFurtherApartThanBothBoundsAreAFinding) {
  const Place place{"o", 0, 0, 0};
  const auto block = [](double value, double allowed) {
    return JudgedBlock{Matrix::Constant(1, 1, value), Matrix::Constant(1, 1, allowed)};
  };
  EXPECT_NO_THROW(require_close({{place, block(1, 0.25)}}, {{place, block(1.5, 0.25)}}));
  EXPECT_THROW(require_close({{place, block(1, 0.25)}}, {{place, block(1.5, 0.125)}}), Finding);
}

TEST(FuzzSolve, AnAnswerThatIsOffIsAFinding) {
  const auto off = [](std::vector<float>& X) {
    for (float& x : X) x = x * 1.5f + 1.0f;
  };
  const std::string finding =
      findings_of("solve", [&](const StoredInput& input) { check_solve_target(input.bytes, off); });
  EXPECT_THAT(finding, HasSubstr("accuracy of a solve is failed"));
}

TEST(FuzzSolve, OtherBitsAreAFinding) {
  const auto off = [](std::vector<float>& X) { X.back() = std::nextafter(X.back(), 0.0f); };
  const std::string finding =
      findings_of("solve", [&](const StoredInput& input) { check_solve_target(input.bytes, off); });
  EXPECT_THAT(finding, HasSubstr("of a solve is failed"));
}

std::string with(const SelectionFunctions& functions) {
  return findings_of("selection", [&](const StoredInput& input) { check_selection(input.bytes, functions); });
}

TEST(FuzzSelection, AKernelThatKeepsTheLaterOfTwoEqualTokensIsAFinding) {
  SelectionFunctions functions;
  functions.select = [](const SelectInput& input) {
    std::vector<std::int32_t> selected = stage_select(*host(Schedule::random), input);
    for (std::size_t i = 1; i < selected.size(); ++i) {
      if (selected[i] >= 0 && i % static_cast<std::size_t>(input.w) != 0) std::swap(selected[i], selected[i - 1]);
    }
    return selected;
  };
  EXPECT_THAT(with(functions), HasSubstr("kernel select gives block"));
}

TEST(FuzzSelection, AKernelThatRefusesRightScoresIsAFinding) {
  SelectionFunctions functions;
  functions.select = [](const SelectInput&) -> std::vector<std::int32_t> { throw KernelError("never"); };
  EXPECT_THAT(with(functions), HasSubstr("refuses right scores"));
}

TEST(FuzzSelection, AReferenceWithAnotherCapacityIsAFinding) {
  SelectionFunctions functions;
  functions.blockwise = [](std::span<const double> scores, Index w, Index block) {
    return blockwise_sets(scores, w + 1, block);
  };
  EXPECT_THAT(with(functions), HasSubstr("blockwise sets are not the top-w"));
}

}  // namespace
}  // namespace deltaproof::fuzz
