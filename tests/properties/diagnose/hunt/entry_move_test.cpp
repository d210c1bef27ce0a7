#include "properties/diagnose/hunt/entry_move.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "properties/diagnose/hunt/candidate.hpp"
#include "reference/oracle/answer.hpp"
#include "reference/problem/head.hpp"
#include "reference/problem/input_error.hpp"

namespace deltaproof {
namespace {

Problem drawn(const char* text = "regime=rand_sig_gdn T=12 K=8 V=8 rule=gated_delta state=1 chunk_size=16") {
  return problem_of(parse_spec(text));
}

Problem changed(const char* move, const Problem& problem) { return moved(parse_entry_move(move), problem); }

std::vector<double> values(const Problem& problem, const char* tensor) { return problem.find(tensor)->values(); }

TEST(EntryMove, TextComesBack) {
  for (const char* text : {"negate q 3 0 0", "zero v 0 1 0", "scale initial_state 0 0 -7", "copy k 3 2 5", "nudge g 1 5 9",
                           "set beta 2 1 4", "ask q 0 1 0", "cancel v 4 0 0", "turn q 0 2 0"}) {
    EXPECT_EQ(to_text(parse_entry_move(text)), text);
  }
}

TEST(EntryMove, OtherTextIsRefusedAndQuoted) {
  for (const char* text : {"", "zero", "zero v 1 0", "burn v 1 0 0", "zero o 1 0 0", "zero v -1 0 0", "zero v 1 0 0 0",
                           "zero v 1 x 0", "scale v 1 0 99999999999", "zero  v 1 0"}) {
    try {
      parse_entry_move(text);
      FAIL() << text;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
    }
  }
}

TEST(EntryMove, ChangesTheTokensItNamesAndNoOthers) {
  const Problem problem = drawn();
  const std::vector<double> before = values(problem, "v"), after = values(changed("negate v 1 5 0", problem), "v");
  for (std::size_t i = 0; i < before.size(); ++i) {
    const std::size_t token = i / 8;
    EXPECT_EQ(after[i], token % 5 == 1 ? -before[i] : before[i]) << token;
  }
  // The rest of a division by T: token 1 of 12, alone.
  const std::vector<double> zeroed = values(changed("zero v 25 0 0", problem), "v");
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(zeroed[i], i / 8 == 1 ? 0 : before[i]);
}

TEST(EntryMove, ScalesCopiesSetsAndAsks) {
  const Problem problem = drawn();
  const std::vector<double> state = values(problem, "initial_state"), k = values(problem, "k");
  const std::vector<double> scaled = values(changed("scale initial_state 0 0 7", problem), "initial_state");
  for (std::size_t i = 0; i < state.size(); ++i) EXPECT_EQ(scaled[i], 128 * state[i]);
  const std::vector<double> copied = values(changed("copy k 3 0 5", problem), "k");
  const std::vector<double> asked = values(changed("ask q 4 0 2", problem), "q");
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(copied[3 * 8 + i], k[5 * 8 + i]);
    EXPECT_EQ(asked[4 * 8 + i], k[2 * 8 + i]);
  }
  EXPECT_EQ(values(changed("set g 2 0 5", problem), "g")[2], -20.5);
  EXPECT_EQ(values(changed("set beta 2 0 6", problem), "beta")[2], 2);
}

TEST(EntryMove, NudgesToNeighbours) {
  const Problem problem = drawn();
  const std::vector<double> before = values(problem, "k"), after = values(changed("nudge k 0 1 3", problem), "k");
  int up = 0, down = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const double step = 2 * half_ulp(formats::bf16, before[i]);
    EXPECT_LE(std::abs(after[i] - before[i]), step);
    up += after[i] > before[i];
    down += after[i] < before[i];
  }
  EXPECT_GT(up, 10);
  EXPECT_GT(down, 10);
  for (const double g : values(changed("nudge g 0 1 3", changed("zero g 0 1 0", problem)), "g")) EXPECT_LE(g, 0);
}

TEST(EntryMove, ACancelledResidualIsARoundingError) {
  const Problem problem = drawn();
  const auto residual = [](const Problem& of) {
    return answer_double(head_inputs(of, of.sequences()[0], 0), {.e = true}).e.row(6).norm();
  };
  const Problem cancelled = changed("cancel v 6 0 0", problem);
  EXPECT_GT(residual(problem), 0.1);
  EXPECT_LT(residual(cancelled), 0.01);
  EXPECT_GT(residual(cancelled), 0);
}

TEST(EntryMove, ATurnedQueryReadsLess) {
  const Problem problem = drawn();
  const auto read = [](const Problem& of) { return answer_double(head_inputs(of, of.sequences()[0], 0), {}).o.norm(); };
  EXPECT_LT(read(changed("turn q 0 1 0", problem)), 0.8 * read(problem));
}

TEST(EntryMove, AbsentTensorsAndImpossibleChangesLeaveTheProblem) {
  const Problem problem = drawn("regime=typical T=4 K=8 V=8 rule=delta");
  for (const char* move : {"scale initial_state 0 0 3", "set g 0 1 3", "set v 0 1 3", "negate beta 0 1 0"}) {
    const Problem same = changed(move, problem);
    for (const auto& [name, tensor] : problem.tensors()) EXPECT_EQ(same.find(name)->bytes, tensor.bytes) << move;
  }
}

TEST(EntryMove, WhatATypeDoesNotHoldIsNoProblem) {
  const Problem problem = drawn("regime=typical T=4 K=8 V=8 rule=delta input=F16");
  EXPECT_THROW(changed("scale v 0 1 24", problem), InputError);
}

}  // namespace
}  // namespace deltaproof
