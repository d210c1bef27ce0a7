// Where the search for bad inputs goes: from problem to problem, each small and one that can be written down.
#include "properties/diagnose/hunt/spec_moves.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "properties/regimes/families.hpp"
#include "reference/problem/input_error.hpp"

namespace deltaproof {
namespace {

constexpr int moves = 600;

// What a walk of moves met.
struct Walk {
  std::map<std::string, std::set<std::string>> options;
  std::set<std::string> families;
  int valid = 0;
};

Walk walk(const char* kernel) {
  const HuntSpace space = hunt_space(*find_built_in_kernel(kernel), "", "");
  Generator g(3, {});
  ProblemSpec spec = drawn_spec(space, *find_regime("typical"), 3, 0);
  Walk met;
  for (int i = 0; i < moves; ++i) {
    const ProblemSpec before = spec;
    spec = moved_spec(space, spec, g);
    EXPECT_EQ(to_text(parse_spec(to_text(spec))), to_text(spec));
    met.families.insert(spec.regime);
    for (const auto& [option, value] : spec.options) met.options[option].insert(value);
    try {
      const Dimensions d = problem_of(spec).dims();
      EXPECT_LE(d.B * d.T, 2 * 96) << to_text(spec);
      EXPECT_LE(std::max(d.K, d.V), 32) << to_text(spec);
      EXPECT_LE(d.HV, 4) << to_text(spec);
      ++met.valid;
    } catch (const InputError&) {
      spec = before;  // as the search does: a family may say nothing of a rule
    }
  }
  return met;
}

TEST(SpecMoves, OfEveryKernelStaySmallAndCanBeWrittenDown) {
  for (const char* kernel : {"recurrent", "chunk", "hola", "hola_decode"}) {
    const Walk met = walk(kernel);
    EXPECT_GT(met.valid, moves / 2) << kernel;
    EXPECT_GT(met.families.size(), 10) << kernel;
    EXPECT_GE(met.options.at("state_layout").size(), 2) << kernel;
  }
}

TEST(SpecMoves, GoThroughTheOptionsOfACache) {
  const Walk met = walk("hola");
  EXPECT_GE(met.options.at("cache_size").size(), 4);
  EXPECT_GE(met.options.at("cache_block").size(), 4);
  EXPECT_EQ(met.options.at("read"), (std::set<std::string>{"l2", "rmsnorm"}));
  EXPECT_GE(met.options.at("tau").size(), 2);
}

TEST(SpecMoves, LeaveOptionsOfARuleBehindWithIt) {
  const HuntSpace space = hunt_space(*find_built_in_kernel("chunk"), "", "");
  Generator g(5, {});
  ProblemSpec spec = drawn_spec(space, *find_regime("typical"), 5, 0);
  int kla = 0;
  for (int i = 0; i < 4 * moves; ++i) {
    spec = moved_spec(space, spec, g);
    kla += spec.options["rule"] == "kla";
    if (spec.options["rule"] != "kla") {
      EXPECT_FALSE(spec.options.contains("variant") || spec.options.contains("c")) << to_text(spec);
    }
  }
  EXPECT_GT(kla, 0);
}

}  // namespace
}  // namespace deltaproof
