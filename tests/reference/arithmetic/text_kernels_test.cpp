// Kernels made of the texts, to the bit, stay within LOC from their own states and within ADJ over the whole run;
// those of a coarser type do not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/arithmetic/choices.hpp"
#include "reference/arithmetic/emulate.hpp"
#include "reference/arithmetic/scan.hpp"
#include "reference/bounds/head_bound.hpp"
#include "tests/reference/arithmetic/support.hpp"

namespace deltaproof {
namespace {

using namespace arithmetic_tests;

constexpr Format types[] = {formats::bf16, formats::f16, formats::f32};
constexpr Shape shapes[] = {{53, 16, 16, 16}, {75, 32, 16, 32}, {75, 24, 20, 64}};

struct Tally {
  std::int64_t values = 0, unbounded = 0, violations = 0;
  double worst = 0;
  std::string where;

  void add(const MatrixF& value, const Matrix& exact, const Matrix& allowed, const std::string& place) {
    for (Index i = 0; i < exact.rows(); ++i) {
      for (Index j = 0; j < exact.cols(); ++j) {
        ++values;
        if (!(allowed(i, j) < std::numeric_limits<double>::infinity())) {
          ++unbounded;
          continue;
        }
        const double error = std::abs(static_cast<double>(value(i, j)) - exact(i, j));
        violations += !(error <= allowed(i, j));
        const double ratio = error == 0 ? 0 : error / allowed(i, j);
        if (ratio <= worst) continue;
        worst = ratio;
        where = place + " (" + std::to_string(i) + ", " + std::to_string(j) + ")";
      }
    }
  }
};

struct Kernel {
  std::string arithmetic;  ///< whose bound it is held to
  Resolved resolved;
  Format input;
};

Kernel kernel_of(const TextCase& each, Declared declared, const Format& input) {
  declared[Point::o].format = PointFormat::f32;  // bounds are of o before it is stored
  return {std::string(each.arithmetic), resolve(declared, input, formats::f32, false, false), input};
}

void compare(const Kernel& kernel, const HeadInputs& run, const MatrixF& o, const std::vector<MatrixF>& states,
             const std::string& place, Tally& tally) {
  const Index chunk = run.options.chunk_size;
  const HeadAnswer answer = answer_double(run, {.every = chunk, .trace = true, .u = false});
  const bool chunked = !find_text(kernel.resolved.declared.text)->products.empty();
  const auto kind = chunked ? BoundChoice::Kind::chunk : BoundChoice::Kind::token;
  const HeadBound bound =
      head_bound(kernel.arithmetic, kind, run, answer, chunk, kernel.input, Matrix(), tensor_core("any"), false);
  tally.add(o, answer.o, bound.o.sum(run.tokens, run.V) + answer.o_radius, place + ", o");
  for (std::size_t n = 0; n < states.size(); ++n) {
    tally.add(states[n], answer.states[n],
              bound.states[n].sum(run.K, run.V) + answer.state_radius[n].replicate(run.K, 1), place + ", state");
  }
}

void judge(const Kernel& kernel, const HeadInputs& head, const std::string& place, Tally& local, Tally& whole) {
  const Index chunk = head.options.chunk_size;
  const Emulation run = emulate(kernel.resolved, head, chunk, true);
  Matrix state = head.initial_state;
  for (std::size_t n = 0; n < run.states.size() && state.allFinite(); ++n) {
    const Index begin = static_cast<Index>(n) * chunk, count = std::min(chunk, head.tokens - begin);
    compare(kernel, head.slice(begin, count, state), run.o.middleRows(begin, count), {run.states[n]},
            place + ", chunk " + std::to_string(n), local);
    state = run.states[n].cast<double>();
  }
  if (state.allFinite()) compare(kernel, head, run.o, run.states, place + ", whole run", whole);
}

// Of the kernel of this repository LOC assumes merges and fp32 products in IEEE fp32, and k b kept in fp32.
bool keeps_fp32(const TextCase& each, const Declared& declared) {
  if (each.arithmetic != "deltaproof-chunk") return true;
  return declared.f32_products == F32Products::ieee && declared.merge == each.declared.merge &&
         declared.inverse == each.declared.inverse && declared[Point::k_beta] == each.declared[Point::k_beta];
}

// A point kept in fp32 enters its dot in TF32, cut: coarser than f16 to nearest.
bool cuts_to_tf32(const TextCase& each, const Declared& declared) {
  for (const Point point : each.text->points) {
    const bool finer = declared[point].format == PointFormat::f32 && each.declared[point].format != PointFormat::f32;
    if (finer && point != Point::u && point != Point::o) return true;
  }
  return false;
}

// The families that LOC covers (docs/loc.md, 5): no point of 16 bits truncates, no scan is deeper than the text's.
bool is_covered(const TextCase& each, const Declared& declared, const Format& input) {
  const bool cut = std::ranges::any_of(declared.at, [](const PointRounding& r) { return r.mode == PointMode::truncated; });
  const bool deep = scan_depth(declared.scan, 64) > std::max(10, scan_depth(each.declared.scan, 64));
  return !cut && !deep && keeps_fp32(each, declared) && !(input == formats::f16 && cuts_to_tf32(each, declared));
}

std::string place_of(const TextCase& each, const Regime& family, const Format& input) {
  return each.name() + ", " + std::string(family.name) + ", " + std::string(input.name);
}

// Where a kernel forms b, extreme keys and gates leave nothing of it in fp32: no bound is finite there.
bool may_be_unknown(const Regime& family, Rule rule) {
  return family.name == "extremes" && (rule == Rule::kla || rule == Rule::longhorn_exact);
}

TEST(TextKernels, StayWithinTheirBoundInEveryFamily) {
  std::uint64_t turn = 0;
  for (const TextCase& each : emulated_cases()) {
    for (const Format& input : types) {
      Tally local, whole;
      std::int64_t unknown = 0;
      for (const Regime& family : regimes()) {
        ++turn;
        const HeadInputs head = family_head(family, each.rule, input, shapes[turn % std::size(shapes)], turn, true);
        const std::int64_t before = local.unbounded + whole.unbounded;
        judge(kernel_of(each, each.declared, input), head, place_of(each, family, input), local, whole);
        if (may_be_unknown(family, each.rule)) unknown += local.unbounded + whole.unbounded - before;
      }
      EXPECT_EQ(local.violations, 0) << local.where << ": " << local.worst;
      EXPECT_EQ(whole.violations, 0) << whole.where << ": " << whole.worst;
      if (input != formats::f16) {
        EXPECT_EQ(local.unbounded + whole.unbounded, unknown) << each.name() << ", " << input.name;
      }
      EXPECT_LT(local.unbounded, local.values / 2) << each.name() << ", " << input.name;
    }
  }
}

TEST(TextKernels, StayWithinTheirBoundWithEveryChoiceThatItCovers) {
  std::uint64_t turn = 0;
  for (const TextCase& each : emulated_cases()) {
    for (const Variation& variation : variations(each.declared)) {
      const Format& input = types[++turn % std::size(types)];
      if (!is_covered(each, variation.declared, input)) continue;
      const Regime& family = regimes()[turn % regimes().size()];
      const HeadInputs head = family_head(family, each.rule, input, shapes[2], turn, true);
      Tally local, whole;
      judge(kernel_of(each, variation.declared, input), head, place_of(each, family, input), local, whole);
      EXPECT_EQ(local.violations + whole.violations, 0) << variation.difference << ": " << local.where << ", " << local.worst;
    }
  }
}

// Points of 8 significant bits against the bound for fp32 inputs, whose operands have 11.
TEST(TextKernels, OfACoarserTypeDoNot) {
  for (const TextCase& each : emulated_cases()) {
    Tally local, whole;
    std::uint64_t turn = 0;
    for (const Regime& family : regimes()) {
      const HeadInputs head = family_head(family, each.rule, formats::bf16, shapes[2], ++turn, true);
      Kernel kernel = kernel_of(each, each.declared, formats::bf16);
      kernel.input = formats::f32;  // the bound of fp32 points, for a kernel of bf16 points
      judge(kernel, head, place_of(each, family, formats::bf16), local, whole);
    }
    if (each.text->products.empty()) {
      EXPECT_EQ(local.violations, 0) << each.name() << " has no points to be coarser";
    } else {
      EXPECT_GT(local.violations, 0) << each.name();
    }
  }
}

// TF32 products of fp32 inputs, or merges in TF32, against the bound of the kernel that has neither.
TEST(TextKernels, WithTf32AreOutsideTheBoundOfTheOwnKernel) {
  for (const TextCase& each : emulated_cases()) {
    if (each.arithmetic != "deltaproof-chunk") continue;
    Tally local, whole;
    Declared tf32 = each.declared;
    tf32.f32_products = F32Products::tf32;
    const Regime& family = *find_regime("rand_sig_gdn");
    const HeadInputs head = family_head(family, each.rule, formats::f32, shapes[2], 3, true);
    judge(kernel_of(each, tf32, formats::f32), head, each.name(), local, whole);
    EXPECT_GT(local.violations, local.values / 20) << each.name();
  }
}

}  // namespace
}  // namespace deltaproof
