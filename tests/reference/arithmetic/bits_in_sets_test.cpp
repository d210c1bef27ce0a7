// The set-valued reading holds every value that the reading to the bit gives (docs/pin.md), over every text, every
// choice, every family of inputs and type; and it is no larger than it must be.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>
#include <vector>

#include "reference/arithmetic/choices.hpp"
#include "tests/reference/arithmetic/containment.hpp"
#include "tests/reference/arithmetic/support.hpp"

namespace deltaproof {
namespace {

using namespace arithmetic_tests;

constexpr Format types[] = {formats::bf16, formats::f16, formats::f32};

// q, k and v in `input`, o in `input`, rows normalised by the kernel or not.
Resolved resolved(const Declared& declared, const Format& input, bool normalises) {
  return resolve(declared, input, input, normalises, normalises);
}

Judged faithful(const Declared& declared, const Format& input, bool normalises = false) {
  const Resolved kernel = resolved(declared, input, normalises);
  return {kernel, kernel, &tensor_core(declared.mma), 1};
}

std::string named(const TextCase& each, const Regime& family, const Format& input) {
  return each.name() + ", " + std::string(family.name) + ", " + std::string(input.name);
}

// The second chunk is partial, and of four blocks of 16 the last is, too.
constexpr Shape shape{75, 16, 12, 64};
constexpr Shape narrow{21, 12, 20, 16};

TEST(BitsInSets, InEveryFamilyAndType) {
  std::uint64_t turn = 0;
  for (const TextCase& each : emulated_cases()) {
    for (const Format& input : types) {
      Containment total;
      for (const Regime& family : regimes()) {
        const bool given = ++turn % 3 != 0;
        const HeadInputs head = family_head(family, each.rule, input, turn % 2 == 0 ? shape : narrow, turn, given);
        const Containment one = contain(faithful(each.declared, input), head, given);
        EXPECT_EQ(one.outside, 0) << named(each, family, input) << ": " << one.where;
        total.merge(one);
      }
      // f16 overflows where keys are large (docs/loc.md); else nothing is unknown.
      if (input != formats::f16) {
        EXPECT_EQ(total.known, total.values) << each.name() << ", " << input.name;
      }
      EXPECT_GT(total.known, total.values / 2) << each.name() << ", " << input.name;
    }
  }
}

TEST(BitsInSets, WithEveryChoice) {
  std::uint64_t turn = 0;
  const auto families = regimes();
  for (const TextCase& each : emulated_cases()) {
    for (const Variation& variation : variations(each.declared)) {
      for (const Format& input : types) {
        const Regime& family = families[++turn % families.size()];
        const bool given = turn % 5 != 0;
        const HeadInputs head = family_head(family, each.rule, input, turn % 2 == 0 ? shape : narrow, turn, given);
        const Containment one = contain(faithful(variation.declared, input), head, given);
        EXPECT_EQ(one.outside, 0) << named(each, family, input) << ", " << variation.difference << ": " << one.where;
      }
    }
  }
}

TEST(BitsInSets, OfAnyTensorCoreIfNoneIsNamed) {
  std::uint64_t turn = 0;
  for (const TextCase& each : emulated_cases()) {
    if (each.text->products.empty()) continue;
    for (const char* model : {"ampere", "ada", "hopper", "blackwell", "fp32_rn"}) {
      Declared one_model = each.declared, any = each.declared;
      one_model.mma = model;
      any.mma = "any";
      for (const Format& input : {formats::bf16, formats::f32}) {
        const Regime& family = regimes()[++turn % regimes().size()];
        const HeadInputs head = family_head(family, each.rule, input, shape, turn, true);
        const Judged judged{resolved(one_model, input, false), resolved(any, input, false), &tensor_core("any"), 1};
        const Containment result = contain(judged, head, true);
        EXPECT_EQ(result.outside, 0) << named(each, family, input) << ", " << model << ": " << result.where;
      }
    }
  }
}

// Whatever is drawn: choices of up to two variations, sizes, family, type.
void expect_random_runs_inside(const TextCase& each) {
  const bool held = rc::check(each.name() + ": every value of an emulated kernel lies in its set", [&] {
    const Regime& family = regimes()[*rc::gen::inRange<std::size_t>(0, regimes().size())];
    const Format& input = types[*rc::gen::inRange<std::size_t>(0, 3)];
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    const auto normalises = *rc::gen::arbitrary<bool>(), given = *rc::gen::arbitrary<bool>();
    const Shape drawn{*rc::gen::inRange(1, 80), *rc::gen::inRange(1, 20), *rc::gen::inRange(1, 16),
                      *rc::gen::element<Index>(1, 16, 24, 32, 64)};
    Declared declared = each.declared;
    const std::vector<Variation> choices = variations(declared);
    for (int n = *rc::gen::inRange(0, 3); n > 0; --n) {
      const Variation& one = choices[*rc::gen::inRange<std::size_t>(0, choices.size())];
      for (const Choice& choice : choices_of(declared.text)) {
        const std::string value = choice.get(one.declared);
        if (value != choice.get(each.declared)) choice.set(declared, value);
      }
    }
    HeadInputs head = family_head(family, each.rule, input, drawn, seed, given);
    if (normalises) head.options.qk_l2norm = L2Norm::both;
    const Containment result = contain(faithful(declared, input, normalises), head, given);
    RC_LOG() << named(each, family, input) << ", tokens " << drawn.tokens << ", K " << drawn.K << ", V " << drawn.V
             << ", chunk " << drawn.chunk << ", seed " << seed << ", normalises " << normalises << ", state " << given
             << ", " << difference(each.declared, declared) << ": " << result.where << '\n';
    RC_ASSERT(result.outside == 0);
  });
  EXPECT_TRUE(held) << each.name();
}

TEST(BitsInSets, ForRandomRuns) {
  for (const TextCase& each : emulated_cases()) expect_random_runs_inside(each);
}

// Inputs so large that sums overflow: what the kernel then holds is unknown, never outside.
TEST(BitsInSets, WhereFp32Overflows) {
  for (const TextCase& each : emulated_cases()) {
    for (const int exponent : {30, 45, 62, 63, 64, 90}) {
      HeadInputs head = family_head(*find_regime("rand_sig_gdn"), each.rule, formats::f32, shape, 7, true);
      for (Matrix* m : {&head.q, &head.k, &head.v, &head.initial_state}) *m *= std::ldexp(1.0, exponent);
      const Containment result = contain(faithful(each.declared, formats::f32), head, true);
      EXPECT_EQ(result.outside, 0) << each.name() << ", inputs times 2^" << exponent << ": " << result.where;
      if (exponent == 90) {
        EXPECT_LT(result.known, result.values) << each.name();
      }
    }
  }
}

// 5 x 2^-149 over a norm of 2 is not an fp32 number, and half a step is much of it.
TEST(BitsInSets, WhereANormalisedRowHasSubnormalElements) {
  for (const TextCase& each : emulated_cases()) {
    HeadInputs head = family_head(*find_regime("rand_b1_a1"), each.rule, formats::f32, {8, 2, 16, 16}, 3, false);
    head.options.qk_l2norm = L2Norm::both;
    for (Matrix* m : {&head.q, &head.k}) {
      m->col(0).setConstant(2);
      m->col(1).setConstant(5 * 0x1p-149);
    }
    const Containment result = contain(faithful(each.declared, formats::f32, true), head, false);
    EXPECT_EQ(result.outside, 0) << each.name() << ": " << result.where;
  }
}

// Whether any value is outside, over all families, each with its own seed.
bool any_outside(const TextCase& each, const Judged& judged, const Format& input) {
  std::uint64_t seed = 0;
  for (const Regime& family : regimes()) {
    const HeadInputs head = family_head(family, each.rule, input, {75, 12, 10, 64}, ++seed, true);
    if (contain(judged, head, true).outside > 0) return true;
  }
  return false;
}

// Texts with rounding points of 16 bits: in fp32 throughout, radii are those of worst cases that no such run meets.
TEST(BitsInSets, NotInHalfOfThem) {
  for (const TextCase& each : emulated_cases()) {
    if (each.text->products.empty()) continue;
    Judged judged = faithful(each.declared, formats::bf16);
    judged.shrink = 2;
    EXPECT_TRUE(any_outside(each, judged, formats::bf16)) << each.name();
  }
}

// Points that truncate where the declaration rounds to nearest. Without decay some points round what is in the type
// already; rows that the kernel normalises are not among these inputs.
TEST(BitsInSets, NotIfAPointTruncatesThatIsDeclaredToNearest) {
  for (const TextCase& each : emulated_cases()) {
    if (rule_info(each.rule).decay == Decay::none) continue;
    for (const Point point : each.text->points) {
      if (point == Point::q || point == Point::k) continue;
      Declared wrong = each.declared;
      wrong[point].mode = PointMode::truncated;
      Judged judged = faithful(each.declared, formats::bf16);
      judged.kernel = resolved(wrong, formats::bf16, false);
      if (!judged.kernel.format(point)) continue;
      EXPECT_TRUE(any_outside(each, judged, formats::bf16)) << each.name() << ", " << point_name(point);
    }
  }
}

}  // namespace
}  // namespace deltaproof
