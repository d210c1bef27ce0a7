#include <gtest/gtest.h>

#include <cstring>
#include <initializer_list>

#include "family_heads.hpp"

// Pins the bits: a change of the generator, of a family or of the order of draws shows here, and so does a platform
// that computes something else.

namespace deltaproof {
namespace {

using namespace testing;

constexpr std::uint64_t kStart = 0xcbf29ce484222325U;

// FNV over 64 bits at a time. With `fold`, high bits reach low ones: without, two signs that change cancel.
std::uint64_t hash_of(std::string_view family, std::uint64_t hash, bool fold) {
  const HeadInputs head = head_of(family);
  for (const Matrix* part : {&head.q, &head.k, &head.v, &head.g, &head.write, &head.initial_state}) {
    for (Index i = 0; i < part->size(); ++i) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, part->data() + i, sizeof bits);
      hash = (hash ^ bits) * 0x100000001b3U;
      if (fold) hash ^= hash >> 32U;
    }
  }
  return hash;
}

// Results in docs/ rest on these: the campaign of correct kernels, the kill table.
TEST(PinnedBits, OfTheFirstFamilies) {
  std::uint64_t hash = kStart;
  for (const char* family : {"rand_b1_a1", "rand_sig_gdn", "strong_decay", "near_parallel", "b_1.98_a1", "b_0.02_a1",
                             "kla_tinykey", "cancel_v=Wk", "heavytail_v", "resets", "b_2.02_expand",
                             "parallel_b1.98", "subspace_d/8", "kla_mixnorm"})
    hash = hash_of(family, hash, false);
  EXPECT_EQ(hash, 0xb296a65eabe1ac25U);
  EXPECT_EQ(hash_of("typical", hash, false), 0xca542ba4f2c203a5U);
}

struct Pinned {
  std::string_view family;
  std::uint64_t hash;
};

TEST(PinnedBits, OfEveryOtherFamily) {
  constexpr Pinned pinned[] = {
      {"weak_decay", 0x2ea2a04d02cc0918U},
      {"one_reset", 0x2ba137ec6543dc23U},
      {"gate_bands", 0x0a9bef609b7ae405U},
      {"equal_keys", 0x16eb61ecc670c6d6U},
      {"opposite_keys", 0xce73ad7ac0ceb074U},
      {"orthonormal", 0xbf2627bcfed5cf8cU},
      {"zero_keys", 0xd489623f1a611732U},
      {"huge_keys", 0x39fb1c5f847ee4a9U},
      {"b_0", 0x8b5c1f3f579fbb23U},
      {"b_tiny", 0x062cb11d9fa62177U},
      {"boundary", 0x7e23633b3ba5abfcU},
      {"silent_v", 0x0fd3a657d83ab08dU},
      {"mixed_heads", 0xdf0751084e6d482bU},
      {"mixed_columns", 0x20659a51127db2f4U},
      {"exact_integers", 0x42a7fac6c9263717U},
      {"subnormals", 0xd88ea8054a83a672U},
      {"extremes", 0x7ad4983c79dce6f6U},
      {"recorded", 0xe1b08eb039f0bcf6U},
      {"equal_scores", 0x90b44c2cf9e2d0caU},
      {"near_scores", 0xc7c77f82636874a8U},
      {"facts", 0xefe672e878bce8c9U},
      {"tiny_rows", 0x547f3eb206403bf8U},
      {"outlier", 0xddc9490d631dc3feU},
  };
  EXPECT_EQ(std::size(pinned) + 15, regimes().size()) << "a family is not pinned";
  for (const auto& [family, hash] : pinned) EXPECT_EQ(hash_of(family, kStart, true), hash) << family;
}

}  // namespace
}  // namespace deltaproof
