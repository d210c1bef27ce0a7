// The right answer of rule `hola` as a file: scores with radii, sets, o.
#include <gtest/gtest.h>

#include <cmath>

#include "properties/accuracy/answer.hpp"
#include "reference/oracle/answer.hpp"
#include "small_problems.hpp"

namespace deltaproof {
namespace {

// Sequences of 5, 0 and 6 tokens, one token behind them; blocks of 2: 3 + 0 + 3.
Problem packed_problem() {
  const auto stream = [](std::int64_t n) { return [n](std::int64_t i) { return scattered(i, n); }; };
  TensorMap inputs = small_inputs("hola", {.T = 12, .H = 1, .HV = 2, .K = 4, .V = 3});
  inputs["cu_seqlens"] = Tensor::from(Dtype::i32, {4}, {0, 5, 5, 11});
  inputs["sink"] = filled(Dtype::f32, {2}, stream(11));
  inputs["cache_gate"] = filled(Dtype::f32, {2}, stream(12));
  inputs["gamma_q"] = filled(Dtype::f32, {2, 4}, stream(13));
  inputs["gamma_k"] = filled(Dtype::f32, {2, 4}, stream(14));
  return make_problem("hola", "deltaproof-chunk", inputs, {{"cache_block", "2"}, {"cache_size", "3"}});
}

TEST(HolaAnswerFile, HasScoresSetsAndOutputs) {
  const Problem problem = packed_problem();
  const Safetensors file = full_answer(problem, {});
  const Tensor &scores = file.tensors.at("scores"), &radius = file.tensors.at("scores_radius");
  const Tensor& selected = file.tensors.at("selected");
  EXPECT_EQ(scores.shape, (std::vector<std::int64_t>{1, 12, 2}));
  EXPECT_EQ(radius.shape, scores.shape);
  EXPECT_EQ(selected.shape, (std::vector<std::int64_t>{1, 6, 2, 3}));
  EXPECT_FALSE(file.metadata.contains("uncertain_blocks"));
  EXPECT_FALSE(file.tensors.contains("o_bound"));
  EXPECT_NE(file.metadata.at("bound").find("hola"), std::string::npos);
  for (const Sequence& s : problem.sequences())
    for (std::int64_t h = 0; h < 2 && s.length > 0; ++h) {
      const HeadAnswer exact = answer_mpfr(head_inputs(problem, s, h), {}, 200);
      const Matrix o = output_rows(file.tensors.at("o"), problem, s, h);
      const Matrix o_radius = output_rows(file.tensors.at("o_radius"), problem, s, h);
      EXPECT_TRUE(((o - exact.o).cwiseAbs().array() <= (o_radius + exact.o_radius).array()).all());
      for (Index t = 0; t < s.length; ++t) {
        const std::int64_t at = (s.begin + t) * 2 + h;
        EXPECT_LE(std::abs(scores.value(at) - exact.score(t, 0)), radius.value(at) + exact.score_radius(t, 0));
      }
      for (std::size_t n = 0; n < exact.sets.size(); ++n)
        for (std::size_t i = 0; i < 3; ++i) {
          const std::int64_t row = s.first_block + static_cast<std::int64_t>(n);
          const std::int64_t wanted = i < exact.sets[n].size() ? exact.sets[n][i] : -1;
          EXPECT_EQ(selected.integer((row * 2 + h) * 3 + static_cast<std::int64_t>(i)), wanted) << n;
        }
    }
}

// Equal writes of sqrt(3)/2: nobody can say which three stay.
TEST(HolaAnswerFile, CountsTheBlocksWhoseSetIsNotCertain) {
  TensorMap inputs = packed_problem().tensors();
  inputs.erase("cu_seqlens");
  for (const char* name : {"k", "v", "g", "beta"}) {
    const auto value = [&](std::int64_t) { return name[0] == 'k' || name[0] == 'g' ? 0.0 : 0.5; };
    inputs[name] = filled(Dtype::f32, inputs.at(name).shape, value);
  }
  inputs["q"] = filled(Dtype::f32, inputs.at("q").shape, [](std::int64_t) { return 1; });
  const Problem problem =
      make_problem("hola", "deltaproof-chunk", inputs, {{"cache_block", "2"}, {"cache_size", "3"}});
  const Safetensors file = full_answer(problem, {});
  EXPECT_EQ(file.metadata.at("uncertain_blocks"), "8") << "of two heads, from the third block on";
  EXPECT_EQ(file.tensors.at("o_radius").value(0) < 1e-10, true);
  EXPECT_EQ(file.tensors.at("o_radius").value(12 * 2 * 3 - 1), HUGE_VAL);
}

}  // namespace
}  // namespace deltaproof
