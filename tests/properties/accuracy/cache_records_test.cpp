// Right runs of rule hola as others record them: in other types, without states or sets, or judged in part.
#include <gtest/gtest.h>

#include <cmath>

#include "cache_problems.hpp"
#include "properties/accuracy/emulated_outputs.hpp"
#include "properties/runs/kernel_case.hpp"
#include "recordings.hpp"
#include "reference/rules/hola.hpp"

namespace deltaproof {
namespace {

Problem problem_with(const std::string& regime, std::int64_t tokens, const Metadata& more) {
  ProblemSpec spec;
  spec.regime = regime;
  spec.shape.tokens = tokens;
  spec.shape.K = 16, spec.shape.V = 16;
  spec.shape.H = 1, spec.shape.HV = 2;
  spec.options = {{"rule", "hola"}, {"chunk_size", "16"}, {"qk_l2norm", "kernel"}, {"cache_size", "6"},
                  {"cache_block", "20"}, {"arithmetic", "deltaproof-chunk"}};
  for (const auto& [key, value] : more) spec.options[key] = value;
  return problem_of(spec);
}

void store_as(Outputs& outputs, const std::string& name, Dtype dtype) {
  Tensor& tensor = outputs.tensors.at(name);
  std::vector<double> values;
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    values.push_back(is_floating(tensor.dtype) ? tensor.value(i) : static_cast<double>(tensor.integer(i)));
  }
  tensor = Tensor::from(dtype, tensor.shape, values);
}

// The bound from outputs alone says nothing here; the emulation has every bit, so its states are taken.
TEST(CacheRecords, StatesOfTheEmulationAreReadWithTheCache) {
  for (const char* regime : {"cancel_v=Wk", "boundary", "parallel_b1.98"}) {
    const Problem problem = problem_with(regime, 300, {});
    Outputs outputs = cache_outputs(problem);
    outputs.tensors.erase("chunk_states");
    const Verdict found = judge(problem, outputs);
    EXPECT_EQ(found.status, Status::passed) << regime << '\n' << describe(found);
  }
}

// From token 257 on not every place is a number of bf16; states are recorded, so each chunk is judged by itself.
TEST(CacheRecords, PlacesInSixteenBits) {
  for (const char* arithmetic : {"deltaproof-chunk", "generic"}) {
    Outputs outputs = cache_outputs(problem_with("facts", 300, {{"score", "recency"}}));
    store_as(outputs, "scores", Dtype::bf16);
    const Problem problem = problem_with("facts", 300, {{"score", "recency"}, {"arithmetic", arithmetic}});
    const Verdict found = judge(problem, outputs);
    EXPECT_NE(found.status, Status::failed) << arithmetic << '\n' << describe(found);
    set_value(outputs.tensors.at("scores"), 2 * 290, 280);
    EXPECT_EQ(judge(problem, outputs).status, Status::failed) << arithmetic;
  }
}

TEST(CacheRecords, BitsAreComparedInTheRecordedTypes) {
  const Problem problem = cache_problem("facts");
  for (const auto& [name, dtype] : {std::pair{"selected", Dtype::i64}, {"scores", Dtype::f64}, {"scores", Dtype::bf16},
                                    {"chunk_states", Dtype::f64}}) {
    Outputs outputs = cache_outputs(problem);
    store_as(outputs, name, dtype);
    const Verdict found = judge(problem, outputs);
    EXPECT_EQ(found.status, Status::passed) << name << '\n' << describe(found);
    ASSERT_TRUE(found.conformity);
    EXPECT_GT(found.conformity->bits_compared, 0);
    EXPECT_EQ(found.conformity->bits_unequal, 0) << name;
  }
}

// A score within its bound, of another order of sums: the state's declarations are not to blame.
TEST(CacheRecords, BitsOfTheCacheNameNoDeclarationOfTheState) {
  const Problem problem = cache_problem("facts");
  Outputs outputs = cache_outputs(problem);
  Tensor& scores = outputs.tensors.at("scores");
  const std::int64_t last = scores.size() - 1;  // of a block that no query comes after
  set_value(scores, last, std::nextafter(static_cast<float>(scores.value(last)), 1e9f));
  const Verdict found = judge(problem, outputs);
  EXPECT_EQ(found.status, Status::suspect) << describe(found);
  ASSERT_TRUE(found.conformity);
  EXPECT_EQ(found.conformity->bits_unequal, 1);
  EXPECT_TRUE(found.conformity->fits.empty());
  EXPECT_NE(found.reason.find("states alone"), std::string::npos) << found.reason;
}

// What weights have come to in the end says nothing about the sets of the blocks before.
TEST(CacheRecords, AccumulatedAttentionIsNoOrderOfSets) {
  const Problem problem = problem_with("facts", 72, {{"score", "attention"}});
  Outputs outputs = cache_outputs(problem_with("facts", 72, {{"score", "recency"}}));
  std::vector<double> falling;
  for (int i = 0; i < 2 * 72; ++i) falling.push_back(5.0 / (1 + i));
  outputs.tensors["scores"] = Tensor::from(Dtype::f32, {1, 72, 2}, falling);
  EXPECT_EQ(judge(problem, outputs).status, Status::uninformative) << describe(judge(problem, outputs));
  outputs.tensors.erase("selected");
  EXPECT_EQ(judge(problem, outputs).status, Status::uninformative) << describe(judge(problem, outputs));
}

// Units of four tokens, blocks of eight: a block of which one half is judged still says what it has read.
TEST(CacheRecords, SetsOfBlocksThatAreJudgedInPart) {
  const Problem problem = problem_with(
      "facts", 32,
      {{"cache_size", "1"}, {"cache_block", "8"}, {"chunk_size", "4"}, {"arithmetic", "deltaproof-recurrent"}});
  Outputs outputs = cache_outputs(problem);
  outputs.tensors.erase("scores");
  outputs.tensors.erase("selected");
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    AccuracyOptions options;
    options.sample = 0.6, options.seed = seed;
    const Verdict found = judge(problem, outputs, options);
    EXPECT_NE(found.status, Status::failed) << seed << '\n' << describe(found);
  }
}

// Where the bound does not tell one right set from another, a set that was chosen by it proves nothing to a narrower one.
TEST(CacheRecords, ChosenSetsAreNotHeldAgainstTheOrderOfRoundings) {
  const Problem problem =
      kernel_case(*find_built_in_kernel("hola"), *find_regime("extremes"), 2843, 2843, CaseSizes::small);
  Outputs outputs = cache_outputs(problem);
  ASSERT_EQ(judge(problem, outputs).status, Status::passed) << describe(judge(problem, outputs));
  outputs.tensors.erase("scores");
  outputs.tensors.erase("selected");
  const Verdict found = judge(problem, outputs);
  EXPECT_NE(found.status, Status::nonconforming) << describe(found);
  ASSERT_TRUE(found.conformity);
  EXPECT_GT(found.conformity->pin_unknown, 0);
}

// Ranked in double, exported in fp32: scores that are equal there were not where they were ranked.
TEST(CacheRecords, ScoresOfAKernelInDoubleLoseTheirOrder) {
  int other_sets = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Problem problem = cache_problem("near_scores", seed, {{"arithmetic", "fp64"}});
    const Dimensions& d = problem.dims();
    const Outputs like = cache_outputs(problem.with_arithmetic("deltaproof-chunk"));
    Outputs outputs;
    outputs.tensors["selected"] = like.tensors.at("selected");
    std::vector<double> scores(static_cast<std::size_t>(d.T * d.HV));
    for (std::int64_t h = 0; h < d.HV; ++h) {
      const HolaLayer<double> layer = hola_layer<double>(head_inputs(problem, problem.sequences().front(), h));
      std::vector<double> rounded;
      for (std::int64_t t = 0; t < d.T; ++t) {
        const double score = layer.scores[static_cast<std::size_t>(t)];
        rounded.push_back(static_cast<double>(static_cast<float>(score)));
        scores[static_cast<std::size_t>(t * d.HV + h)] = score;
      }
      other_sets += blockwise_sets(rounded, d.cache, problem.options().hola.cache_block) != layer.sets;
      for (std::size_t n = 0; n < layer.sets.size(); ++n) {
        std::vector<std::int64_t> row(layer.sets[n].begin(), layer.sets[n].end());
        row.resize(static_cast<std::size_t>(d.cache), -1);
        set_selected_row(outputs, problem, static_cast<std::int64_t>(n), h, row);
      }
    }
    outputs.tensors["scores"] = Tensor::from(Dtype::f32, {d.B, d.T, d.HV}, scores);
    EXPECT_NE(judge(problem, outputs).status, Status::failed) << seed << '\n' << describe(judge(problem, outputs));
  }
  EXPECT_GT(other_sets, 0);
}

}  // namespace
}  // namespace deltaproof
