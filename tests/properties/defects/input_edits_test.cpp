// Edits of inputs: what each is said to change has the values of its formula, everything else is as it was.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "properties/defects/catalogue.hpp"
#include "properties/runs/kernel_case.hpp"
#include "reference/arithmetic/formed.hpp"

namespace deltaproof {
namespace {

Problem case_with(Needs needs, const std::function<bool(const Problem&)>& also = {}) {
  for (std::uint64_t index = 0;; ++index) {
    Problem problem = kernel_case(*find_built_in_kernel("recurrent"), *find_regime("kla_mixnorm"), 0, index);
    const bool has_tokens = problem.sequences().front().state_row >= 0 && problem.sequences().front().length > 3;
    if (has_tokens && missing(needs, problem).empty() && (!also || also(problem))) return problem;
  }
}

HeadInputs edited(const Defect& defect, const Problem& problem, std::int64_t head) {
  Generator draw(1, {});
  const Fault fault = std::get<MakeFault>(defect.edit)(problem, draw);
  const Sequence& sequence = problem.sequences().front();
  HeadInputs run = head_inputs(problem, sequence, head);
  fault.run_inputs(problem, sequence, head, run);
  return run;
}

using Rows = Matrix HeadInputs::*;

/// The rows that are edited and what they become, of right rows `x` of head 0 of the first sequence.
struct Edit {
  const char* id;
  Rows rows;
  std::function<Matrix(const Problem&, const HeadInputs& x)> expected;
};

Rows g = &HeadInputs::g, q = &HeadInputs::q, k = &HeadInputs::k, v = &HeadInputs::v, b = &HeadInputs::write,
     S = &HeadInputs::initial_state;

std::function<Matrix(const Problem&, const HeadInputs&)> each(Rows rows, double (*of)(double)) {
  return [=](const Problem&, const HeadInputs& x) { return Matrix((x.*rows).unaryExpr(of)); };
}

std::function<Matrix(const Problem&, const HeadInputs&)> of_head(Rows rows, std::int64_t (*head)(const Dimensions&)) {
  return [=](const Problem& p, const HeadInputs&) {
    return head_inputs(p, p.sequences().front(), head(p.dims())).*rows;
  };
}

Matrix one_late(const Matrix& rows) {
  Matrix late = rows;
  for (Index t = 1; t < rows.rows(); ++t) late.row(t) = rows.row(t - 1);
  return late;
}

std::int64_t next(const Dimensions&) { return 1; }

Matrix read_with_other_strides(const Problem& p, const HeadInputs& x) {
  const Tensor& states = *p.find("initial_state");
  const bool kv = p.options().state_layout == StateLayout::kv;
  const std::int64_t begin = p.sequences().front().state_row * p.dims().HV * x.K * x.V;
  Matrix state(x.K, x.V);
  for (Index i = 0; i < x.K; ++i) {
    for (Index j = 0; j < x.V; ++j) state(i, j) = states.value(begin + (kv ? j * x.K + i : i * x.V + j));
  }
  return state;
}

const std::vector<Edit>& edits() {
  static const std::vector<Edit> all = {
      {"decay_none", g, each(g, [](double) { return 0.0; })},
      {"decay_squared", g, each(g, [](double x) { return x + x; })},
      {"decay_as_log", g, each(g, [](double x) { return std::exp(x); })},
      {"decay_softplus", g, each(g, [](double x) { return -std::log1p(std::exp(-x)); })},
      {"decay_clamp_5", g, each(g, [](double x) { return x < -5 ? -5 : x; })},
      {"decay_clamp_20", g, each(g, [](double x) { return x < -20 ? -20 : x; })},
      {"decay_of_head", g, of_head(g, next)},
      {"beta_before", b, [](const Problem&, const HeadInputs& x) { return one_late(x.write); }},
      {"beta_of_head", b, of_head(b, next)},
      {"q_before", q, [](const Problem&, const HeadInputs& x) { return one_late(x.q); }},
      {"v_of_head", v, of_head(v, next)},
      {"initial_ignored", S, each(S, [](double) { return 0.0; })},
      {"initial_twice", S, each(S, [](double x) { return x + x; })},
      {"initial_bf16", S, each(S, [](double x) { return round_to_nearest_even(formats::bf16, x); })},
      {"initial_transposed", S, [](const Problem&, const HeadInputs& x) { return x.initial_state.transpose().eval(); }},
      {"initial_strides", S, read_with_other_strides},
      {"slot_read_of_sequence", S, [](const Problem& p, const HeadInputs&) {
         return state_of(*p.find("initial_state"), p, 0, 0);
       }},
  };
  return all;
}

class InputEdit : public testing::TestWithParam<Edit> {};
INSTANTIATE_TEST_SUITE_P(, InputEdit, testing::ValuesIn(edits()),
                         [](const auto& test) { return std::string(test.param.id); });

TEST_P(InputEdit, IsItsFormulaAndNoMore) {
  const Defect& defect = *find_defect(GetParam().id);
  const Problem problem = case_with(defect.needs);
  const HeadInputs right = head_inputs(problem, problem.sequences().front(), 0), wrong = edited(defect, problem, 0);
  EXPECT_EQ(wrong.*GetParam().rows, GetParam().expected(problem, right));
  EXPECT_TRUE(wrong.*GetParam().rows != right.*GetParam().rows || defect.id == "decay_clamp_20" ||
              defect.id == "decay_clamp_5");
  for (const Rows rows : {g, q, k, v, b, S}) {
    if (rows == GetParam().rows) continue;
    EXPECT_EQ(wrong.*rows, right.*rows);
  }
  EXPECT_EQ(wrong.options.scale, right.options.scale);
  EXPECT_EQ(wrong.options.qk_l2norm, right.options.qk_l2norm);
}

TEST(HeadMaps, ReadTheKeyHeadThatTheySay) {
  const Problem problem = case_with(Needs::grouped_heads);
  const Dimensions& d = problem.dims();
  ASSERT_EQ(d.H, 2);
  const auto rows_of = [&](std::int64_t key_head) {
    return head_inputs(problem, problem.sequences().front(), key_head * (d.HV / d.H));
  };
  for (std::int64_t head = 0; head < d.HV; ++head) {
    const HeadInputs right = head_inputs(problem, problem.sequences().front(), head);
    for (const auto& [id, key_head] : {std::pair{"gva_tiled", head % d.H}, std::pair{"gva_first", std::int64_t{0}},
                                       std::pair{"gva_shifted", (head / (d.HV / d.H) + 1) % d.H}}) {
      const HeadInputs wrong = edited(*find_defect(id), problem, head);
      EXPECT_EQ(wrong.q, rows_of(key_head).q) << id;
      EXPECT_EQ(wrong.k, rows_of(key_head).k) << id;
      EXPECT_EQ(wrong.v, right.v) << id;
    }
  }
}

TEST(InitialStates, OfTheFirstHeadAndSequence) {
  const Problem heads = case_with(Needs::initial_state | Needs::two_heads);
  EXPECT_EQ(edited(*find_defect("initial_of_head_0"), heads, 1).initial_state,
            head_inputs(heads, heads.sequences().front(), 0).initial_state);
  const Problem problem = case_with(Needs::initial_state, [](const Problem& p) {
    return p.dims().N > 2 && p.sequences().back().state_row >= 0;
  });
  Generator draw(1, {});
  const Fault fault = std::get<MakeFault>(find_defect("initial_of_seq_0")->edit)(problem, draw);
  HeadInputs last = head_inputs(problem, problem.sequences().back(), 0);
  fault.run_inputs(problem, problem.sequences().back(), 0, last);
  EXPECT_EQ(last.initial_state, head_inputs(problem, problem.sequences().front(), 0).initial_state);
}

TEST(Scales, AreWhatTheySay) {
  const Problem problem = case_with(Needs::nothing, [](const Problem& p) { return p.options().scale == 0.3; });
  const double K = static_cast<double>(problem.dims().K);
  EXPECT_EQ(edited(*find_defect("scale_1/K"), problem, 0).options.scale, 1 / K);
  EXPECT_EQ(edited(*find_defect("scale_none"), problem, 0).options.scale, 1);
  EXPECT_EQ(edited(*find_defect("scale_squared"), problem, 0).options.scale, 0.3 * 0.3);
}

TEST(PrefixSums, AreCarriedFromChunkToChunk) {
  const Problem problem = case_with(Needs::gates | Needs::two_chunks);
  const HeadInputs right = head_inputs(problem, problem.sequences().front(), 0);
  const HeadInputs wrong = edited(*find_defect("cumsum_carried"), problem, 0);
  const Index C = problem.options().chunk_size;
  ASSERT_GT(right.tokens, C);
  for (Index t = 0; t < right.tokens; ++t) {
    const Matrix before = t > 0 && t % C == 0 ? Matrix(right.g.topRows(t).colwise().sum())
                                              : Matrix(Matrix::Zero(1, right.g.cols()));
    EXPECT_EQ(wrong.g.row(t), right.g.row(t) + before) << t;
  }
}

// b as the kernel forms it of the edited eta, against its formula in double. The kernel's sum of K squares, its sum
// with eps and its quotient lose K + 2 roundings to fp32, the formula's eta one more.
TEST(KaczmarzWrites, AreTheirFormulas) {
  const Problem problem = case_with(Needs::formed_write, [](const Problem& p) {
    return p.options().eps == 0.25 && p.options().qk_l2norm == L2Norm::none;
  });
  const Bits bits(resolve(built_in("deltaproof-recurrent", Rule::kla).value(), formats::f32, formats::f32, false, false));
  struct Case {
    const char* id;
    double (*formula)(double eta, double k2, double q2, double half, double eps);
  };
  const Case cases[] = {
      {"kla_eps_in_root", [](double eta, double k2, double, double, double eps) {
         return eta / ((std::sqrt(k2) + eps) * (std::sqrt(k2) + eps)); }},
      {"kla_eps_added", [](double eta, double k2, double, double, double eps) { return eta / k2 + eps; }},
      {"kla_eps_default", [](double eta, double k2, double, double, double) { return eta / (k2 + 1e-6); }},
      {"kla_norm", [](double eta, double k2, double, double, double eps) { return eta / (std::sqrt(k2) + eps); }},
      {"kla_of_q", [](double eta, double, double q2, double, double eps) { return eta / (q2 + eps); }},
      {"kla_half", [](double eta, double, double, double half, double eps) { return eta / (half + eps); }},
      {"kla_k2_fp16", [](double eta, double k2, double, double, double eps) {
         return eta / (round_to_nearest_even(formats::f16, k2) + eps); }},
      {"eps_1e-3", [](double eta, double k2, double, double, double) { return eta / (k2 + 1e-3); }},
      {"eps_0", [](double eta, double k2, double, double, double) { return eta / k2; }},
  };
  const HeadInputs x = head_inputs(problem, problem.sequences().front(), 0);
  for (const Case& c : cases) {
    const HeadInputs wrong = edited(*find_defect(c.id), problem, 0);
    EXPECT_EQ(wrong.k, x.k) << c.id;
    const MatrixF formed = write_coefficients(bits, wrong.options, bits.given(wrong.k), wrong.write);
    for (Index t = 0; t < x.tokens; ++t) {
      const double expected = c.formula(x.write(t, 0), x.k.row(t).squaredNorm(), x.q.row(t).squaredNorm(),
                                        x.k.row(t).head(x.K / 2).squaredNorm(), x.options.eps);
      const double allowed = std::abs(expected) * static_cast<double>(x.K + 4) * 0x1p-23;
      EXPECT_NEAR(static_cast<double>(formed(t, 0)), expected, allowed) << c.id << " " << t;
    }
  }
}

TEST(UnitKeys, AreUnitRowsOfTheirType) {
  const Problem problem = case_with(Needs::formed_write, [](const Problem& p) {
    return p.options().qk_l2norm == L2Norm::none && p.find("k")->dtype == Dtype::f32;
  });
  const HeadInputs x = head_inputs(problem, problem.sequences().front(), 0);
  const HeadInputs wrong = edited(*find_defect("kla_unit_keys"), problem, 0);
  for (Index t = 0; t < x.tokens; ++t) {
    const Matrix unit = x.k.row(t) / x.k.row(t).norm();
    // Each element rounded to fp32, and a quotient of double.
    for (Index c = 0; c < x.K; ++c) EXPECT_NEAR(wrong.k(t, c), unit(0, c), std::abs(unit(0, c)) * 0x1.1p-24);
  }
}

TEST(NormalisedRows, AreTheirFormulas) {
  const Problem problem = case_with(Needs::normalised_k | Needs::normalised_q, [](const Problem& p) {
    return p.options().qk_l2norm_eps == 0.01;
  });
  const double eps = 0.01, K = static_cast<double>(problem.dims().K);
  const HeadInputs x = head_inputs(problem, problem.sequences().front(), 0);
  const auto factor = [&](const char* id, double square) {
    const std::string name = id;
    if (name == "l2_eps_outside") return 1 / (std::sqrt(square) + eps);
    if (name == "l2_max") return 1 / std::max(std::sqrt(square), eps);
    return name == "l2_no_eps" ? 1 / std::sqrt(square) : 1 / std::sqrt(square / K + eps);
  };
  for (const char* id : {"l2_eps_outside", "l2_max", "l2_no_eps", "l2_mean"}) {
    const HeadInputs wrong = edited(*find_defect(id), problem, 0);
    EXPECT_EQ(wrong.options.qk_l2norm, L2Norm::none) << id;
    for (const Rows rows : {q, k}) {
      for (Index t = 0; t < x.tokens; ++t) {
        const Matrix expected = (x.*rows).row(t) * factor(id, (x.*rows).row(t).squaredNorm());
        EXPECT_EQ((wrong.*rows).row(t), expected) << id;
      }
    }
  }
  EXPECT_EQ(edited(*find_defect("l2_k_left"), problem, 0).options.qk_l2norm, L2Norm::q);
  EXPECT_EQ(edited(*find_defect("l2_q_left"), problem, 0).options.qk_l2norm, L2Norm::k);
}

}  // namespace
}  // namespace deltaproof
