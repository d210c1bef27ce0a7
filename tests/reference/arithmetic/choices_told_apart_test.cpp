// Which choices in an order of operations recorded bits decide: another choice leaves values unequal, as many as
// docs/arithmetic.md, 5, says, or none on any.
#include <gtest/gtest.h>

#include <array>
#include <ostream>
#include <string>
#include <vector>

#include "tests/reference/arithmetic/recording.hpp"

namespace deltaproof {
namespace {

using namespace arithmetic_tests;
using enum Choice::Section;

// From the recorded chunk states, or from the initial state where there are none.
Unequal unequal_with(const Recording& recording, const Change& change) {
  const Declared declared = changed(*recording.declared, change);
  const bool chunk_states = !recording.heads[0].states.empty();
  return chunk_states ? unequal_by_chunk(recording, declared) : unequal_in_full_run(recording, declared);
}

std::string name_of(const Change& change) {
  const char* section = change.section == parts ? "parts_" : change.section == points ? "point_" : "";
  return std::string(section) + change.name + "_" + change.value;
}

const std::array<Recording, 5>& chunk_recordings() {
  static const std::array<Recording, 5> recordings = {
      read_recording("gdn_chunk_bf16_strong_decay"), read_recording("gdn_chunk_bf16"),
      read_recording("kla_chunk_bf16_T300"), read_recording("kla_trained_layer0_T512"),
      read_recording("gdn_chunk_fp32")};
  return recordings;
}

// Of fla-chunk; unequal in each of `chunk_recordings()`.
struct Row {
  Change change;
  std::array<Unequal, 5> unequal;
};

void PrintTo(const Row& row, std::ostream* out) { *out << name_of(row.change); }

class FlaChunkChoice : public testing::TestWithParam<Row> {};

TEST_P(FlaChunkChoice, LeavesThisManyUnequal) {
  const Row& row = GetParam();
  Index all = 0;
  for (std::size_t i = 0; i < row.unequal.size(); ++i) {
    const Recording& recording = chunk_recordings()[i];
    const Unequal found = unequal_with(recording, row.change);
    EXPECT_EQ(found, row.unequal[i]) << recording.name;
    all += found.o + found.states;
  }
  EXPECT_GT(all, 0) << "no recording tells";
}

INSTANTIATE_TEST_SUITE_P(
    Recordings, FlaChunkChoice,
    testing::Values(
        Row{{top, "scan", "sequential"}, {{{81, 1088}, {0, 8070}, {5, 9824}, {349, 44912}, {2376, 2678}}}},
        Row{{top, "scan", "kogge_stone"}, {{{85, 512}, {0, 0}, {0, 5775}, {10, 1661}, {450, 192}}}},
        Row{{top, "scan", "pieces_of_16"}, {{{39, 958}, {0, 622}, {0, 2741}, {132, 10611}, {596, 61}}}},
        Row{{top, "scan", "sklansky"}, {{{35, 0}, {0, 0}, {0, 0}, {271, 9207}, {1027, 251}}}},
        Row{{top, "exp2", "correctly_rounded"}, {{{0, 0}, {0, 989}, {6, 2441}, {74, 12237}, {1911, 259}}}},
        Row{{top, "inverse", "substitution"},
            {{{152, 1406}, {4750, 118655}, {5589, 148985}, {21336, 249150}, {12961, 23474}}}},
        Row{{top, "row_sum", "exact"}, {{{0, 0}, {0, 0}, {0, 0}, {0, 125}, {0, 0}}}},
        Row{{top, "row_sum", "ascending"}, {{{0, 0}, {0, 0}, {0, 0}, {3, 388}, {37, 0}}}},
        Row{{top, "merge", "ieee"},
            {{{152, 1406}, {4746, 118655}, {5589, 148985}, {21336, 249150}, {12961, 23474}}}},
        Row{{top, "merge", "tf32_nearest_even"},
            {{{202, 1917}, {4679, 117719}, {5620, 148853}, {24513, 254747}, {13095, 23914}}}},
        Row{{top, "merge", "tf32_nearest_away"},
            {{{202, 1917}, {4679, 117719}, {5620, 148853}, {24517, 254505}, {13095, 23915}}}},
        Row{{top, "merge_sum", "descending"}, {{{0, 0}, {0, 0}, {0, 0}, {0, 128}, {1, 64}}}},
        Row{{top, "merge_sum", "rotated"}, {{{0, 0}, {0, 0}, {0, 0}, {0, 128}, {1, 64}}}},
        Row{{top, "merge_sum", "separate"}, {{{0, 0}, {0, 0}, {0, 0}, {0, 0}, {1, 64}}}},
        Row{{top, "v_scaled_from", "rounded"}, {{{0, 1344}, {0, 98303}, {0, 131069}, {0, 227904}, {0, 0}}}},
        Row{{top, "state_sum", "added"}, {{{0, 481}, {0, 31392}, {0, 43799}, {0, 75100}, {0, 6474}}}},
        Row{{top, "state_sum", "fused"}, {{{0, 1054}, {0, 31661}, {0, 44503}, {0, 76447}, {0, 6537}}}},
        Row{{top, "output_sum", "second_fused"}, {{{0, 0}, {0, 0}, {0, 0}, {2, 0}, {0, 0}}}},
        Row{{top, "output_sum", "unfused"}, {{{0, 0}, {0, 0}, {0, 0}, {3, 0}, {0, 0}}}},
        Row{{top, "u_ieee", "no"}, {{{0, 0}, {0, 0}, {0, 0}, {0, 0}, {19956, 24575}}}},
        Row{{parts, "gram", "2"}, {{{0, 0}, {0, 0}, {0, 0}, {105, 5195}, {109, 415}}}},
        Row{{parts, "gram", "4"}, {{{0, 0}, {0, 0}, {0, 0}, {111, 5763}, {130, 531}}}},
        Row{{parts, "scores", "2"}, {{{0, 0}, {22, 0}, {0, 0}, {3, 0}, {601, 0}}}},
        Row{{parts, "w_state", "2"}, {{{0, 0}, {0, 0}, {0, 0}, {13, 129}, {0, 0}}}},
        Row{{parts, "q_state", "2"}, {{{0, 0}, {0, 0}, {2, 0}, {4, 0}, {4083, 0}}}}),
    [](const auto& row) { return name_of(row.param.change); });

// Of other texts, and what other recordings decide of fla-chunk.
struct Decided {
  const char* recording;
  Change change;
  Unequal unequal;
};

void PrintTo(const Decided& decided, std::ostream* out) {
  *out << decided.recording << " " << name_of(decided.change);
}

class OtherChoice : public testing::TestWithParam<Decided> {};

TEST_P(OtherChoice, LeavesThisManyUnequal) {
  const Decided& decided = GetParam();
  const Unequal found = unequal_with(read_recording(decided.recording), decided.change);
  EXPECT_EQ(found, decided.unequal);
  EXPECT_GT(found.o + found.states, 0);
}

INSTANTIATE_TEST_SUITE_P(
    Recordings, OtherChoice,
    testing::Values(Decided{"gdn_recurrent_bf16_T200", {top, "lanes", "sixteen"}, {4, 13151}},
                    Decided{"gdn_recurrent_fp32", {top, "lanes", "sixteen"}, {15073, 3261}},
                    Decided{"gdn_decode_bf16_B16", {top, "lanes", "four"}, {0, 12915}},
                    Decided{"gdn_recurrent_fp32", {top, "exp2", "correctly_rounded"}, {17208, 5646}},
                    Decided{"gdn_chunk_bf16_varlen_gva", {top, "row_sum", "halves_unfused"}, {0, 62}},
                    Decided{"gdn_chunk_bf16_l2norm_zero_key", {top, "merge_sum", "descending"}, {0, 126}},
                    Decided{"delta_backward_states", {top, "merge_sum", "descending"}, {9, 576}},
                    Decided{"delta_backward_states", {top, "merge_sum", "rotated"}, {9, 576}},
                    Decided{"delta_backward_states", {top, "merge_sum", "separate"}, {9, 576}},
                    Decided{"mamba2_chunk_bf16", {top, "exp2", "correctly_rounded"}, {3, 66}},
                    Decided{"mamba2_chunk_bf16", {top, "state_sum", "fused"}, {0, 2814}},
                    Decided{"kla_official_chunk_bf16_T256", {top, "scan", "pieces_of_32"}, {97, 0}},
                    Decided{"kla_official_chunk_bf16_T256", {top, "scan", "kogge_stone"}, {113, 0}},
                    Decided{"kla_official_chunk_bf16_T256", {top, "exp2", "correctly_rounded"}, {102, 0}}),
    [](const auto& decided) { return std::string(decided.param.recording) + "_" + name_of(decided.param.change); });

// No recorded bit decides these.
struct Undetermined {
  const char* text;
  Change change;
};

void PrintTo(const Undetermined& choice, std::ostream* out) {
  *out << choice.text << " " << name_of(choice.change);
}

class UndeterminedChoice : public testing::TestWithParam<Undetermined> {};

TEST_P(UndeterminedChoice, LeavesNothingUnequalInAnyRecordingOfItsText) {
  int tried = 0;
  for (const std::string& name : recordings_with_text()) {
    const Recording recording = read_recording(name);
    if (recording.options.arithmetic != GetParam().text) continue;
    EXPECT_EQ(unequal_with(recording, GetParam().change), Unequal{}) << name;
    ++tried;
  }
  EXPECT_GT(tried, 0);
}

INSTANTIATE_TEST_SUITE_P(
    Recordings, UndeterminedChoice,
    testing::Values(Undetermined{"fla-chunk", {top, "exp2", "approx"}},
                    Undetermined{"fla-simple-gla-chunk", {top, "exp2", "approx"}},
                    Undetermined{"fla-simple-gla-chunk", {top, "output_sum", "second_fused"}},
                    Undetermined{"fla-simple-gla-chunk", {top, "output_sum", "unfused"}},
                    Undetermined{"fla-recurrent", {top, "exp2", "approx_ftz"}},
                    Undetermined{"nvlabs-chunk", {top, "exp2", "approx_ftz"}},
                    Undetermined{"fla-chunk", {top, "row_sum", "halves_upper_fused"}},
                    Undetermined{"nvlabs-chunk", {top, "row_sum", "halves_upper_fused"}},
                    Undetermined{"nvlabs-chunk", {top, "row_sum", "halves_unfused"}},
                    Undetermined{"nvlabs-chunk", {top, "row_sum", "ascending"}},
                    Undetermined{"nvlabs-chunk", {top, "row_sum", "exact"}},
                    Undetermined{"nvlabs-chunk", {top, "state_sum", "accumulator"}},
                    Undetermined{"nvlabs-chunk", {top, "state_sum", "added"}},
                    Undetermined{"nvlabs-chunk", {top, "chunk_sum", "added"}}),
    [](const auto& choice) {
      std::string name = std::string(choice.param.text) + "_" + name_of(choice.param.change);
      for (char& c : name) {
        if (c == '-') c = '_';
      }
      return name;
    });

TEST(DeltaRule, RecordingsDecideNoOrderOfItsSubstitution) {
  for (const char* name : {"delta_chunk_bf16", "delta_backward_states"}) {
    const Recording recording = read_recording(name);
    for (const Change& change : {Change{top, "row_sum", "halves_upper_fused"}, Change{top, "row_sum", "ascending"},
                                 Change{top, "row_sum", "halves_unfused"}, Change{top, "row_sum", "exact"}}) {
      EXPECT_EQ(unequal_with(recording, change), Unequal{}) << name << " " << name_of(change);
    }
  }
}

}  // namespace
}  // namespace deltaproof
