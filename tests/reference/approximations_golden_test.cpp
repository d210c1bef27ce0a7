// Dumps of ex2.approx, rsqrt.approx and rcp.approx from an H200 (golden/README.md): the model must
// give their bits, and another table of coefficients must not.
#include <gtest/gtest.h>
#include <mpfr.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "reference/approximations.hpp"

namespace deltaproof {
namespace {

constexpr std::uint32_t entries = 1u << 23;

float from_bits(std::uint32_t bits) { return std::bit_cast<float>(bits); }
std::int32_t to_bits(float x) { return std::bit_cast<std::int32_t>(x); }

enum class Function { ex2, rsqrt, rcp };

double in_double(Function function, double x) {
  if (function == Function::ex2) return std::exp2(x);
  return function == Function::rsqrt ? 1 / std::sqrt(x) : 1 / x;
}

/// Correct rounding by MPFR, for normal results.
float rounded_by_mpfr(Function function, double x) {
  mpfr_t argument, result;
  mpfr_init2(argument, 53);
  mpfr_init2(result, 24);
  mpfr_set_d(argument, x, MPFR_RNDN);
  if (function == Function::ex2) mpfr_exp2(result, argument, MPFR_RNDN);
  if (function == Function::rsqrt) mpfr_rec_sqrt(result, argument, MPFR_RNDN);
  if (function == Function::rcp) mpfr_ui_div(result, 1, argument, MPFR_RNDN);
  const float rounded = mpfr_get_flt(result, MPFR_RNDN);
  mpfr_clears(argument, result, nullptr);
  return rounded;
}

/// Whether so many units of its last place could carry a double over a boundary of fp32 rounding,
/// the middle of two fp32 numbers.
bool near_boundary(double value, std::int64_t units) {
  const auto beyond_fp32 =
      static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(value) & 0x1fffffff);
  return std::abs(beyond_fp32 - (std::int64_t{1} << 28)) <= units;
}

/// Far more than the errors of exp2, sqrt and the divisions, so that MPFR decides often enough to
/// be seen to work.
constexpr std::int64_t trusted_to = 1 << 16;

/// Double precision decides except where its error might: there MPFR does.
float correctly_rounded(Function function, float x) {
  const double value = in_double(function, x);
  return near_boundary(value, trusted_to) ? rounded_by_mpfr(function, x)
                                          : static_cast<float>(value);
}

struct Dump {
  const char* name;
  Function function;
  float (*argument)(std::uint32_t i);
};

/// For the test's name in listings.
void PrintTo(const Dump& dump, std::ostream* out) { *out << dump.name; }

const Dump dumps[] = {
    {"m0", Function::ex2, [](std::uint32_t i) { return -static_cast<float>(i) * 0x1p-23f; }},
    {"m1", Function::ex2, [](std::uint32_t i) { return -static_cast<float>(i) * 0x1p-30f; }},
    {"m2", Function::ex2, [](std::uint32_t i) { return static_cast<float>(-5 - i * 0x1p-21); }},
    {"m3", Function::ex2, [](std::uint32_t i) { return static_cast<float>(i) * 0x1p-23f; }},
    {"m4", Function::rsqrt, [](std::uint32_t i) { return from_bits(0x3f800000 + i); }},
    {"m5", Function::rsqrt, [](std::uint32_t i) { return from_bits(0x40000000 + i); }},
    {"m6", Function::rcp, [](std::uint32_t i) { return from_bits(0x3f800000 + i); }},
};

std::vector<std::int8_t> inflate_dump(const std::string& name) {
  const std::string path =
      std::string(DELTAPROOF_SOURCE_DIR) + "/golden/vectors/approx_h200/" + name + ".z";
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> packed((std::istreambuf_iterator<char>(file)), {});
  std::vector<std::int8_t> differences(entries);
  uLongf size = entries;
  const int status =
      uncompress(reinterpret_cast<Bytef*>(differences.data()), &size,
                 reinterpret_cast<const Bytef*>(packed.data()), static_cast<uLong>(packed.size()));
  if (status != Z_OK || size != entries) throw std::runtime_error(path + " cannot be inflated");
  return differences;
}

/// What the H200 answered.
std::vector<float> recorded_results(const Dump& dump) {
  const std::vector<std::int8_t> differences = inflate_dump(dump.name);
  std::vector<float> results(entries);
  for (std::uint32_t i = 0; i < entries; ++i) {
    const float rounded = correctly_rounded(dump.function, dump.argument(i));
    results[i] = std::bit_cast<float>(to_bits(rounded) + differences[i]);
  }
  return results;
}

struct Answers {
  float (*plain)(float);
  float (*ftz)(float);
  double largest_error;
};

Answers answers(Function function) {
  if (function == Function::ex2)
    return {ex2_approx, ex2_approx_ftz, ex2_approx_relative_error_h200};
  if (function == Function::rsqrt) {
    return {rsqrt_approx, rsqrt_approx_ftz, rsqrt_approx_relative_error_h200};
  }
  return {rcp_approx, rcp_approx_ftz, rcp_approx_relative_error_h200};
}

class Approximation : public testing::TestWithParam<Dump> {};

TEST_P(Approximation, HasTheBitsOfAnH200) {
  const Dump& dump = GetParam();
  const std::vector<float> recorded = recorded_results(dump);
  const Answers ours = answers(dump.function);
  std::uint32_t unequal = 0, unequal_ftz = 0;
  double error = 0;
  for (std::uint32_t i = 0; i < entries; ++i) {
    const float x = dump.argument(i);
    unequal += to_bits(ours.plain(x)) != to_bits(recorded[i]);
    unequal_ftz += to_bits(ours.ftz(x)) != to_bits(recorded[i]);
    const double exact = in_double(dump.function, x);
    error = std::max(error, std::abs(recorded[i] - exact) / exact);
  }
  EXPECT_EQ(unequal, 0u);
  EXPECT_EQ(unequal_ftz, 0u);
  EXPECT_LE(error, ours.largest_error);
  // The dumps that hold the worst argument of each function: the constant is no larger than need
  // be.
  const std::string name = dump.name;
  if (name == "m3" || name == "m5" || name == "m6") {
    EXPECT_GT(error, ours.largest_error * (1 - 0x1p-20));
  }
}

INSTANTIATE_TEST_SUITE_P(Dumps, Approximation, testing::ValuesIn(dumps),
                         [](const auto& test) { return std::string(test.param.name); });

/// Whether the dump's entries of one segment tell `segments` from the unit's.
template <std::size_t n>
bool told_apart(float (*evaluate)(float, std::span<const QuadraticSegment, n>),
                const std::array<QuadraticSegment, n>& segments, const Dump& dump,
                const std::vector<float>& recorded, std::uint32_t first, std::uint32_t count) {
  for (std::uint32_t i = first; i < first + count; ++i) {
    if (to_bits(evaluate(dump.argument(i), segments)) != to_bits(recorded[i])) return true;
  }
  return false;
}

/// Every coefficient of the segments from `first`, one more and one less: how many of these tables
/// the dump does not tell from the unit's. The dump runs once through `covered` segments.
template <std::size_t n>
int confused(float (*evaluate)(float, std::span<const QuadraticSegment, n>),
             const std::array<QuadraticSegment, n>& segments, const Dump& dump, std::uint32_t first,
             std::uint32_t covered) {
  const std::vector<float> recorded = recorded_results(dump);
  const std::uint32_t count = entries / covered;
  int result = 0;
  for (std::uint32_t j = 0; j < covered; ++j) {
    for (const int step : {-1, 1}) {
      for (int coefficient = 0; coefficient < 3; ++coefficient) {
        auto wrong = segments;
        QuadraticSegment& segment = wrong[first + j];
        if (coefficient == 0) segment.c0 += static_cast<std::uint32_t>(step);
        if (coefficient == 1) segment.c1 = static_cast<std::uint16_t>(segment.c1 + step);
        if (coefficient == 2) segment.c2 = static_cast<std::uint16_t>(segment.c2 + step);
        result += told_apart(evaluate, wrong, dump, recorded, j * count, count) ? 0 : 1;
      }
    }
  }
  return result;
}

TEST(WrongCoefficients, AreToldApartEachAlone) {
  EXPECT_EQ(confused<64>(ex2_approx_ftz, ex2_segments, dumps[3], 0, 64), 0);
  EXPECT_EQ(confused<128>(rsqrt_approx_ftz, rsqrt_segments, dumps[4], 0, 64), 0);
  EXPECT_EQ(confused<128>(rsqrt_approx_ftz, rsqrt_segments, dumps[5], 64, 64), 0);
  EXPECT_EQ(confused<128>(rcp_approx_ftz, rcp_segments, dumps[6], 0, 128), 0);
}

// The reference of the comparison: near a boundary and far from it MPFR and double agree where
// double can be trusted, and only there.
TEST(CorrectRounding, DoubleAndMpfrAgree) {
  for (const Dump& dump : dumps) {
    int by_mpfr = 0;
    for (std::uint32_t i = 0; i < entries; i += 61) {
      const float x = dump.argument(i);
      const double value = in_double(dump.function, x);
      by_mpfr += near_boundary(value, trusted_to);
      if (near_boundary(value, 4)) continue;
      ASSERT_EQ(static_cast<float>(value), rounded_by_mpfr(dump.function, x)) << x;
    }
    EXPECT_GT(by_mpfr, 0) << dump.name;
  }
}

}  // namespace
}  // namespace deltaproof
