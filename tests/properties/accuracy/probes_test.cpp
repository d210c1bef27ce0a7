// Each chunk is probed by itself: a run is not called right where a wrong answer would be too.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "double_kernel.hpp"
#include "recordings.hpp"
#include "small_problems.hpp"

namespace deltaproof {
namespace {

constexpr std::int64_t K = 32;

// Rows of unit length, rounded to bf16.
Tensor unit_rows(std::int64_t tokens, std::int64_t stream) {
  std::vector<double> values;
  for (std::int64_t t = 0; t < tokens; ++t) {
    double square = 0;
    for (std::int64_t i = 0; i < K; ++i) square += std::pow(scattered(t * K + i, stream), 2);
    for (std::int64_t i = 0; i < K; ++i)
      values.push_back(scattered(t * K + i, stream) / std::sqrt(square));
  }
  return Tensor::from(Dtype::bf16, {1, tokens, 1, K}, values);
}

// Without decay and with b = 1 the state keeps all of its errors: ADJ of `o` grows with the chunks.
class LongDeltaRun : public testing::Test {
 protected:
  static Problem problem(std::int64_t tokens) {
    TensorMap inputs;
    inputs["q"] = unit_rows(tokens, 1);
    inputs["k"] = unit_rows(tokens, 2);
    inputs["v"] =
        filled(Dtype::bf16, {1, tokens, 1, K}, [](std::int64_t i) { return 2 * scattered(i, 3); });
    inputs["beta"] = filled(Dtype::f32, {1, tokens, 1}, [](std::int64_t) { return 1; });
    return make_problem("delta", "fla-chunk", std::move(inputs));
  }
  // The right answer in bf16, zero from token `end` on.
  static Outputs right_until(const Problem& problem, std::int64_t end) {
    const Tensor o = DoubleKernel().run(problem).tensors.at("o");
    std::vector<double> values = o.values();
    for (std::size_t i = static_cast<std::size_t>(end * K); i < values.size(); ++i) values[i] = 0;
    Outputs outputs;
    outputs.tensors["o"] = Tensor::from(o.dtype, o.shape, values);
    return outputs;
  }
};

TEST_F(LongDeltaRun, DoesNotPassWithZerosFromTheThirdChunkOn) {
  const Problem p = problem(1024);
  for (const std::int64_t end : {128, 256, 448, 960}) {
    const Verdict verdict = judge_by_bound_alone(p, right_until(p, end));
    EXPECT_NE(verdict.status, Status::passed) << end << ": " << describe(verdict);
  }
}

// The first chunks are well bounded, which a run that ends there shows; the later ones are not, and
// that is what the verdict on the whole says.
TEST_F(LongDeltaRun, IsNotVouchedForByItsFirstChunks) {
  const Problem head = problem(64);
  EXPECT_EQ(judge_by_bound_alone(head, right_until(head, 64)).status, Status::passed);
  const Problem p = problem(1024);
  const Verdict verdict = judge_by_bound_alone(p, right_until(p, 1024));
  EXPECT_EQ(verdict.status, Status::uninformative) << describe(verdict);
  EXPECT_EQ(verdict.violations, 0);
  const auto zeros = std::find_if(verdict.probes.begin(), verdict.probes.end(), [](const Probe& x) {
    return x.tensor == "o" && x.wrong_answer == "zeros";
  });
  ASSERT_NE(zeros, verdict.probes.end());
  EXPECT_TRUE(zeros->accepted);
  EXPECT_GT(zeros->places, 0);
  EXPECT_LT(zeros->places, 1024 / 64) << "no chunk is well bounded";
  EXPECT_EQ(zeros->first.sequence, 0);
  EXPECT_GE(zeros->first.token, 64);
  EXPECT_EQ(zeros->first.token % 64, 0);
  EXPECT_NE(verdict.reason.find("first at sequence 0, token "), std::string::npos)
      << verdict.reason;
}

}  // namespace
}  // namespace deltaproof
