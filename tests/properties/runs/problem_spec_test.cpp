#include "properties/runs/problem_spec.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "properties/runs/kernel_case.hpp"
#include "reference/problem/input_error.hpp"

namespace deltaproof {
namespace {

bool same_bits(const Problem& x, const Problem& y) {
  if (x.tensors().size() != y.tensors().size()) return false;
  for (const auto& [name, tensor] : x.tensors()) {
    const Tensor* other = y.find(name);
    if (other == nullptr || other->shape != tensor.shape || other->bytes != tensor.bytes) return false;
  }
  return true;
}

std::string refusal(const std::string& text) {
  try {
    problem_of(parse_spec(text));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ProblemSpec, ComesBackFromItsText) {
  for (const char* name : {"recurrent", "chunk", "hola", "hola_decode"}) {
    const BuiltInInfo& kernel = *find_built_in_kernel(name);
    for (std::uint64_t i = 0; i < 30; ++i) {
      const ProblemSpec spec = kernel_case_spec(kernel, *find_regime("typical"), 3, i, CaseSizes::small);
      const std::string text = to_text(spec);
      const ProblemSpec again = parse_spec(text);
      EXPECT_EQ(to_text(again), text);
      EXPECT_TRUE(same_bits(problem_of(spec), problem_of(again))) << text;
    }
  }
}

TEST(ProblemSpec, SkipLeavesOutTokensInFrontAndChangesNoOther) {
  const Problem whole = problem_of(parse_spec("T=12 K=8 V=8")), part = problem_of(parse_spec("T=5 K=8 V=8 skip=7"));
  for (const char* name : {"q", "k", "v", "g", "beta"}) {
    const std::vector<double> all = whole.find(name)->values(), last = part.find(name)->values();
    EXPECT_TRUE(std::equal(last.begin(), last.end(), all.end() - static_cast<std::ptrdiff_t>(last.size()))) << name;
  }
}

TEST(ProblemSpec, EditsChangeWhatTheySay) {
  const Problem plain = problem_of(parse_spec("T=3 K=8 V=8 B=2"));
  const Problem edited = problem_of(parse_spec("T=3 K=8 V=8 B=2 edit=v@1:zero edit=k:pow2 edit=beta:one"));
  const std::vector<double> v = edited.find("v")->values(), before = plain.find("v")->values();
  for (std::size_t i = 0; i < v.size(); ++i) {
    EXPECT_EQ(v[i], i / 8 % 3 == 1 ? 0 : before[i]) << i;
  }
  const std::vector<double> k = edited.find("k")->values(), keys = plain.find("k")->values();
  for (std::size_t i = 0; i < k.size(); ++i) {
    int exponent = 0;
    EXPECT_TRUE(k[i] == 0 || std::abs(std::frexp(k[i], &exponent)) == 0.5) << k[i];
    EXPECT_LE(std::abs(k[i]), std::abs(keys[i]));
    EXPECT_GE(2 * std::abs(k[i]), std::abs(keys[i]));
  }
  for (const double beta : edited.find("beta")->values()) EXPECT_EQ(beta, 1);
}

TEST(ProblemSpec, OfHolaHasItsStateItsCacheAndItsTypes) {
  const Problem problem = problem_of(parse_spec(
      "rule=hola T=9 K=8 V=8 HV=2 H=2 cache_size=3 cache_block=4 score=beta_v state_rule=kla parameters=BF16 skip=2 "
      "edit=gamma_q:one edit=sink:zero"));
  EXPECT_NE(problem.find("eta"), nullptr);
  EXPECT_EQ(problem.options().hola.cache_size, 3);
  EXPECT_EQ(problem.options().hola.score, CacheScore::beta_v);
  EXPECT_EQ(problem.options().qk_l2norm, L2Norm::both);
  EXPECT_EQ(problem.find("gamma_k")->dtype, Dtype::bf16);
  EXPECT_EQ(problem.find("gamma_q")->values(), std::vector<double>(16, 1));
  EXPECT_EQ(problem.find("sink")->values(), std::vector<double>(2, 0));
  const Problem flat = problem_of(parse_spec("rule=hola T=9 K=8 V=8 read=l2 qk_l2norm=none"));
  EXPECT_EQ(flat.find("gamma_q"), nullptr);
  EXPECT_TRUE(flat.unused().empty());
  EXPECT_EQ(flat.options().qk_l2norm, L2Norm::none);
  EXPECT_NE(refusal("rule=hola T=4 edit=sink@1:zero").find("'sink' has no token"), std::string::npos);
}

TEST(ProblemSpec, BadTextIsRefusedByTheWord) {
  for (const auto& [text, part] : {std::pair{"T", "'T'"},
                                   std::pair{"T=x", "'T=x'"},
                                   std::pair{"T=-1", "'T=-1'"},
                                   std::pair{"K=0", "'K=0'"},
                                   std::pair{"colour=3", "'colour=3'"},
                                   std::pair{"regime=mild", "regime=mild"},
                                   std::pair{"rule=tensor", "rule=tensor"},
                                   std::pair{"input=I32", "'input=I32'"},
                                   std::pair{"H=2 HV=3", "HV=3 is no multiple of H=2"},
                                   std::pair{"lengths=3,,4", "'lengths=3,,4'"},
                                   std::pair{"edit=v", "'edit=v'"},
                                   std::pair{"edit=v:two", "'edit=v:two'"},
                                   std::pair{"edit=z:zero", "no tensor 'z'"},
                                   std::pair{"T=4 edit=v@9:zero", "no token 9"},
                                   std::pair{"chunk_size=x", "chunk_size"},
                                   std::pair{"T=60000 K=60000", "values in a tensor"},
                                   std::pair{"K=16777216", "65536"}}) {
    EXPECT_NE(refusal(text).find(part), std::string::npos) << text << ": " << refusal(text);
  }
}

}  // namespace
}  // namespace deltaproof
