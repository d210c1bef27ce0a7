#include "properties/diagnose/hunt/hunt.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "properties/defects/catalogue.hpp"
#include "properties/defects/defect_kernel.hpp"
#include "properties/diagnose/hunt/hunt_state_file.hpp"
#include "properties/diagnose/hunt/proposal.hpp"
#include "reference/problem/input_error.hpp"

namespace deltaproof {
namespace {

const BuiltInInfo& chunk() { return *find_built_in_kernel("chunk"); }

HuntState fresh(std::uint64_t seed, const std::string& objective = "") {
  HuntState state;
  state.identity.kernel = "chunk";
  state.identity.seed = seed;
  state.identity.objective = objective;
  return state;
}

HuntState run(HuntState state, std::int64_t evaluations, int threads, const std::string& rule = "gated_delta") {
  HuntRun run;
  run.evaluations = evaluations;
  run.threads = threads;
  return hunt(std::move(state), hunt_space(chunk(), rule, "BF16"), DefectKernel(nullptr, "chunk"), run);
}

TEST(Hunt, IsTheSameForAnyThreadsAndWhereverItWasCut) {
  const std::string whole = json_of(run(fresh(1), 90, 1));
  EXPECT_EQ(json_of(run(fresh(1), 90, 2)), whole);
  HuntState cut = run(fresh(1), 41, 2);  // in the middle of a batch
  cut = state_of_json("state", json_of(cut));
  EXPECT_EQ(cut.settled().evaluations, 41);
  EXPECT_EQ(json_of(run(std::move(cut), 90, 2)), whole);
}

TEST(Hunt, IsTheSameWhereverItWasStopped) {
  std::atomic<int> asked = 0;
  HuntRun stopped;
  stopped.evaluations = 50;
  stopped.threads = 2;
  stopped.stop = [&] { return ++asked > 75; };
  const HuntSpace space = hunt_space(chunk(), "gated_delta", "BF16");
  const DefectKernel kernel(nullptr, "chunk");
  HuntState state = hunt(fresh(2), space, kernel, stopped);
  EXPECT_LT(state.settled().evaluations, 50);
  EXPECT_EQ(json_of(run(std::move(state), 50, 1)), json_of(run(fresh(2), 50, 1)));
}

TEST(Hunt, SeedsDiffer) { EXPECT_NE(json_of(run(fresh(3), 10, 1)), json_of(run(fresh(4), 10, 1))); }

TEST(Hunt, EveryCandidateIsSmall) {
  HuntState state = run(fresh(5), 64, 2);
  const HuntSpace space = hunt_space(chunk(), "", "");
  const DefectKernel kernel(nullptr, "chunk");
  int computed = 0;
  for (std::int64_t i = 0; i < 200; ++i) {
    const Candidate candidate = proposed(state, space, kernel, i);
    const RegimeShape& shape = candidate.spec.shape;
    EXPECT_LE(shape.tokens, 192);
    EXPECT_LE(shape.K, 32);
    EXPECT_LE(shape.V, 32);
    EXPECT_LE(shape.HV, 4);
    EXPECT_LE(candidate.entries.size(), 13u);
    try {
      computed += kernel.refusal(problem_of(candidate)).empty();
    } catch (const InputError&) {
    }
  }
  EXPECT_GE(computed, 195);
}

TEST(Hunt, KeepsToARuleAndType) {
  for (const Archive& archive : run(fresh(6), 64, 2, "kla").archives) {
    for (const auto& [cell, worst] : archive.cells()) EXPECT_EQ(cell, "kla BF16");
  }
  EXPECT_THROW(hunt_space(chunk(), "gsa", ""), InputError);
  EXPECT_THROW(hunt_space(chunk(), "", "F64"), InputError);
}

}  // namespace
}  // namespace deltaproof
