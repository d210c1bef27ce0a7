// Edits of a chunk's text: the right and the wrong chunk side by side, value by value.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "properties/defects/catalogue.hpp"
#include "properties/defects/faulty_bits.hpp"
#include "strong_decay.hpp"

namespace deltaproof {
namespace {

// A chunk of 40 tokens (two blocks of 16 and one of 8), K = V = 8, in fp32: nothing is rounded on the way.
class WrongChunk : public testing::Test {
 protected:
  explicit WrongChunk(Rule rule = Rule::gated_delta)
      : bits_(resolve(built_in("deltaproof-chunk", rule).value(), formats::f32, formats::f32, false, false, true)) {
    const bool channels = rule_info(rule).decay == Decay::per_channel;
    Generator draw(5, {});
    in_.q = normals(40, 8, draw) / 3, in_.k = normals(40, 8, draw) / 3, in_.v = normals(40, 8, draw);
    in_.state = normals(8, 8, draw);
    in_.g = -normals(40, channels ? 8 : 1, draw).cwiseAbs() / 4;
    in_.beta = normals(40, 1, draw).cwiseAbs().cwiseMin(1.0f);
    in_.scale = bits_.constant(0.5);
    in_.residual = rule_info(rule).residual;
    right_.in = in_;
    right_out_ = read_chunk({}, right_);
  }

  static MatrixF normals(Index rows, Index columns, Generator& draw) {
    return MatrixF::NullaryExpr(rows, columns, [&] { return static_cast<float>(draw.normal()); });
  }

  void read(const char* id) {
    Generator draw(1, {});
    const Fault fault = std::get<MakeFault>(find_defect(id)->edit)(strong_decay().problem, draw);
    wrong_.in = in_;
    wrong_.products = {};
    wrong_.stored = {};
    if (fault.chunk_inputs) fault.chunk_inputs(wrong_.in);
    Fault rest = fault;
    rest.chunk_inputs = {};
    wrong_out_ = read_chunk(rest, wrong_);
  }

  Bits bits_;
  TextInput<Bits> in_;
  ChunkStep right_{bits_, {}}, wrong_{bits_, {}};
  TextOutput<Bits> right_out_, wrong_out_;

  // In double: I + L of the chunk.
  Matrix system() const {
    Matrix A = Matrix::Identity(40, 40);
    for (Index i = 0; i < 40; ++i) {
      double G = 0;
      for (Index j = i - 1; j >= 0; --j) {
        G += static_cast<double>(in_.g(j + 1, 0));
        const double kk = in_.k.row(i).cast<double>().dot(in_.k.row(j).cast<double>());
        A(i, j) = static_cast<double>(in_.beta(i, 0)) * kk * std::exp(G);
      }
    }
    return A;
  }

  // T of the wrong chunk solves this system, up to the errors of a solve in fp32: 40 fma and 40 roundings of L, each
  // 2^-24, times the condition.
  void expect_inverse_of(const Matrix& A) const {
    const Matrix T = wrong_[Point::T].cast<double>(), inverse = A.inverse();
    const double size = A.cwiseAbs().rowwise().sum().maxCoeff() * inverse.cwiseAbs().rowwise().sum().maxCoeff();
    const double allowed = 80 * 0x1p-24 * size * inverse.cwiseAbs().rowwise().sum().maxCoeff();
    EXPECT_LE((T - inverse).cwiseAbs().maxCoeff(), allowed);
    EXPECT_GT((right_[Point::T].cast<double>() - inverse).cwiseAbs().maxCoeff(), 100 * allowed);
  }
};

TEST_F(WrongChunk, SolveLeftOutIsTheIdentity) {
  read("solve_off");
  EXPECT_EQ(wrong_[Point::T], MatrixF::Identity(40, 40));
  EXPECT_FALSE(wrong_[Product::w_state].isZero());
}

TEST_F(WrongChunk, WithoutResidualTheStateIsNotSeenEither) {
  read("residual_none");
  EXPECT_EQ(wrong_[Point::T], MatrixF::Identity(40, 40));
  EXPECT_TRUE(wrong_[Product::w_state].isZero());
  EXPECT_EQ(wrong_[Point::v_new], wrong_[Point::v_beta]);
}

TEST_F(WrongChunk, DiagonalIsSolvedFor) {
  read("solve_diagonal");
  Matrix A = system();
  for (Index i = 0; i < 40; ++i) {
    A(i, i) += static_cast<double>(in_.beta(i, 0)) * in_.k.row(i).cast<double>().squaredNorm();
  }
  expect_inverse_of(A);
}

TEST_F(WrongChunk, SubdiagonalIsLost) {
  read("solve_off1");
  Matrix A = system();
  A.diagonal(-1).setZero();
  expect_inverse_of(A);
}

TEST_F(WrongChunk, SeriesAreCut) {
  for (const auto& [id, terms] : {std::pair{"solve_neumann_2", 2}, std::pair{"solve_neumann_3", 3}}) {
    read(id);
    for (const Index at : {0, 16}) {
      const Matrix L = system().block(at, at, 16, 16) - Matrix::Identity(16, 16);
      Matrix sum = Matrix::Identity(16, 16) - L;
      if (terms == 3) sum += L * L;
      const Matrix T = wrong_[Point::T].block(at, at, 16, 16).cast<double>();
      // Of sizes below 4: L to 8 roundings of it, 16 fma.
      EXPECT_LE((T - sum).cwiseAbs().maxCoeff(), 4 * 32 * 0x1p-24) << id;
      EXPECT_NE(wrong_[Point::T].block(at, at, 16, 16), right_[Point::T].block(at, at, 16, 16)) << id;
    }
  }
}

TEST_F(WrongChunk, InverseIsTransposed) {
  read("solve_upper");
  EXPECT_EQ(wrong_[Point::T], right_[Point::T].transpose());
}

TEST_F(WrongChunk, BlocksNextToTheDiagonalHaveTheOtherSign) {
  read("merge_sign");
  for (const Index at : {0, 16}) {
    EXPECT_EQ(wrong_[Point::T].block(at + 16, at, std::min<Index>(16, 24 - at), 16),
              -right_[Point::T].block(at + 16, at, std::min<Index>(16, 24 - at), 16));
  }
  EXPECT_EQ(wrong_[Point::T].topLeftCorner(16, 16), right_[Point::T].topLeftCorner(16, 16));
}

TEST_F(WrongChunk, LastBlockRowIsItsDiagonalBlockAlone) {
  read("merge_last_lost");
  EXPECT_TRUE(wrong_[Point::T].bottomLeftCorner(8, 32).isZero());
  EXPECT_FALSE(right_[Point::T].bottomLeftCorner(8, 32).isZero());
  EXPECT_EQ(wrong_[Point::T].topRows(32), right_[Point::T].topRows(32));
  EXPECT_EQ(wrong_[Point::T].bottomRightCorner(8, 8), right_[Point::T].bottomRightCorner(8, 8));
}

TEST_F(WrongChunk, NextTokenIsReadAndNoOther) {
  read("P_next");
  MatrixF P = wrong_[Point::P];
  EXPECT_TRUE((P.diagonal(1).array() != 0).all());
  P.diagonal(1).setZero();
  EXPECT_EQ(P, right_[Point::P]);
  EXPECT_EQ(wrong_[Point::T], right_[Point::T]);
}

TEST_F(WrongChunk, OwnWriteIsNotRead) {
  read("read_before_write");
  MatrixF P = right_[Point::P];
  P.diagonal().setZero();
  EXPECT_EQ(wrong_[Point::P], P);
  EXPECT_EQ(wrong_out_.state, right_out_.state);
}

TEST_F(WrongChunk, RatiosHaveOneDecayMore) {
  read("A_off1");
  for (Index i = 0; i < 40; ++i) {
    for (Index j = 0; j < 40; ++j) {
      const float decay = std::exp(in_.g(j, 0));
      EXPECT_EQ(wrong_[Product::scores](i, j), right_[Product::scores](i, j) * decay);
      EXPECT_EQ(wrong_[Product::gram](i, j), right_[Product::gram](i, j) * decay);
    }
  }
}

TEST_F(WrongChunk, UpdateTakesUndecayedValues) {
  read("update_nogate");
  EXPECT_EQ(wrong_[Point::v_scaled], right_[Point::v_new]);
  EXPECT_NE(wrong_[Point::v_scaled], right_[Point::v_scaled]);
  EXPECT_EQ(wrong_out_.o, right_out_.o);
}

TEST_F(WrongChunk, StateIsReadUndecayed) {
  read("read_undecayed");
  EXPECT_EQ(wrong_out_.o, bits_.scaled_sum(right_[Product::q_state], right_[Product::p_v], in_.scale));
  EXPECT_NE(wrong_out_.o, right_out_.o);
  EXPECT_EQ(wrong_out_.state, right_out_.state);
}

TEST_F(WrongChunk, WhatOverflowsAboveTheDiagonalIsNan) {
  in_.g.setConstant(-20);
  read("exp_unmasked");
  EXPECT_TRUE(std::isnan(wrong_[Point::P](0, 39)));
  EXPECT_FALSE(std::isnan(wrong_[Point::P](39, 0)));
  in_.g.setConstant(-0.01f);
  read("exp_unmasked");
  EXPECT_TRUE(wrong_out_.o.allFinite());
}

TEST_F(WrongChunk, WritesAreFunctionsOfTheirCoefficients) {
  const auto expect = [&](const char* id, float (*of)(float)) {
    read(id);
    EXPECT_EQ(wrong_.in.beta, in_.beta.unaryExpr(of)) << id;
    EXPECT_EQ(wrong_.in.k, in_.k) << id;
  };
  expect("beta_squared", [](float b) { return b * b; });
  expect("beta_complement", [](float b) { return 1 - b; });
  expect("beta_sigmoid", [](float b) { return 1 / (1 + std::exp(-b)); });
}

TEST_F(WrongChunk, PrefixSumsAreNumbersOfBf16) {
  read("cumsum_bf16");
  float sum = 0;
  for (Index t = 0; t < 40; ++t) {
    sum += wrong_.in.g(t, 0);
    EXPECT_EQ(static_cast<double>(sum), round_to_nearest_even(formats::bf16, static_cast<double>(sum))) << t;
  }
  EXPECT_NE(wrong_.in.g, in_.g);
}

TEST_F(WrongChunk, NarrowTypesHoldWhatTheySay) {
  const auto in_fp16 = [](const MatrixF& x) {
    return (x.cast<double>().unaryExpr([](double y) { return round_to_nearest_even(formats::f16, y); }) ==
            x.cast<double>()) && !x.isZero();
  };
  read("P_fp16");
  EXPECT_TRUE(in_fp16(wrong_[Point::P]) && !in_fp16(right_[Point::P]));
  read("S_fp16");
  EXPECT_TRUE(in_fp16(wrong_out_.state) && !in_fp16(right_out_.state));
  EXPECT_EQ(wrong_out_.o, right_out_.o);
  read("mma_fp16");
  for (const Product product : {Product::gram, Product::scores, Product::p_v, Product::q_state}) {
    EXPECT_TRUE(in_fp16(wrong_[product]) && !in_fp16(right_[product]));
  }
}

TEST_F(WrongChunk, DecayOfTheUpdateLiesOnKeysWhereItIsOneAChannel) {
  bits_ = Bits(resolve(built_in("deltaproof-chunk", Rule::vector_decay_delta).value(), formats::f32, formats::f32,
                       false, false, true));
  in_.g = in_.g.replicate(1, 8).eval();
  read("update_nogate");
  EXPECT_EQ(wrong_[Point::k_scaled], in_.k);
  read("read_undecayed");
  EXPECT_EQ(wrong_[Point::q_scaled], in_.q);
}

}  // namespace
}  // namespace deltaproof
