// Choices in the orders of flash-linear-attention's chunk_kda and chunk_gla against a recording of each, chunk by
// chunk from the recorded states: another choice leaves as many values unequal as docs/arithmetic.md says; choices
// that no recorded bit decides leave none. And PIN, which must hold whatever autotuning chooses.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "reference/arithmetic/emulate.hpp"
#include "reference/arithmetic/pin.hpp"
#include "tests/reference/arithmetic/recording.hpp"
#include "tests/reference/arithmetic/support.hpp"

namespace deltaproof {
namespace {

using namespace arithmetic_tests;
using enum Choice::Section;

struct Decided {
  Change change;
  Unequal unequal;
};

void expect_decided(const Recording& recording, const std::vector<Decided>& all) {
  for (const auto& [change, unequal] : all) {
    EXPECT_EQ(unequal_by_chunk(recording, changed(*recording.declared, change)), unequal)
        << change.name << " " << change.value;
  }
}

void expect_undecided(const Recording& recording, const std::vector<Change>& all) {
  for (const Change& change : all) {
    EXPECT_EQ(unequal_by_chunk(recording, changed(*recording.declared, change)), Unequal())
        << change.name << " " << change.value;
  }
}

const Recording& kda() {
  static const Recording recording = read_recording("kda_chunk_bf16");
  return recording;
}
const Recording& gla() {
  static const Recording recording = read_recording("gla_chunk_bf16");
  return recording;
}

TEST(KdaChunk, ChoicesAreToldApart) {
  expect_decided(kda(), {{{top, "scan", "pieces_of_2"}, {10, 668}},
                         {{top, "scan", "pieces_of_32"}, {20, 837}},
                         {{top, "scan", "sequential"}, {11, 1257}},
                         {{top, "exp2", "correctly_rounded"}, {1, 86}},
                         {{points, "x_decayed", "input"}, {5644, 16382}},
                         {{points, "x_decayed", "tf32"}, {3908, 16190}},
                         {{top, "merge", "ieee"}, {1490, 15930}},
                         {{top, "merge", "tf32_nearest_even"}, {1583, 16059}},
                         {{top, "merge_sum", "descending"}, {5, 64}},
                         {{top, "merge_sum", "separate"}, {5, 64}},
                         {{points, "P", "f32"}, {6473, 0}},
                         {{points, "T", "f32"}, {3014, 16384}},
                         {{points, "v_beta", "f32"}, {7596, 16384}},
                         {{points, "k_beta", "f32"}, {878, 7955}},
                         {{points, "k_beta_decayed", "f32"}, {848, 7762}},
                         {{points, "u", "f32"}, {3725, 8192}},
                         {{points, "w", "f32"}, {641, 7179}},
                         {{points, "v_new", "f32"}, {3225, 9704}},
                         {{points, "state_copy", "f32"}, {1248, 7107}},
                         {{points, "q_scaled", "f32"}, {1075, 0}},
                         {{points, "k_scaled", "f32"}, {0, 16384}},
                         {{top, "state_sum", "added"}, {0, 2570}},
                         {{top, "state_sum", "fused"}, {0, 2589}},
                         {{parts, "gram", "4"}, {2, 316}},
                         {{parts, "state", "2"}, {0, 5578}}});
}

TEST(GlaChunk, ChoicesAreToldApart) {
  expect_decided(gla(), {{{top, "scan", "pieces_of_2"}, {13, 470}},
                         {{top, "scan", "pieces_of_32"}, {4, 392}},
                         {{top, "scan", "sequential"}, {26, 833}},
                         {{top, "exp2", "correctly_rounded"}, {2, 155}},
                         {{points, "x_decayed", "input"}, {5213, 0}},
                         {{points, "x_decayed", "tf32"}, {3631, 0}},
                         {{points, "P", "f32"}, {6586, 0}},
                         {{points, "state_copy", "f32"}, {1104, 0}},
                         {{points, "q_scaled", "f32"}, {1077, 0}},
                         {{points, "k_scaled", "f32"}, {0, 16384}},
                         {{top, "state_sum", "added"}, {0, 2640}},
                         {{top, "state_sum", "fused"}, {0, 2667}},
                         {{parts, "q_state", "2"}, {1, 0}},
                         {{parts, "state", "2"}, {0, 5615}}});
}

TEST(KdaChunk, SomeChoicesAreUndecided) {
  expect_undecided(kda(), {{top, "exp2", "approx"},
                           {top, "row_sum", "halves_lower_fused"},
                           {top, "row_sum", "eights_lower_fused"},
                           {top, "row_sum", "fours_lower_fused"},
                           {top, "row_sum", "twos_lower_fused"},
                           {top, "channel_sum", "four"},
                           {top, "channel_sum", "two"},
                           {top, "channel_sum", "one"},
                           {top, "channel_order", "ascending"},
                           {top, "chunk_sum", "added"},
                           {parts, "w_state", "2"},
                           {parts, "q_state", "2"}});
}

TEST(GlaChunk, SomeChoicesAreUndecided) {
  expect_undecided(gla(), {{top, "exp2", "approx"},
                           {top, "channel_sum", "four"},
                           {top, "channel_sum", "two"},
                           {top, "channel_sum", "one"},
                           {top, "channel_order", "ascending"},
                           {top, "chunk_sum", "added"},
                           {parts, "scores", "2"}});
}

// Values outside the sets; known to the bit.
struct Pinned {
  Index outside = 0, single = 0, values = 0;

  void add(const SetBlock& set, const Matrix& value) {
    for (Index i = 0; i < value.size(); ++i) {
      const double error = std::abs(value.data()[i] - set.centre.data()[i]);
      outside += !(error <= set.radius.data()[i]);
      single += set.radius.data()[i] == 0;
      ++values;
    }
  }
};

Pinned pinned(const Recording& recording, const Declared& declared) {
  const Index size = recording.options.chunk_size;
  Pinned total;
  for (const RecordedHead& head : recording.heads) {
    Matrix before = head.inputs.initial_state;
    for (Index begin = 0, chunk = 0; begin < head.inputs.tokens; begin += size, ++chunk) {
      const Index n = std::min(size, head.inputs.tokens - begin);
      const HeadInputs inputs = head.inputs.slice(begin, n, before);
      const PinnedRun run = pin(recording.resolved(declared), tensor_core("hopper"), inputs, n, {}, false);
      before = head.states[static_cast<std::size_t>(chunk)];
      total.add(run.o, head.o.middleRows(begin, n));
      total.add(run.states.back(), before);
    }
  }
  return total;
}

TEST(KdaAndGlaChunk, PinHoldsTheRecordedRunAndNotOneWithoutARounding) {
  for (const Recording* recording : {&kda(), &gla()}) {
    const Pinned run = pinned(*recording, *recording->declared);
    EXPECT_EQ(run.outside, 0);
    EXPECT_GT(run.single, run.values / 5);
    // A kernel that keeps P in fp32 is another arithmetic: PIN must see that.
    EXPECT_GT(pinned(*recording, changed(*recording->declared, {points, "P", "f32"})).outside, 0);
  }
}

// Autotuning chooses these; one PIN must hold for all of them.
const std::vector<Change> layouts = {
    {top, "channel_sum", "four_second_fused"},
    {top, "scan", "pieces_of_2"},           {top, "channel_sum", "four"},           {top, "channel_sum", "two"},
    {top, "channel_sum", "one"},            {top, "row_sum", "halves_lower_fused"}, {top, "row_sum", "eights_lower_fused"},
    {top, "row_sum", "fours_lower_fused"},  {top, "channel_order", "ascending"},    {top, "chunk_sum", "added"},
    {top, "merge_sum", "descending"}};

Matrix in_double(const MatrixF& m) { return m.cast<double>(); }

TEST(KdaAndGlaChunk, PinHoldsEveryLayoutThatAutotuningMayChoose) {
  const Format formats_of_input[] = {formats::bf16, formats::f16, formats::f32};
  Index differing = 0;
  for (const TextCase& each : text_cases()) {
    if (each.text->decay != Decay::per_channel) continue;
    for (const Format& input : formats_of_input) {
      // A partial last chunk and block; K no power of two.
      const HeadInputs head = family_head(*find_regime("rand_sig_gdn"), each.rule, input, {90, 40, 24, 64}, 7, true);
      const Resolved declared = resolve(each.declared, input, input, false, false);
      const PinnedRun sets = pin(declared, tensor_core("hopper"), head, 64, {}, true);
      const Emulation base = emulate(declared, head, 64, true);
      for (const Change& layout : layouts) {
        const auto& known = each.text->choices;
        if (std::find(known.begin(), known.end(), layout.name) == known.end()) continue;
        const Declared other = changed(each.declared, layout);
        const Emulation run = emulate(resolve(other, input, input, false, false), head, 64, true);
        Pinned held;
        held.add(sets.o, in_double(run.o));
        held.add(sets.states.back(), in_double(run.states.back()));
        EXPECT_EQ(held.outside, 0) << each.name() << ", " << layout.name << " " << layout.value;
        differing += run.states.back() != base.states.back();
      }
    }
  }
  EXPECT_GT(differing, 0);  // the layouts do differ on these inputs
}

TEST(KdaChunk, BetaInFp32LeavesItsProductWithKInFp32) {
  const Declared declared = built_in("fla-kda-chunk", Rule::vector_decay_delta).value();
  EXPECT_EQ(resolve(declared, formats::bf16, formats::bf16, false, false).format(Point::k_beta), formats::bf16);
  EXPECT_EQ(resolve(declared, formats::bf16, formats::bf16, false, false, true).format(Point::k_beta), std::nullopt);
}

}  // namespace
}  // namespace deltaproof
