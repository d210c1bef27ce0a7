// Runs that misuse their problem: which rows of o and which states differ from the right run, and what they are.
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "kernels/bits.hpp"
#include "properties/defects/catalogue.hpp"
#include "properties/defects/defect_kernel.hpp"
#include "properties/laws/tensors.hpp"
#include "properties/runs/kernel_case.hpp"

namespace deltaproof {
namespace {

Outputs run_right(const Problem& problem) { return DefectKernel(nullptr, "deltaproof-recurrent").run(problem); }

Problem case_with(Needs needs, const std::function<bool(const Problem&)>& also = {}) {
  for (std::uint64_t index = 0;; ++index) {
    Problem problem = kernel_case(*find_built_in_kernel("recurrent"), *find_regime("typical"), 0, index);
    if (missing(needs, problem).empty() && (!also || also(problem))) return problem;
  }
}

Outputs run_with(const char* id, const Problem& problem) {
  return DefectKernel(find_defect(id), "deltaproof-recurrent").run(problem);
}

/// Rows along the first (states) or second (o) axis in which two tensors differ.
std::set<std::int64_t> differing(const Tensor& x, const Tensor& y, std::size_t axis) {
  std::set<std::int64_t> rows;
  for (std::int64_t row = 0; row < x.shape[axis]; ++row) {
    if (laws::taken(x, axis, {row}).bytes != laws::taken(y, axis, {row}).bytes) rows.insert(row);
  }
  return rows;
}

struct Differences {
  std::set<std::int64_t> tokens, states;
};

Differences differences(const Outputs& x, const Outputs& y) {
  return {differing(x.tensors.at("o"), y.tensors.at("o"), 1),
          differing(x.tensors.at("final_state"), y.tensors.at("final_state"), 0)};
}

std::set<std::int64_t> from_to(std::int64_t begin, std::int64_t end) {
  std::set<std::int64_t> all;
  for (std::int64_t i = begin; i < end; ++i) all.insert(all.end(), i);
  return all;
}

// Packed, every sequence computed, the first and the last of a few tokens.
Problem packed_case() {
  return case_with(Needs::two_sequences | Needs::residual, [](const Problem& p) {
    const auto& s = p.sequences();
    return !p.find("state_indices") && s.size() > 3 && s[0].length > 2 && s[1].length > 2 && s.back().length > 2;
  });
}

TEST(WrongSequences, LastTokenIsMissing) {
  const Problem problem = packed_case();
  const Outputs wrong = run_with("varlen_short", problem);
  const Differences found = differences(run_right(problem), wrong);
  const std::int64_t last = problem.dims().T - 1;
  EXPECT_EQ(found.tokens, std::set<std::int64_t>{last});
  EXPECT_EQ(found.states, std::set<std::int64_t>{problem.sequences().back().state_row});
  for (const double x : laws::taken(wrong.tensors.at("o"), 1, {last}).values()) EXPECT_EQ(x, 0);
}

TEST(WrongSequences, StateIsCarriedOn) {
  const Problem problem = packed_case();
  const Outputs right_run = run_right(problem), wrong = run_with("varlen_carried", problem);
  const Differences found = differences(right_run, wrong);
  const Sequence& first = problem.sequences().front();
  EXPECT_EQ(found.tokens, from_to(first.length, problem.dims().T));
  EXPECT_FALSE(found.states.contains(first.state_row));
  EXPECT_TRUE(found.states.contains(problem.sequences().back().state_row));
  // The second sequence from the final state of the first.
  TensorMap inputs = problem.tensors();
  const std::vector<std::int64_t> first_of_all(static_cast<std::size_t>(problem.dims().N), first.state_row);
  inputs["initial_state"] = laws::taken(right_run.tensors.at("final_state"), 0, first_of_all);
  const Sequence& second = problem.sequences()[1];
  const auto tokens = laws::range(second.begin, second.length);
  EXPECT_EQ(laws::taken(wrong.tensors.at("o"), 1, tokens).bytes,
            laws::taken(run_right(problem.with_inputs(inputs)).tensors.at("o"), 1, tokens).bytes);
}

TEST(WrongSequences, BoundariesAreIgnored) {
  const Problem problem = packed_case();
  const Outputs right_run = run_right(problem), wrong = run_with("varlen_ignored", problem);
  const Differences found = differences(right_run, wrong);
  const Sequence& first = problem.sequences().front();
  EXPECT_EQ(found.tokens, from_to(first.length, problem.dims().T));
  EXPECT_EQ(found.states, std::set<std::int64_t>{first.state_row});
}

TEST(WrongSequences, BoundariesAreOneEarly) {
  const Problem problem = packed_case();
  const Differences found = differences(run_right(problem), run_with("varlen_early", problem));
  const Sequence& first = problem.sequences().front();
  EXPECT_FALSE(found.tokens.contains(0));
  EXPECT_FALSE(found.tokens.contains(first.length - 2));
  EXPECT_TRUE(found.tokens.contains(first.length - 1) && found.tokens.contains(first.length));
}

TEST(WrongSequences, BoundariesAreOnTheChunkGrid) {
  const Problem problem = packed_case();
  const std::int64_t C = problem.options().chunk_size, end = problem.sequences().front().length;
  ASSERT_NE(end % C, 0);
  const Differences found = differences(run_right(problem), run_with("varlen_grid", problem));
  EXPECT_FALSE(found.tokens.empty());
  EXPECT_GE(*found.tokens.begin(), end / C * C);
  EXPECT_TRUE(found.tokens.contains(end));
  EXPECT_TRUE(found.states.contains(problem.sequences().front().state_row));
}

TEST(WrongSequences, StateOfAnEmptyOneIsLost) {
  const Problem problem = case_with(Needs::empty_sequence | Needs::initial_state);
  const Outputs wrong = run_with("varlen_empty_lost", problem);
  const Differences found = differences(run_right(problem), wrong);
  std::set<std::int64_t> empty;
  for (const Sequence& s : problem.sequences()) {
    if (s.state_row >= 0 && s.length == 0) empty.insert(s.state_row);
  }
  EXPECT_EQ(found.states, empty);
  EXPECT_TRUE(found.tokens.empty());
  for (const double x : laws::taken(wrong.tensors.at("final_state"), 0, {*empty.begin()}).values()) EXPECT_EQ(x, 0);
}

// Rows 1 to N of N + 1, the sequences in reverse; row 0 and that of the second sequence, which is padding, unused.
Problem pool_case() {
  return case_with(Needs::pool | Needs::padding | Needs::unused_row | Needs::residual, [](const Problem& p) {
    return p.dims().N >= 3 && p.sequences().back().length > 0 && p.sequences().front().length > 0;
  });
}

Tensor row(const Tensor& states, std::int64_t at) { return laws::taken(states, 0, {at}); }

TEST(WrongSlots, RowsAreWhatTheySay) {
  const Problem problem = pool_case();
  const Outputs good = run_right(problem);
  const Tensor& before = *problem.find("initial_state");
  const Tensor& after = good.tensors.at("final_state");
  const std::int64_t N = problem.dims().N;
  const auto states = [&](const char* id) { return run_with(id, problem).tensors.at("final_state"); };
  EXPECT_EQ(states("slot_not_stored").bytes, before.bytes);
  EXPECT_EQ(differing(states("slot_all_0"), before, 0), std::set<std::int64_t>{0});
  EXPECT_EQ(row(states("slot_all_0"), 0).bytes, row(after, problem.sequences().back().state_row).bytes);
  const Tensor by_number = states("slot_of_sequence");
  for (const Sequence& s : problem.sequences()) {
    const Tensor& expected = s.state_row < 0 ? before : after;
    EXPECT_EQ(row(by_number, s.index).bytes, row(expected, s.state_row < 0 ? s.index : s.state_row).bytes);
  }
  EXPECT_EQ(row(by_number, N).bytes, row(before, N).bytes);
  const Tensor cleared = states("slot_cleared");
  EXPECT_EQ(differing(cleared, after, 0), (std::set<std::int64_t>{0, N - 1}));
  for (const double x : row(cleared, 0).values()) EXPECT_EQ(x, 0);
}

TEST(WrongSlots, PaddingIsRunInRow0) {
  const Problem problem = pool_case();
  const Differences found = differences(run_right(problem), run_with("slot_padding", problem));
  EXPECT_EQ(found.states, std::set<std::int64_t>{0});
}

TEST(WrongSlots, RowsAreOneFurther) {
  const Problem problem = pool_case();
  const Outputs good = run_right(problem), wrong = run_with("slot_off1", problem);
  const std::int64_t first = problem.sequences().front().state_row;
  ASSERT_EQ(first, problem.dims().pool - 1);
  EXPECT_TRUE(differences(good, wrong).states.contains(0)) << "the row after the last is the first";
}

TEST(WrongLayouts, StatesAreInTheOtherOneAndHeadsFirst) {
  const Problem problem = case_with(Needs::two_heads | Needs::two_tokens | Needs::residual | Needs::oblong_state);
  const Outputs good = run_right(problem);
  const Outputs states = run_with("final_layout", problem), heads = run_with("o_heads_first", problem);
  const Tensor& state = good.tensors.at("final_state");
  EXPECT_EQ(laws::transposed(state).bytes, states.tensors.at("final_state").bytes);
  EXPECT_EQ(good.tensors.at("o").bytes, states.tensors.at("o").bytes);
  const Tensor& o = good.tensors.at("o");
  const Tensor& moved = heads.tensors.at("o");
  const Dimensions& d = problem.dims();
  // Token 1 of head 0 lies after token 0 of head 0.
  for (std::int64_t c = 0; c < d.V; ++c) EXPECT_EQ(moved.value(d.V + c), o.value(d.HV * d.V + c));
}

}  // namespace
}  // namespace deltaproof
