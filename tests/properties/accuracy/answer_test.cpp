// The right answer as a file: shapes, radii that hold, bounds that add up, re-readable.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "properties/accuracy/answer.hpp"
#include "recordings.hpp"
#include "reference/oracle/answer.hpp"
#include "small_problems.hpp"

namespace deltaproof {
namespace {

using Shape = std::vector<std::int64_t>;

class AnswerOf : public testing::TestWithParam<std::string> {
 protected:
  CaseFile file_ = recording(GetParam());
  Safetensors answer_ = full_answer(file_.problem, {});
  const Dimensions& d_ = file_.problem.dims();

  const Tensor& tensor(const std::string& name) const { return answer_.tensors.at(name); }
};

TEST_P(AnswerOf, HasTheShapesOfAKernelsOutputs) {
  for (const auto& [name, output] : file_.outputs->tensors) {
    ASSERT_TRUE(answer_.tensors.contains(name)) << name;
    EXPECT_EQ(tensor(name).shape, output.shape) << name;
    EXPECT_EQ(tensor(name + "_radius").shape, output.shape) << name;
    EXPECT_EQ(tensor(name).dtype, Dtype::f64);
  }
  EXPECT_EQ(tensor("u").shape, (Shape{d_.B, d_.T, d_.HV, d_.V}));
  EXPECT_EQ(tensor("scores").size(), d_.B * d_.T * d_.HV);
  EXPECT_EQ(tensor("o_bound").shape, tensor("o").shape);
  EXPECT_EQ(tensor("final_state_bound").shape, tensor("final_state").shape);
}

// |value - exact| <= radius, seen from 300 bits, whose own radius is certified too.
TEST_P(AnswerOf, HoldsTheExactAnswerWithinItsRadii) {
  for (const Sequence& s : file_.problem.sequences()) {
    const HeadInputs head = head_inputs(file_.problem, s, d_.HV - 1);
    if (head.tokens == 0) continue;
    const HeadAnswer exact = answer_mpfr(head, {.every = 0, .trace = false, .u = true}, 300);
    const auto expect_within = [&](const char* name, const Matrix& value, const Matrix& radius,
                                   const Matrix& truth, const Matrix& truth_radius) {
      const Matrix distance = (value - truth).cwiseAbs();
      EXPECT_TRUE((distance.array() <= (radius + truth_radius).array()).all())
          << name << " " << s.index;
      EXPECT_TRUE((radius.array() >= 0).all() && radius.allFinite()) << name;
    };
    const auto rows = [&](const char* name) {
      return output_rows(tensor(name), file_.problem, s, d_.HV - 1);
    };
    expect_within("o", rows("o"), rows("o_radius"), exact.o, exact.o_radius);
    expect_within("u", rows("u"), rows("u_radius"), exact.u, exact.u_radius);
    const Matrix state = state_of(tensor("final_state"), file_.problem, s.state_row, d_.HV - 1);
    const Matrix radius =
        state_of(tensor("final_state_radius"), file_.problem, s.state_row, d_.HV - 1);
    expect_within("final_state", state, radius, exact.states.back(),
                  exact.state_radius.back().replicate(state.rows(), 1));
  }
}

// Each is a sum of the same n non-negative doubles in some order, so within gamma_(n-1) of the
// exact sum.
TEST_P(AnswerOf, HasTermsThatAddUpToTheBound) {
  for (const std::string bound : {"o_bound", "final_state_bound"}) {
    std::vector<double> sum(static_cast<std::size_t>(tensor(bound).size()), 0.0);
    int terms = 0;
    for (const auto& [name, term] : answer_.tensors) {
      if (name.rfind(bound + ".", 0) != 0) continue;
      ++terms;
      for (std::size_t i = 0; i < sum.size(); ++i) {
        const double value = term.value(static_cast<std::int64_t>(i));
        EXPECT_GE(value, 0) << name;
        sum[i] += value;
      }
    }
    ASSERT_GT(terms, 1) << bound;
    const double gamma = 2 * terms * 0x1p-53 / (1 - 2 * terms * 0x1p-53);
    std::int64_t wrong = 0;
    for (std::size_t i = 0; i < sum.size(); ++i) {
      const double whole = tensor(bound).value(static_cast<std::int64_t>(i));
      if (!(std::abs(whole - sum[i]) <= gamma * (whole + sum[i]))) ++wrong;
    }
    EXPECT_EQ(wrong, 0) << bound;
  }
}

TEST_P(AnswerOf, CanBeReadBack) {
  const auto path =
      std::filesystem::path(testing::TempDir()) / ("answer_" + GetParam() + ".safetensors");
  write_safetensors(path, answer_);
  const Safetensors read = read_safetensors(path);
  std::filesystem::remove(path);
  EXPECT_EQ(read.metadata, answer_.metadata);
  EXPECT_EQ(read.metadata.at("format"), "deltaproof.answer/1");
  EXPECT_EQ(read.metadata.at("rule"), file_.metadata.at("rule"));
  EXPECT_GE(std::atoi(read.metadata.at("precision_bits").c_str()), 53);
  ASSERT_EQ(read.tensors.size(), answer_.tensors.size());
  for (const auto& [name, wanted] : answer_.tensors) {
    EXPECT_EQ(read.tensors.at(name).shape, wanted.shape) << name;
    EXPECT_EQ(read.tensors.at(name).bytes, wanted.bytes) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Recordings, AnswerOf,
                         testing::Values("gdn_chunk_bf16_strong_decay", "gdn_chunk_bf16_varlen_gva",
                                         "gdn_decode_bf16_B16", "kda_chunk_bf16"),
                         [](const auto& each) { return each.param; });

// Outputs made from the answer pass: the file is what a kernel should have put out.
TEST(Answer, PassesWhenGivenBackAsOutputs) {
  const CaseFile file = recording("kda_chunk_bf16");
  const Safetensors answer = full_answer(file.problem, {});
  Outputs outputs;
  for (const char* name : {"o", "final_state", "chunk_states"})
    outputs.tensors[name] = answer.tensors.at(name);
  const Verdict verdict = judge(file.problem.with_arithmetic("fp64"), outputs);
  EXPECT_EQ(verdict.status, Status::passed) << describe(verdict);
}

TEST(Answer, SaysWhyThereIsNoBound) {
  const Problem problem = make_problem("softmax", "fla-chunk", small_inputs("softmax", {}));
  const Safetensors answer = full_answer(problem, {});
  EXPECT_FALSE(answer.tensors.contains("o_bound"));
  EXPECT_NE(answer.metadata.at("bound").find("softmax"), std::string::npos);
}

TEST(Answer, OfAnEmptySequenceIsItsInitialState) {
  TensorMap inputs = small_inputs("gated_delta", {.T = 6, .K = 4, .V = 3});
  inputs["cu_seqlens"] = Tensor::from(Dtype::i32, {4}, {0, 3, 3, 5});
  inputs["initial_state"] =
      filled(Dtype::f32, {3, 1, 4, 3}, [](std::int64_t i) { return scattered(i, 8); });
  const Problem problem = make_problem("gated_delta", "fla-chunk", inputs);
  const Safetensors answer = full_answer(problem, {});
  const Matrix given = state_of(inputs.at("initial_state"), problem, 1, 0);
  EXPECT_EQ(state_of(answer.tensors.at("final_state"), problem, 1, 0), given);
  EXPECT_EQ(state_of(answer.tensors.at("final_state_radius"), problem, 1, 0), Matrix::Zero(4, 3));
  // The token outside cu_seqlens holds zeros.
  const Tensor& o = answer.tensors.at("o");
  for (std::int64_t c = 0; c < 3; ++c) EXPECT_EQ(o.value(5 * 3 + c), 0);
}

}  // namespace
}  // namespace deltaproof
