// The step that can be put together wrongly: right it has the text's bits, wrong it is the formula, exactly, on numbers
// for which fp32 is exact.
#include <gtest/gtest.h>

#include "properties/defects/recurrence_variant.hpp"
#include "reference/arithmetic/run_text.hpp"

namespace deltaproof {
namespace {

Bits bits_of_recurrent() {
  const Declared declared = built_in("deltaproof-recurrent", Rule::gated_delta).value();
  return Bits(resolve(declared, formats::f32, formats::f32, false, false, true));
}

MatrixF small_integers(Index rows, Index columns, Generator& draw) {
  return MatrixF::NullaryExpr(rows, columns, [&] { return static_cast<float>(draw.integer(-2, 2)); });
}

// Four tokens, K = 3, V = 2; decays and coefficients are powers of two.
TextInput<Bits> exact_input(const Bits& bits) {
  Generator draw(7, {});
  TextInput<Bits> in;
  in.q = small_integers(4, 3, draw);
  in.k = small_integers(4, 3, draw);
  in.v = small_integers(4, 2, draw);
  in.state = small_integers(3, 2, draw);
  in.g = MatrixF::Constant(4, 1, -0.69314718f);
  in.beta = MatrixF(4, 1);
  in.beta << 0.5f, 1, 0.25f, 0.5f;
  in.scale = bits.constant(0.5);
  return in;
}

struct Formula {
  const char* name;
  RecurrenceVariant variant;
  // o_t and the state after a token in exact numbers: S before it, the token's rows, the key of the token before.
  void (*step)(Matrix& S, const Matrix& k, const Matrix& before, const Matrix& v, const Matrix& q, double b, Matrix& o);
};

constexpr double alpha = 0.5;

const Formula formulas[] = {
    {"right", {},
     [](Matrix& S, const Matrix& k, const Matrix&, const Matrix& v, const Matrix& q, double b, Matrix& o) {
       S *= alpha;
       S += b * k.transpose() * (v - k * S);
       o = q * S;
     }},
    {"decays_after_write", {.decays_after_write = true},
     [](Matrix& S, const Matrix& k, const Matrix&, const Matrix& v, const Matrix& q, double b, Matrix& o) {
       S += b * k.transpose() * (v - k * S);
       S *= alpha;
       o = q * S;
     }},
    {"residual_of_undecayed", {.residual_of_undecayed = true},
     [](Matrix& S, const Matrix& k, const Matrix&, const Matrix& v, const Matrix& q, double b, Matrix& o) {
       S = (alpha * S + b * k.transpose() * (v - k * S)).eval();
       o = q * S;
     }},
    {"residual_of_key_before", {.residual_of_key_before = true},
     [](Matrix& S, const Matrix& k, const Matrix& before, const Matrix& v, const Matrix& q, double b, Matrix& o) {
       S *= alpha;
       S += b * k.transpose() * (v - before * S);
       o = q * S;
     }},
    {"reads_before_write", {.reads_before_write = true},
     [](Matrix& S, const Matrix& k, const Matrix&, const Matrix& v, const Matrix& q, double b, Matrix& o) {
       S *= alpha;
       o = q * S;
       S += b * k.transpose() * (v - k * S);
     }},
    {"reads_undecayed", {.reads_undecayed = true},
     [](Matrix& S, const Matrix& k, const Matrix&, const Matrix& v, const Matrix& q, double b, Matrix& o) {
       const Matrix write = b * k.transpose() * (v - alpha * k * S);
       o = q * (S + write);
       S = alpha * S + write;
     }},
};

class Recurrence : public testing::TestWithParam<Formula> {};
INSTANTIATE_TEST_SUITE_P(, Recurrence, testing::ValuesIn(formulas),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_P(Recurrence, IsItsFormula) {
  const Bits bits = bits_of_recurrent();
  const TextInput<Bits> in = exact_input(bits);
  ASSERT_EQ(bits.exp2(bits.times(in.g, bits.log2e()))(0, 0), 0.5f);
  const TextOutput<Bits> out = recurrence(bits, in, GetParam().variant);
  Matrix S = in.state.cast<double>(), o;
  for (Index t = 0; t < 4; ++t) {
    const auto row = [t](const MatrixF& rows, Index at) { return Matrix(rows.row(at < 0 ? t : at).cast<double>()); };
    const Index before = std::max<Index>(t - 1, 0);
    GetParam().step(S, row(in.k, -1), row(in.k, before), row(in.v, -1), row(in.q, -1), in.beta(t, 0), o);
    EXPECT_EQ(out.o.row(t).cast<double>(), 0.5 * o) << t;
  }
  EXPECT_EQ(out.state.cast<double>(), S);
}

TEST(RecurrenceVariant, RightItHasTheBitsOfTheText) {
  const Bits bits = bits_of_recurrent();
  TextInput<Bits> in = exact_input(bits);
  Generator draw(3, {});
  for (MatrixF* rows : {&in.q, &in.k, &in.v, &in.state}) {
    *rows = MatrixF::NullaryExpr(rows->rows(), rows->cols(), [&] { return static_cast<float>(draw.normal()); });
  }
  for (const bool residual : {true, false}) {
    in.residual = residual;
    const TextOutput<Bits> right = run_text(bits, in), mine = recurrence(bits, in, {});
    EXPECT_EQ(mine.o, right.o);
    EXPECT_EQ(mine.state, right.state);
  }
}

}  // namespace
}  // namespace deltaproof
