// Rows that the kernel normalises: stored in the input's type or kept in fp32, and a run may do
// either.
#include "properties/accuracy/rows.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "double_kernel.hpp"
#include "recordings.hpp"
#include "reference/bounds/chunk_input.hpp"
#include "reference/problem/head.hpp"
#include "small_problems.hpp"

namespace deltaproof {
namespace {

HeadInputs head_of(L2Norm which, const Matrix& q, const Matrix& k, double eps) {
  HeadInputs head;
  head.options.qk_l2norm = which;
  head.options.qk_l2norm_eps = eps;
  head.tokens = q.rows();
  head.K = q.cols();
  head.q = q;
  head.k = k;
  return head;
}

Matrix random_rows(Index rows, Index columns, std::int64_t stream) {
  Matrix m(rows, columns);
  for (Index i = 0; i < m.size(); ++i) m.data()[i] = 3 * scattered(i, stream);
  return m;
}

double rounded(double x) { return round_to_nearest_even(formats::bf16, x); }

TEST(StoredRows, AreRoundedFromTheExactlyNormalisedOnes) {
  Matrix k(1, 2);
  k << 3, 4;
  const HeadInputs head = with_rows(head_of(L2Norm::both, k, k, 0), Rows::stored, formats::bf16);
  EXPECT_EQ(head.k(0, 0), rounded(0.6));
  EXPECT_EQ(head.k(0, 1), rounded(0.8));
  EXPECT_TRUE(head.k_error.isZero(0));
  EXPECT_EQ(head.q, head.k);
  EXPECT_TRUE(head.q_error.isZero(0));
  EXPECT_EQ(head.options.qk_l2norm, L2Norm::none);
  EXPECT_FALSE(head.normalised_in_fp32);
}

TEST(StoredRows, UseTheEpsilonOfTheProblem) {
  Matrix k(1, 1);
  k << 1;
  const HeadInputs head = with_rows(head_of(L2Norm::k, k, k, 3), Rows::stored, formats::bf16);
  EXPECT_EQ(head.k(0, 0), 0.5);
}

class OneOfTheTwo : public testing::TestWithParam<L2Norm> {};

TEST_P(OneOfTheTwo, IsStoredAndTheOtherLeftAlone) {
  const Matrix q = random_rows(3, 4, 1), k = random_rows(3, 4, 2);
  const HeadInputs head = with_rows(head_of(GetParam(), q, k, 1e-6), Rows::stored, formats::bf16);
  const bool is_q = GetParam() == L2Norm::q;
  EXPECT_NE(is_q ? head.q : head.k, is_q ? q : k);
  EXPECT_EQ((is_q ? head.q_error : head.k_error).rows(), 3);
  EXPECT_EQ(is_q ? head.k : head.q, is_q ? k : q);
  EXPECT_EQ((is_q ? head.k_error : head.q_error).size(), 0);
}

INSTANTIATE_TEST_SUITE_P(L2Norm, OneOfTheTwo, testing::Values(L2Norm::q, L2Norm::k),
                         [](const auto& each) { return each.param == L2Norm::q ? "q" : "k"; });

TEST(StoredRows, OfZerosStayZeroWithoutError) {
  const Matrix zero = Matrix::Zero(2, 4);
  const HeadInputs head =
      with_rows(head_of(L2Norm::both, zero, zero, 1e-6), Rows::stored, formats::bf16);
  EXPECT_TRUE(head.k.isZero(0));
  EXPECT_TRUE(head.k_error.isZero(0));
}

// 0.5 + 2^-9 lies half way between two numbers of bf16: the kernel may store either.
TEST(StoredRows, AreUncertainWhereRoundingMayGoEitherWay) {
  const double middle = 0.5 + 0x1p-9;
  Matrix k(2, 2);
  k << middle, std::sqrt(1 - middle * middle), 3, 4;
  const HeadInputs head = with_rows(head_of(L2Norm::k, k, k, 0), Rows::stored, formats::bf16);
  EXPECT_EQ(head.k_error(0, 0), 0x1p-8);
  EXPECT_EQ(head.k_error(0, 1), 0);
  EXPECT_TRUE(head.k_error.row(1).isZero(0));
}

// Whatever the kernel's fp32 error, its stored row is within the error of the reference's.
RC_GTEST_PROP(StoredRows, HoldEveryRowThatAKernelMayStore, ()) {
  const auto seed = *rc::gen::inRange<std::int64_t>(0, 1 << 20);
  const Matrix k = random_rows(4, 16, seed);
  const HeadInputs head = with_rows(head_of(L2Norm::k, k, k, 1e-6), Rows::stored, formats::bf16);
  for (Index t = 0; t < k.rows(); ++t) {
    const double length = std::sqrt(k.row(t).squaredNorm() + 1e-6);
    for (Index i = 0; i < k.cols(); ++i) {
      const double shift = normalise_error(16) * scattered(t * 16 + i, seed + 1);
      const double kernels = rounded(k(t, i) / length * (1 + shift));
      RC_ASSERT(std::abs(kernels - head.k(t, i)) <= head.k_error(t, i));
    }
  }
}

TEST(RowsInFp32, LeaveTheHeadButForTheirMark) {
  const Matrix q = random_rows(3, 4, 1), k = random_rows(3, 4, 2);
  const HeadInputs head = with_rows(head_of(L2Norm::both, q, k, 0), Rows::in_fp32, formats::bf16);
  EXPECT_TRUE(head.normalised_in_fp32);
  EXPECT_EQ(head.q, q);
  EXPECT_EQ(head.k, k);
  EXPECT_EQ(head.options.qk_l2norm, L2Norm::both);
  EXPECT_EQ(head.k_error.size(), 0);
}

TEST(RowsAsGiven, ChangeNothing) {
  const Matrix q = random_rows(3, 4, 1);
  const HeadInputs head = with_rows(head_of(L2Norm::both, q, q, 0), Rows::as_given, formats::bf16);
  EXPECT_FALSE(head.normalised_in_fp32);
  EXPECT_EQ(head.q, q);
  EXPECT_EQ(head.options.qk_l2norm, L2Norm::both);
}

std::vector<Rows> hypotheses(const std::string& rule, const std::string& arithmetic,
                             const std::string& which) {
  const Problem problem =
      make_problem(rule, arithmetic, small_inputs(rule, {}), {{"qk_l2norm", which}});
  return row_hypotheses(problem, choose_bound(arithmetic, problem));
}

TEST(RowHypotheses, AreTwoWhereChunkKernelsNormalise) {
  const std::vector<Rows> both = {Rows::stored, Rows::in_fp32};
  for (const char* rule :
       {"linear", "delta", "gated_delta", "scalar_decay", "vector_decay", "vector_decay_delta"}) {
    for (const char* which : {"q", "k", "kernel"}) {
      EXPECT_EQ(hypotheses(rule, "generic", which), both) << rule << " " << which;
    }
  }
  EXPECT_EQ(hypotheses("gated_delta", "fla-chunk", "kernel"), both);
  EXPECT_EQ(hypotheses("gated_delta", "nvlabs-chunk", "k"), both);
  EXPECT_EQ(hypotheses("vector_decay_delta", "fla-kda-chunk", "q"), both);
}

TEST(RowHypotheses, AreOneElsewhere) {
  const std::vector<Rows> one = {Rows::as_given};
  EXPECT_EQ(hypotheses("gated_delta", "fla-chunk", "none"), one);
  EXPECT_EQ(hypotheses("gated_delta", "fla-recurrent", "kernel"), one);
  EXPECT_EQ(hypotheses("gated_delta", "fp64", "kernel"), one);
  // A coefficient formed from |k|^2 may take the rows before or after they are stored.
  for (const char* rule : {"kla", "longhorn_exact"}) {
    for (const char* arithmetic : {"fla-chunk", "nvlabs-chunk", "generic", "fla-recurrent"}) {
      EXPECT_EQ(hypotheses(rule, arithmetic, "kernel"), one) << rule << " " << arithmetic;
    }
  }
}

bool has_note(const Verdict& verdict, Rows rows) {
  return std::find(verdict.notes.begin(), verdict.notes.end(), describe(rows)) !=
         verdict.notes.end();
}

class NormalisedRun : public testing::Test {
 protected:
  CaseFile file_ = recording("gdn_chunk_bf16_l2norm_zero_key");

  // The same case with its rows as one that stores them has them, and none to normalise.
  Problem with_stored_rows() const {
    Metadata metadata = file_.metadata;
    metadata["qk_l2norm"] = "none";
    TensorMap inputs = file_.problem.tensors();
    for (const char* name : {"q", "k"}) {
      Tensor& tensor = inputs.at(name);
      std::vector<double> values = tensor.values();
      const auto width = static_cast<std::size_t>(tensor.shape.back());
      for (std::size_t row = 0; row < values.size(); row += width) {
        double square = file_.problem.options().qk_l2norm_eps;
        for (std::size_t i = row; i < row + width; ++i) square += values[i] * values[i];
        for (std::size_t i = row; i < row + width; ++i) values[i] /= std::sqrt(square);
      }
      tensor = Tensor::from(tensor.dtype, tensor.shape, values);
    }
    return Problem::make("stored rows", metadata, inputs);
  }
  // The right answer of exactly normalised rows, as a kernel in fp32 or double would round it.
  Outputs from_exact_rows() const { return DoubleKernel().run(file_.problem); }
};

TEST_F(NormalisedRun, PassesWithStoredRowsAndSaysSo) {
  const Verdict verdict = judge(file_, *file_.outputs);
  EXPECT_EQ(verdict.status, Status::passed) << describe(verdict);
  EXPECT_TRUE(has_note(verdict, Rows::stored));
  EXPECT_FALSE(has_note(verdict, Rows::in_fp32));
}

TEST_F(NormalisedRun, PassesWithRowsInFp32AndSaysSo) {
  const Verdict verdict = judge_by_bound_alone(file_.problem, from_exact_rows());
  EXPECT_EQ(verdict.status, Status::passed) << describe(verdict);
  EXPECT_TRUE(has_note(verdict, Rows::in_fp32));
  EXPECT_FALSE(has_note(verdict, Rows::stored));
}

// The hypotheses are worth having: each run fails under what the other one does.
TEST_F(NormalisedRun, OfOneKindFailsAsTheOther) {
  const Problem stored = with_stored_rows();
  EXPECT_EQ(judge(stored, *file_.outputs).status, Status::passed);
  EXPECT_EQ(judge_by_bound_alone(stored, from_exact_rows()).status, Status::failed);
}

TEST_F(NormalisedRun, FailsWhenDamagedUnderBoth) {
  for (const Outputs& run : {*file_.outputs, from_exact_rows()}) {
    Outputs outputs = run;
    Tensor& o = outputs.tensors.at("o");
    std::vector<double> values = o.values();
    for (std::size_t i = values.size() / 2; i < values.size() / 2 + 8; ++i) values[i] *= 1.1;
    o = Tensor::from(o.dtype, o.shape, values);
    const Verdict verdict = judge(file_, outputs);
    EXPECT_EQ(verdict.status, Status::failed) << describe(verdict);
    EXPECT_FALSE(verdict.terms.empty());
    EXPECT_NE(has_note(verdict, Rows::stored), has_note(verdict, Rows::in_fp32));
  }
}

TEST(RunWithoutNormalising, SaysNothingOfRows) {
  const CaseFile file = recording("gdn_chunk_bf16");
  const Verdict verdict = judge(file, *file.outputs);
  EXPECT_FALSE(has_note(verdict, Rows::stored) || has_note(verdict, Rows::in_fp32));
  for (const std::string& note : verdict.notes) EXPECT_FALSE(note.empty());
}

}  // namespace
}  // namespace deltaproof
