// Wrong kernels `cache_read`, and what is said of them.
#include <cmath>

#include "properties/stages/stage_head.hpp"
#include "tests/properties/stages/stage_fixture.hpp"

namespace deltaproof {
namespace {

template <class Edit>
Outputs edited(const Device& device, const StageProblem& problem, const Edit& edit) {
  return run_edited<ReadInput>(device, problem, edit);
}

// Every value of a tensor of heads.
Tensor all_of(const Tensor& like, double value) {
  return Tensor::from(Dtype::f32, like.shape, std::vector<double>(static_cast<std::size_t>(like.size()), value));
}

Outputs without_sink(const Device& device, const StageProblem& problem) {
  return edited(device, problem, [](ReadInput& r) { r.sink = all_of(r.sink, -1e30); });
}

Outputs without_root_of_K(const Device& device, const StageProblem& problem) {
  return edited(device, problem, [](ReadInput& r) { r.logit_scale *= std::sqrt(static_cast<float>(r.shape.K)); });
}

Outputs with_large_eps(const Device& device, const StageProblem& problem) {
  return edited(device, problem, [](ReadInput& r) { r.read_eps = 1e-2f, r.l2norm_eps = 1e-2f; });
}

Outputs without_first_entry(const Device& device, const StageProblem& problem) {
  return edited(device, problem, [](ReadInput& r) {
    for (std::size_t i = 0; i < r.selected.size(); i += static_cast<std::size_t>(r.w)) r.selected[i] = -1;
  });
}

Outputs with_the_block(const Device& device, const StageProblem& problem) {
  return edited(device, problem, [](ReadInput& r) { r.read_block = true; });
}

template <class Edit>
Outputs with_tensor(const Device& device, const StageProblem& problem, const char* name, const Edit& edit) {
  Outputs outputs = run_stage(device, problem);
  Tensor& tensor = outputs.tensors[name];
  std::vector<double> values = tensor.values();
  for (std::size_t i = 0; i < values.size(); ++i) edit(static_cast<std::int64_t>(i), values[i]);
  tensor = Tensor::from(tensor.dtype, tensor.shape, values);
  return outputs;
}

// o = o of the state + gate x read.
Outputs gate_without_sigmoid(const Device& device, const StageProblem& problem) {
  const auto& input = std::get<ReadInput>(problem.input);
  const Tensor read = run_stage(device, problem).tensors["cache_o"];
  return with_tensor(device, problem, "o", [&](std::int64_t i, double& o) {
    o = input.o.value(i) + input.gate.value(i / input.shape.V % input.shape.HV) * read.value(i);
  });
}

template <int ten_thousandths>
Outputs scaled(const Device& device, const StageProblem& problem) {
  return with_tensor(device, problem, "cache_o", [](std::int64_t, double& o) { o *= 1 + ten_thousandths * 1e-4; });
}

Outputs zeros(const Device& device, const StageProblem& problem) {
  return with_tensor(device, problem, "cache_o", [](std::int64_t, double& o) { o = 0; });
}

StageProblem usual(const char* name, CallRead read) {
  for (std::uint64_t i = 0; i < 24; ++i) {
    StageProblem problem = read_case(0, i);
    if (problem.name.starts_with(name) && std::get<ReadInput>(problem.input).read == read) return problem;
  }
  throw std::logic_error("no such case");
}

TEST(StageRead, WrongReadsFail) {
  for (const CallRead read : {CallRead::rmsnorm, CallRead::l2}) {
    const StageProblem problem = usual("usual", read);
    EXPECT_TRUE(passes(verdict_of("accuracy", problem)));
    for (const StageRun wrong : {&without_sink, &without_root_of_K, &with_large_eps, &without_first_entry, &zeros,
                                 &gate_without_sigmoid, &scaled<1>, &scaled<-1>}) {
      EXPECT_TRUE(fails(verdict_of("accuracy", problem, wrong)));
    }
    EXPECT_TRUE(fails(verdict_of("accuracy", usual("cache alone", read), &with_the_block)));
    EXPECT_TRUE(fails(verdict_of("accuracy", usual("cache alone", read), &scaled<1>)));
    EXPECT_TRUE(fails(verdict_of("accuracy", usual("high sink", read), &without_sink)));
    EXPECT_TRUE(fails(verdict_of("accuracy", usual("high sink", read), &zeros)));
  }
}

TEST(StageRead, NothingVisibleIsZeroExactly) {
  const StageProblem problem = usual("nothing visible", CallRead::l2);
  const Verdict verdict = verdict_of("accuracy", problem);
  EXPECT_TRUE(passes(verdict));
  const Outputs outputs = run_stage(*stage_device(), problem);
  for (const double x : outputs.tensors.at("cache_o").values()) EXPECT_EQ(x, 0);
  const StageRun tiny = [](const Device& device, const StageProblem& p) {
    return with_tensor(device, p, "cache_o", [](std::int64_t i, double& o) { o = i == 0 ? 1e-40 : o; });
  };
  EXPECT_TRUE(fails(verdict_of("accuracy", problem, tiny)));
}

TEST(StageRead, AClosedGateThatIsOpenFails) {
  const StageRun open = [](const Device& device, const StageProblem& p) {
    return edited(device, p, [](ReadInput& r) { r.gate = all_of(r.gate, 0); });
  };
  const Verdict verdict = verdict_of("accuracy", usual("closed gate", CallRead::l2), open);
  EXPECT_TRUE(fails(verdict));
  EXPECT_EQ(verdict.first_bad.tensor, "o");
}

TEST(StageWeights, SumsAbove1AndBelowFail) {
  for (const char* name : {"usual", "far logits", "low sink", "cache alone"}) {
    const StageProblem problem = usual(name, CallRead::rmsnorm);
    EXPECT_TRUE(passes(verdict_of("stage_weights", problem)));
    EXPECT_TRUE(fails(verdict_of("stage_weights", problem, &scaled<1>), "with v = 1"));
    EXPECT_TRUE(fails(verdict_of("stage_weights", problem, &scaled<-1>), "with v = 1 and no sink"));
    EXPECT_TRUE(fails(verdict_of("stage_weights", problem, &zeros), "is 0, not 1"));
  }
  EXPECT_TRUE(fails(verdict_of("stage_weights", usual("cache alone", CallRead::l2), &with_the_block), "is "));
}

// The first place of a row is never read.
TEST(StageOrderOfEntries, APlaceThatIsNotReadFails) {
  const StageProblem problem = usual("usual", CallRead::rmsnorm);
  EXPECT_TRUE(passes(verdict_of("stage_order_of_entries", problem)));
  EXPECT_TRUE(fails(verdict_of("stage_order_of_entries", problem, &without_first_entry)));
  EXPECT_EQ(verdict_of("stage_order_of_entries", usual("no cache", CallRead::rmsnorm)).status, Status::skipped);
}

}  // namespace
}  // namespace deltaproof
