// The catalogue as a table: ids, sentences, what it is refused for, and that each entry is a defect.
#include <gtest/gtest.h>

#include <set>

#include "strong_decay.hpp"

namespace deltaproof {
namespace {

std::string refusal(std::string_view id, const CaseFile& file) {
  return why_not(*find_defect(id), file.problem, *file.outputs);
}

TEST(Catalogue, IdsAreUniqueAndFound) {
  std::set<std::string_view> ids;
  for (const Defect& defect : defect_catalogue()) {
    EXPECT_TRUE(ids.insert(defect.id).second) << defect.id;
    EXPECT_EQ(find_defect(defect.id), &defect);
    EXPECT_FALSE(defect.sentence.empty() || defect.formula.empty()) << defect.id;
    EXPECT_EQ(defect.id.find_first_of(" |"), std::string_view::npos) << defect.id;
  }
  EXPECT_EQ(find_defect("no such defect"), nullptr);
}

TEST(Catalogue, EveryStageHasDefects) {
  std::set<std::string> stages;
  for (const Defect& defect : defect_catalogue()) stages.insert(stage_name(defect.stage));
  EXPECT_EQ(stages,
            (std::set<std::string>{"attention", "cache read", "channels", "gates", "layout", "none", "norms", "output",
                                   "reading", "selection", "sequences", "slots", "solve", "state", "tail", "values"}));
}

TEST(Catalogue, EveryClassOfPublicBugsHasDefects) {
  std::set<BugClass> classes;
  for (const Defect& defect : defect_catalogue()) classes.insert(defect.bug_class);
  EXPECT_EQ(classes, std::set<BugClass>(bug_classes().begin(), bug_classes().end()));
  std::set<std::string_view> names;
  for (const BugClass bug_class : bug_classes()) EXPECT_TRUE(names.insert(bug_class_name(bug_class)).second);
}

TEST(Catalogue, OnlyTheEpsOfBIsBelowTheRoundingsOfRecordings) {
  for (const Defect& defect : recording_defects()) {
    EXPECT_EQ(!defect.below_rounding.empty(), defect.id == "eps_0" || defect.id == "eps_1e-5") << defect.id;
    EXPECT_EQ(defect.equivalent, "") << defect.id;
  }
}

// At one of a few places at least: a pair of tokens that decay keeps apart has nothing to lose.
TEST(Catalogue, EveryDefectChangesTheOutputs) {
  const CaseFile& kla_case = recorded_case("kla_chunk_bf16_T300");
  const FaultyKernel kla(kla_case.problem, built_in("fla-chunk", Rule::gated_delta).value());
  for (const Defect& defect : recording_defects()) {
    const CaseFile& file = defect.needs == Needs::kla ? kla_case : strong_decay();
    const FaultyKernel& kernel = defect.needs == Needs::kla ? kla : strong_decay_bench().kernel();
    ASSERT_EQ(refusal(defect.id, file), "") << defect.id;
    bool changes = false;
    for (std::uint64_t place = 0; place < 20 && !changes; ++place) {
      changes = !same_bits(with_defect(defect, file.problem, *file.outputs, kernel, 1, place), *file.outputs);
    }
    EXPECT_TRUE(changes || !defect.below_rounding.empty()) << defect.id;
  }
}

TEST(Catalogue, DefectsOfKlaWantAnEta) {
  for (const char* id : {"k2_bf16", "eps_1e-3", "eps_1e-5", "eps_0"}) {
    EXPECT_EQ(refusal(id, strong_decay()), "beta was not formed from an eta and |k|^2");
    EXPECT_EQ(refusal(id, recorded_case("kla_trained_layer0_T512")), "");
  }
}

TEST(Catalogue, ATransposeWantsASquareState) {
  EXPECT_NE(refusal("transposed_S", recorded_case("gdn_chunk_bf16_K96_V32")), "");
  EXPECT_NE(refusal("transposed_ST", recorded_case("gdn_chunk_bf16_K96_V32")), "");
  EXPECT_EQ(refusal("swap_cols", recorded_case("gdn_chunk_bf16_K96_V32")), "");
}

TEST(Catalogue, RunsOfOtherTextsPackedRunsAndNormalisedRowsAreTried) {
  for (const char* name : {"kda_chunk_bf16", "gdn_chunk_bf16_l2norm_zero_key"}) {
    EXPECT_EQ(refusal("ulp1", recorded_case(name)), "") << name;
  }
  const CaseFile& packed = recorded_case("gdn_chunk_bf16_varlen_gva");
  EXPECT_EQ(why_not(*find_defect("ulp1"), packed.problem, built_in("fla-chunk", Rule::gated_delta).value()), "");
  EXPECT_EQ(refusal("qS_gate_off1", recorded_case("kda_chunk_bf16")), "there is no decay of one value a token");
  EXPECT_EQ(refusal("us_from_vb", recorded_case("kda_chunk_bf16")), "a kernel of text fla-kda-chunk has no such place");
}

TEST(Catalogue, RunsWithoutStatesAreRefused) {
  Outputs outputs = *strong_decay().outputs;
  outputs.tensors.erase("chunk_states");
  EXPECT_EQ(why_not(*find_defect("ulp1"), strong_decay().problem, outputs), "there is no 'chunk_states'");
}

// The first chunk of the run, one head, one value channel: what needs more is refused.
TEST(Catalogue, ShortAndNarrowRunsAreRefusedWhereTheDefectNeedsMore) {
  const Problem& whole = strong_decay().problem;
  TensorMap tensors;
  for (const auto& [name, tensor] : whole.tensors()) {
    const std::int64_t width = name == "v" ? 1 : tensor.shape.size() == 4 ? 64 : 1;
    std::vector<std::int64_t> shape = {1, 64, 1};
    if (tensor.shape.size() == 4) shape.push_back(width);
    tensors[name] = Tensor::from(tensor.dtype, shape, std::vector<double>(static_cast<std::size_t>(64 * width), 0.0));
  }
  const Metadata metadata = {
      {"format", "deltaproof.case/1"}, {"rule", "gated_delta"}, {"arithmetic", "fla-chunk"}};
  const Problem small = Problem::make("small", metadata, std::move(tensors));
  for (const char* id : {"swap_heads", "swap_cols", "nocarry", "o_noQS_chunk1", "chunk_x1.003", "transposed_S"}) {
    EXPECT_NE(why_not(*find_defect(id), small, *strong_decay().outputs), "") << id;
  }
  EXPECT_EQ(why_not(*find_defect("w_nogate"), small, *strong_decay().outputs), "");
}

// What the recordings say of their beta, which the defects of KLA undo: eta / (|k|^2 + 1e-6) in fp32, whose sum of
// 128 squares, sum with eps and quotient lose (128 + 2) 2^-24 at most, in any order.
TEST(Catalogue, BetaOfTheKlaRecordingsIsEtaOverTheSquareOfTheKey) {
  for (const char* name : {"kla_chunk_bf16_T300", "kla_trained_layer0_T512"}) {
    const CaseFile& file = recorded_case(name);
    const Tensor eta = read_safetensors(file.path).tensors.at("eta");
    const Sequence& s = file.problem.sequences().front();
    for (std::int64_t h = 0; h < file.problem.dims().HV; ++h) {
      const HeadInputs head = head_inputs(file.problem, s, h);
      for (Index t = 0; t < head.tokens; ++t) {
        const double b = eta.value(t * file.problem.dims().HV + h) / (head.k.row(t).squaredNorm() + 1e-6);
        EXPECT_NEAR(head.write(t, 0), b, b * 130 * 0x1p-24) << name << " " << t;
      }
    }
  }
}

}  // namespace
}  // namespace deltaproof
