// Values outside a rule's domain are refused where they are judged, and only there.
#include <gtest/gtest.h>

#include <limits>

#include "tests/reference/problem/support.hpp"

namespace deltaproof {
namespace {

using testing::Case;
using testing::expect_refused;
using testing::filled;
using testing::integers;
using testing::set;
using testing::small_case;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

void refuses(const Case& c, std::vector<std::string> parts) {
  parts.emplace_back("small.safetensors");
  expect_refused([&] { c.make(); }, parts);
}

TEST(ProblemValues, EveryInputMustBeFinite) {
  for (const RuleInfo& rule : rule_table()) {
    const Case whole = small_case(std::string(rule.name));
    for (const auto& [name, tensor] : whole.tensors)
      for (const double bad : {kNaN, kInfinity, -kInfinity}) {
        SCOPED_TRACE(std::string(rule.name) + " " + name);
        for (const std::int64_t flat : {std::int64_t{0}, tensor.size() - 1}) {
          Case c = whole;
          set(c.tensors[name], flat, bad);
          refuses(c, {"'" + name + "'", bad == bad ? "inf" : "nan", " at ["});
        }
      }
  }
}

TEST(ProblemValues, NotFiniteIsSeenInEveryDtype) {
  for (const Dtype dtype : {Dtype::bf16, Dtype::f16, Dtype::f32, Dtype::f64}) {
    Case c = small_case();
    std::vector<double> values(36, 0.5);
    c.tensors["k"] = Tensor::from(dtype, {1, 6, 2, 3}, values);
    EXPECT_NO_THROW(c.make());
    values[23] = kNaN;
    c.tensors["k"] = Tensor::from(dtype, {1, 6, 2, 3}, values);
    refuses(c, {"'k'", "nan at [0, 3, 1, 2]"});
  }
}

TEST(ProblemValues, GateIsALogOfADecay) {
  Case c = small_case();
  set(c.tensors["g"], 6, 0.25);
  refuses(c, {"'g'", "0.25 at [0, 1, 2]", "<= 0", "natural log"});
  set(c.tensors["g"], 6, 0x1p-149);
  refuses(c, {"'g'", "at [0, 1, 2]"});
  set(c.tensors["g"], 6, kNaN);
  refuses(c, {"'g'", "nan at [0, 1, 2]"});
  set(c.tensors["g"], 6, 0);
  EXPECT_NO_THROW(c.make());
  set(c.tensors["g"], 6, -1e30);
  EXPECT_NO_THROW(c.make());

  Case channels = small_case("vector_decay");
  set(channels.tensors["g"], 5, 1);
  refuses(channels, {"'g'", "1 at [0, 0, 1, 2]"});
}

TEST(ProblemValues, SlotDecayLiesAboveZeroAndUpToOne) {
  Case c = small_case("gsa");
  for (const double bad : {0.0, -0.5, 1.5, kNaN}) {
    set(c.tensors["a"], 8, bad);
    refuses(c, {"'a'", "at [0, 0, 1, 1]", "(0, 1]"});
  }
  set(c.tensors["a"], 8, 1);
  EXPECT_NO_THROW(c.make());
}

TEST(ProblemValues, LonghornDividesByItsGate) {
  for (const char* rule : {"longhorn", "longhorn_exact"}) {
    Case c = small_case(rule);
    set(c.tensors["beta"], 0, -1);
    refuses(c, {"'beta'", "-1 at [0", ">= 0"});
  }
  Case c = small_case("delta");
  set(c.tensors["beta"], 0, -1);
  EXPECT_NO_THROW(c.make());
}

TEST(ProblemValues, SinkMustBeFinite) {
  Case c = small_case("softmax");
  c.tensors["sink"] = filled("sink", {4});
  set(c.tensors["sink"], 2, -kInfinity);
  refuses(c, {"'sink'", "-inf at [2]"});
}

TEST(ProblemValues, ZeroKeysNeedAnEps) {
  Case c = small_case("kla");
  for (std::int64_t i = 9; i < 12; ++i) set(c.tensors["k"], i, 0);  // token 1, head 1
  EXPECT_NO_THROW(c.make());
  c.metadata["eps"] = "0";
  refuses(c, {"'k'", "value 0", "[0, 1, 1, 0]", "eps is 0"});
  c.metadata["variant"] = "no_norm";
  EXPECT_NO_THROW(c.make());
  c.metadata["qk_l2norm"] = "k";
  c.metadata["qk_l2norm_eps"] = "0";
  refuses(c, {"'k'", "value 0", "qk_l2norm_eps 0"});
  c.metadata["qk_l2norm"] = "q";
  EXPECT_NO_THROW(c.make());
  for (std::int64_t i = 0; i < 3; ++i) set(c.tensors["q"], i, -0.0);
  refuses(c, {"'q'", "value 0", "[0, 0, 0, 0]", "qk_l2norm_eps 0"});
}

TEST(ProblemValues, ZeroKeysOfALaterSequenceAreFound) {
  Case c = small_case("kla");
  c.tensors["cu_seqlens"] = integers({0, 2, 5});
  c.metadata["eps"] = "0";
  EXPECT_NO_THROW(c.make());
  for (std::int64_t i = 18; i < 21; ++i) set(c.tensors["k"], i, 0);  // token 3, head 0
  refuses(c, {"'k'", "value 0", "[0, 3, 0, 0]", "eps is 0"});
}

TEST(ProblemValues, RowsOutsideTheSequencesAreNotRead) {
  Case c = small_case();
  c.tensors["cu_seqlens"] = integers({0, 2, 5});
  for (const auto& [name, width] : {std::pair{"q", 6}, {"v", 20}, {"g", 4}, {"beta", 4}}) {
    Case padded = c;
    set(padded.tensors[name], 5 * width, kNaN);  // token 5, beyond the last sequence
    EXPECT_NO_THROW(padded.make()) << name;
    set(padded.tensors[name], 5 * width - 1, kNaN);
    refuses(padded, {std::string("'") + name + "'", "nan at [0, 4, "});
  }
}

class Pool : public ::testing::Test {
 protected:
  Pool() : case_(small_case("gated_delta", {.B = 3})) {
    case_.tensors["initial_state"] = filled("initial_state", {5, 4, 3, 5});
    case_.tensors["state_indices"] = integers({4, -1, 1});
  }
  Case case_;
};

TEST_F(Pool, SlotsThatNoSequenceListsAreNotRead) {
  const std::int64_t slot = 4 * 3 * 5;
  for (const std::int64_t unlisted : {0, 2, 3}) {
    set(case_.tensors["initial_state"], unlisted * slot, kNaN);
    set(case_.tensors["initial_state"], unlisted * slot + slot - 1, kInfinity);
  }
  EXPECT_NO_THROW(case_.make());
  for (const std::int64_t listed : {1, 4}) {
    Case c = case_;
    set(c.tensors["initial_state"], listed * slot, kNaN);
    refuses(c, {"'initial_state'", "nan at [" + std::to_string(listed) + ", 0, 0, 0]"});
  }
}

TEST_F(Pool, RowsOfPaddingAreNotRead) {
  set(case_.tensors["v"], 1 * 6 * 4 * 5, kNaN);
  set(case_.tensors["g"], 1 * 6 * 4, 1);
  EXPECT_NO_THROW(case_.make());
  set(case_.tensors["v"], 2 * 6 * 4 * 5, kNaN);
  refuses(case_, {"'v'", "nan at [2, 0, 0, 0]"});
}

}  // namespace
}  // namespace deltaproof
