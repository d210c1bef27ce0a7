// Explanations of a report's failures: as many as there is room and time for; what is left out says so.
#include "cli/explanations.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

#include "properties/in_parallel.hpp"
#include "reference/problem/case_file.hpp"

namespace deltaproof::cli {
namespace {

using std::chrono::duration;

CheckArguments with_report() {
  CheckArguments arguments;
  arguments.report = "report";
  return arguments;
}

Verdict failed() {
  Verdict verdict;
  verdict.property = "accuracy";
  verdict.status = Status::failed;
  return verdict;
}

// Of a recording whose first value has another sign.
struct Failure {
  CaseFile file = read_case(DELTAPROOF_SOURCE_DIR "/golden/recorded/gdn_chunk_bf16_strong_decay.safetensors");
  Outputs outputs = *file.outputs;

  Failure() {
    std::vector<double> values;
    const Tensor& o = outputs.tensors.at("o");
    for (std::int64_t i = 0; i < o.size(); ++i) values.push_back(i == 12 ? -o.value(i) - 1 : o.value(i));
    outputs.tensors.at("o") = Tensor::from(o.dtype, o.shape, values);
  }
  Verdict explained_by(Explanations& explanations) const {
    Verdict verdict = failed();
    explanations.explain(file.problem, [this] { return outputs; }, std::nullopt, "COMMAND", verdict);
    return verdict;
  }
};

TEST(Explanations, ConcernWrongValuesInAReport) {
  const Explanations none{CheckArguments()}, some(with_report());
  Verdict verdict = failed();
  EXPECT_FALSE(none.concerns(verdict));
  EXPECT_TRUE(some.concerns(verdict));
  for (const Status status : {Status::passed, Status::suspect, Status::uninformative, Status::skipped, Status::error}) {
    verdict.status = status;
    EXPECT_FALSE(some.concerns(verdict)) << status_name(status);
  }
  verdict.status = Status::nonconforming;
  EXPECT_TRUE(some.concerns(verdict));
  verdict.property = "schedules";
  EXPECT_FALSE(some.concerns(verdict));
}

TEST(Explanations, AreLinesAndOnlySoMany) {
  const Failure failure;
  Explanations explanations(with_report(), {1, std::chrono::hours(1)});
  const Verdict first = failure.explained_by(explanations), second = failure.explained_by(explanations);
  ASSERT_FALSE(first.explained.empty());
  EXPECT_TRUE(first.notes.empty());
  EXPECT_EQ(first.status, Status::failed);
  for (const std::string& line : first.explained) EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_TRUE(second.explained.empty());
  EXPECT_EQ(second.notes, std::vector<std::string>{
      "not explained: 1 before it are, a report has no more; to have it, run COMMAND"});
}

TEST(Explanations, EndWithTheirTime) {
  const Failure failure;
  Explanations explanations(with_report(), {4, duration<double>(1e-9)});
  const Verdict first = failure.explained_by(explanations), second = failure.explained_by(explanations);
  EXPECT_TRUE(first.explained.empty());
  EXPECT_EQ(first.notes, std::vector<std::string>{
      "not explained: it took longer than was left of the 1e-09 s for the explanations of a report; to have it, run "
      "COMMAND"});
  EXPECT_EQ(second.notes, std::vector<std::string>{
      "not explained: the 1e-09 s for the explanations of a report are over; to have it, run COMMAND"});
}

TEST(Explanations, WhatBreaksOffIsANote) {
  const Failure failure;
  Explanations explanations(with_report());
  Verdict verdict = failed();
  explanations.explain(failure.file.problem, []() -> Outputs { throw KernelError("no such device"); }, std::nullopt,
                       "COMMAND", verdict);
  EXPECT_EQ(verdict.notes, std::vector<std::string>{
      "not explained: it broke off (no such device); to have it, run COMMAND"});
  EXPECT_EQ(verdict.status, Status::failed);
}

// That is how their time ends them.
TEST(InParallel, WhatProgressThrowsEndsTheRest) {
  std::atomic<int> calls = 0;
  const auto work = [&](std::size_t) { ++calls; };
  const auto stop = [](double) { throw std::runtime_error("enough"); };
  EXPECT_THROW(in_parallel(1000, 4, work, stop), std::runtime_error);
  EXPECT_LT(calls, 1000);
}

}  // namespace
}  // namespace deltaproof::cli
