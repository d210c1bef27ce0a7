#include "properties/diagnose/hunt/worst_cases.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "kernels/recorded.hpp"
#include "properties/accuracy/accuracy.hpp"
#include "properties/defects/catalogue.hpp"
#include "properties/defects/defect_kernel.hpp"

namespace deltaproof {
namespace {

class WorstCases : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("deltaproof-worst-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // Evaluates, keeps, writes and reads again.
  CaseFile written(const char* problem, const char* move, const Kernel& kernel) {
    Evaluated one;
    one.candidate = {parse_spec(problem), {parse_entry_move(move)}};
    one.result = evaluate(one.candidate, kernel);
    HuntState state;
    state.take(one);
    const std::vector<WorstCase> worst = worst_cases(state);
    write_worst_case(folder_, worst.back(), kernel);
    names_.clear();
    for (const WorstCase& each : worst) names_.push_back(each.name);
    return read_case(folder_ / (names_.back() + ".safetensors"));
  }

  std::filesystem::path folder_;
  std::vector<std::string> names_;
};

constexpr const char* with_options =
    "regime=exact_integers T=40 K=16 V=8 rule=gated_delta chunk_size=16 state_layout=vk qk_l2norm=k state=1";

TEST_F(WorstCases, AFileHoldsTheProblemAndTheRunWithItsStates) {
  const DefectKernel kernel(nullptr, "chunk");
  const CaseFile file = written(with_options, "scale v 3 0 4", kernel);
  EXPECT_EQ(names_, (std::vector<std::string>{"bound-1", "relative-1"}));  // rows are normalised: no sigma
  const Problem problem = problem_of({parse_spec(with_options), {parse_entry_move("scale v 3 0 4")}});
  EXPECT_EQ(file.problem.tensors().size(), problem.tensors().size());
  for (const auto& [name, tensor] : problem.tensors()) EXPECT_EQ(file.problem.find(name)->bytes, tensor.bytes) << name;
  EXPECT_EQ(file.problem.options().scale, 1);  // the family's own
  EXPECT_EQ(file.problem.options().qk_l2norm, L2Norm::k);
  EXPECT_TRUE(file.problem.unknown_metadata().empty());
  ASSERT_TRUE(file.outputs);
  EXPECT_NE(file.outputs->find("chunk_states"), nullptr);
  EXPECT_EQ(check_accuracy(file.problem, RecordedKernel(file), {}).status, Status::passed);
  EXPECT_NE(file.note.find("relative error"), std::string::npos) << file.note;
  EXPECT_NE(file.note.find("then scale v 3 0 4"), std::string::npos) << file.note;
}

TEST_F(WorstCases, AFindingComesLastAndFailsAsAFileToo) {
  const DefectKernel kernel(find_defect("nocarry"), "chunk");
  const CaseFile file = written(with_options, "scale v 3 0 4", kernel);
  EXPECT_EQ(names_.back(), "failed-1");
  EXPECT_EQ(check_accuracy(file.problem, RecordedKernel(file), {}).status, Status::failed);
}

}  // namespace
}  // namespace deltaproof
