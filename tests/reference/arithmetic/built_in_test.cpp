// The names of built-in declarations, and which text each has.
#include <gtest/gtest.h>

#include "reference/arithmetic/built_in.hpp"
#include "reference/arithmetic/choices.hpp"
#include "reference/arithmetic/resolved.hpp"
#include "reference/problem/arithmetics.hpp"

namespace deltaproof {
namespace {

TEST(BuiltIn, EveryNameIsAnArithmeticThatACaseMayDeclare) {
  for (const std::string_view name : built_in_names()) EXPECT_NE(find_arithmetic(name), nullptr) << name;
}

TEST(BuiltIn, OwnChunkKernelHasATextForEachRule) {
  const std::pair<Rule, const char*> texts[] = {
      {Rule::linear, "fla-simple-gla-chunk"}, {Rule::scalar_decay, "fla-simple-gla-chunk"},
      {Rule::delta, "fla-chunk"},             {Rule::gated_delta, "fla-chunk"},
      {Rule::kla, "fla-chunk"},               {Rule::longhorn_exact, "fla-chunk"},
      {Rule::vector_decay, "fla-gla-chunk"},  {Rule::vector_decay_delta, "fla-kda-chunk"}};
  for (const auto& [rule, text] : texts) {
    EXPECT_EQ(built_in("deltaproof-chunk", rule).value().text, text);
    EXPECT_EQ(built_in("deltaproof-recurrent", rule).value().text, "deltaproof-recurrent");
  }
  for (const Rule rule : {Rule::longhorn, Rule::softmax, Rule::gsa}) {
    EXPECT_FALSE(built_in("deltaproof-chunk", rule).has_value());
    EXPECT_FALSE(built_in("deltaproof-recurrent", rule).has_value());
  }
  EXPECT_FALSE(built_in("deltaproof", Rule::delta).has_value());
}

TEST(BuiltIn, OwnKernelsHaveNoAutotunedLayouts) {
  for (const Rule rule : {Rule::scalar_decay, Rule::delta, Rule::vector_decay_delta}) {
    Declared declared = built_in("deltaproof-chunk", rule).value();
    declared.scan = Scan::pieces_of_4;
    EXPECT_TRUE(autotuned_layouts(declared).empty());
  }
  Declared declared = built_in("deltaproof-chunk", Rule::gated_delta).value();
  declared.layout = Layout::autotuned;
  EXPECT_FALSE(autotuned_layouts(declared).empty());
}

TEST(NearestBuiltIn, IsTheOneWithTheFewestOtherChoices) {
  for (const Rule rule : {Rule::scalar_decay, Rule::delta, Rule::gated_delta, Rule::vector_decay_delta}) {
    const Declared own = built_in("deltaproof-chunk", rule).value(), text = built_in(own.text, rule).value();
    EXPECT_EQ(nearest_built_in(own, rule).name, "deltaproof-chunk");
    EXPECT_EQ(nearest_built_in(text, rule).name, own.text);
    Declared near = own;
    near.exp2 = Exp2::correctly_rounded;
    EXPECT_EQ(nearest_built_in(near, rule).name, "deltaproof-chunk");
    EXPECT_TRUE(nearest_built_in(near, rule).declared == own);
  }
  const Declared declared = built_in("fla-chunk", Rule::gated_delta).value();
  EXPECT_THROW(nearest_built_in(declared, Rule::vector_decay), std::logic_error);
}

constexpr Product products[] = {Product::gram, Product::scores, Product::u, Product::w,
                                Product::w_state, Product::q_state, Product::p_v, Product::state};

TEST(F32Products, InIeeeLeaveNoTensorCoreForFp32InputsAlone) {
  for (const Rule rule : {Rule::gated_delta, Rule::vector_decay_delta}) {
    Declared declared = built_in("deltaproof-chunk", rule).value();
    const auto operand = [&](const Format& input, Product product) {
      return resolve(declared, input, input, false, false).operand(product);
    };
    for (const Product product : products) {
      const bool between_blocks = rule == Rule::vector_decay_delta && product <= Product::scores;
      EXPECT_EQ(operand(formats::f32, product), std::nullopt);
      EXPECT_EQ(operand(formats::bf16, product), between_blocks ? Operand::tf32 : Operand::bf16);
    }
    declared.f32_products = F32Products::tf32;
    EXPECT_EQ(operand(formats::f32, Product::gram), Operand::tf32);
  }
}

}  // namespace
}  // namespace deltaproof
