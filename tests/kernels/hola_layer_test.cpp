// The layer `hola`: its state is kernel chunk's, its cache what the parts say one by one.
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/stepwise.hpp"
#include "tests/kernels/hola_fixture.hpp"
#include "tests/kernels/hola_mirror.hpp"

namespace deltaproof {
namespace {

const std::vector<std::string> every_output = {"o", "final_state", "chunk_states", "scores", "selected"};

Outputs run_on(const HostDeviceOptions& options, const std::string& kernel, const Problem& problem) {
  return on_host(kernel, options).run(problem);
}
Outputs run(const std::string& kernel, const Problem& problem) { return run_on({}, kernel, problem); }

HolaShape tails(Dtype type) {
  HolaShape shape;
  shape.T = 45, shape.K = 24, shape.V = 40, shape.H = 1, shape.HV = 2, shape.input = type, shape.initial_state = true;
  return shape;
}

Problem closed(const Problem& problem) {
  return with_tensors(problem, {{"cache_gate", filled_tensor(Dtype::f32, {problem.dims().HV}, -200)}});
}

TEST(HolaLayer, WithClosedGatesIsKernelChunkToTheBit) {
  for (const Dtype type : input_types) {
    for (const char* rule : {"gated_delta", "kla"}) {
      for (const char* layout : {"kv", "vk"}) {
        const Problem problem =
            closed(hola_problem("hola", tails(type), {{"state_rule", rule}, {"state_layout", layout}}));
        const SteppedRun state = run_stepwise(on_host("chunk"), problem.state_part());
        ASSERT_EQ(state.difference.unequal, 0);
        EXPECT_TRUE(same_tensors(state.outputs, run("hola", problem), {"o", "final_state", "chunk_states"}))
            << problem.name() << ' ' << rule << ' ' << layout;
      }
    }
  }
}

TEST(HolaLayer, WithOpenGatesIsNot) {
  const Problem problem = hola_problem("hola", tails(Dtype::bf16));
  const Outputs state = run("chunk", problem.state_part()), layer = run("hola", problem);
  EXPECT_FALSE(same_tensors(state, layer, {"o"}));
  EXPECT_TRUE(same_tensors(state, layer, {"final_state"}));
}

// What the parts make of the state's o and of the layer's own scores.
TEST(HolaLayer, IsItsPartsOneAfterTheOther) {
  for (const Dtype type : input_types) {
    for (const char* read : {"rmsnorm", "l2"}) {
      const Problem problem = hola_problem("hola", tails(type), {{"read", read}, {"tau", "1.7"}});
      const Outputs layer = run("hola", problem);
      const Dimensions& d = problem.dims();
      ReadInput input;
      input.shape = {d.B, d.T, d.H, d.HV, d.K, d.V};
      input.w = 5, input.C = 8,
      input.read = problem.options().hola.read == CacheRead::l2 ? CallRead::l2 : CallRead::rmsnorm;
      input.logit_scale = static_cast<float>(1.7 / std::sqrt(static_cast<double>(d.K)));
      input.q = *problem.find("q"), input.k = *problem.find("k"), input.v = *problem.find("v");
      input.o = run("chunk", problem.state_part()).tensors.at("o");
      input.sink = *problem.find("sink"), input.gate = *problem.find("cache_gate");
      if (const Tensor* gamma = problem.find("gamma_q"))
        input.gamma_q = *gamma, input.gamma_k = *problem.find("gamma_k");
      const Tensor &scores = layer.tensors.at("scores"), &selected = layer.tensors.at("selected");
      for (std::int64_t i = 0; i < selected.size(); ++i) {
        input.selected.push_back(static_cast<std::int32_t>(selected.integer(i)));
      }
      EXPECT_EQ(mirrored_read(input).o.bytes, layer.tensors.at("o").bytes) << problem.name() << ' ' << read;
      for (std::int64_t head = 0; head < d.HV; ++head) {
        std::vector<float> own;
        for (std::int64_t t = 0; t < d.T; ++t) own.push_back(static_cast<float>(scores.value(t * d.HV + head)));
        const std::vector<std::int32_t> sets = counted_sets(own, 5, 8);
        for (std::size_t i = 0; i < sets.size(); ++i) {
          const auto n = static_cast<std::int64_t>(i) / 5, place = static_cast<std::int64_t>(i) % 5;
          ASSERT_EQ(selected.integer((n * d.HV + head) * 5 + place), sets[i]);
        }
      }
    }
  }
}

// One-hot keys, gates 0 or 1 and small integers: e is a value less the last one written under its key, without any
// rounding, in the chunk form as token by token.
struct ExactWrites {
  Problem problem;
  std::vector<float> written, errors;  ///< |b e| and |e|
};

ExactWrites exact_writes(const std::string& kernel, Dtype type, const Metadata& more = {}) {
  const std::int64_t T = 40, K = 8, V = 8;
  HolaShape shape;
  shape.T = T, shape.K = K, shape.V = V, shape.HV = 1, shape.input = type;
  Generator g(3, {9});
  std::vector<double> k(static_cast<std::size_t>(T * K)), v, beta;
  std::vector<double> last(static_cast<std::size_t>(K * V));
  std::vector<float> written, errors;
  for (std::int64_t t = 0; t < T; ++t) {
    const auto key = static_cast<std::size_t>(g.integer(0, static_cast<int>(K) - 1));
    k[static_cast<std::size_t>(t * K) + key] = 1;
    beta.push_back(g.integer(0, 3) == 0 ? 0 : 1);
    float squares = 0;
    for (std::size_t c = 0; c < static_cast<std::size_t>(V); ++c) {
      v.push_back(g.integer(-9, 9));
      double& stored = last[key * static_cast<std::size_t>(V) + c];
      const double error = v.back() - stored;
      stored += beta.back() * error;
      squares += static_cast<float>(error * error);
    }
    errors.push_back(std::sqrt(squares));
    written.push_back(static_cast<float>(beta.back()) * errors.back());
  }
  Metadata metadata{{"qk_l2norm", "none"}};
  metadata.insert(more.begin(), more.end());
  const Problem drawn = hola_problem(kernel, shape, metadata);
  return {with_tensors(drawn, {{"k", Tensor::from(type, {1, T, 1, K}, k)},
                               {"v", Tensor::from(type, {1, T, 1, V}, v)},
                               {"beta", Tensor::from(Dtype::f32, {1, T, 1}, beta)},
                               {"g", filled_tensor(Dtype::f32, {1, T, 1}, 0)}}),
          written, errors};
}

// Ties there are too: whatever is not written scores 0.
void expect_scores(const std::string& kernel, const Problem& problem, const std::vector<float>& right) {
  const Outputs outputs = run(kernel, problem);
  const Tensor &scores = outputs.tensors.at("scores"), &selected = outputs.tensors.at("selected");
  for (std::int64_t t = 0; t < scores.size(); ++t) {
    ASSERT_EQ(scores.value(t), double{right[static_cast<std::size_t>(t)]}) << kernel << " token " << t;
  }
  const std::vector<std::int32_t> sets = counted_sets(right, 5, 8);
  for (std::size_t i = 0; i < sets.size(); ++i) ASSERT_EQ(selected.integer(static_cast<std::int64_t>(i)), sets[i]);
}

TEST(HolaLayer, ScoresAreOfTheErrorAgainstTheStateThatTheTokenMeets) {
  for (const Dtype type : input_types) {
    for (const char* kernel : {"hola", "hola_decode"}) {
      const ExactWrites exact = exact_writes(kernel, type);
      expect_scores(kernel, exact.problem, exact.written);
    }
    const ExactWrites exact = exact_writes("hola_decode", type, {{"score", "e"}});
    EXPECT_NE(exact.written, exact.errors);
    expect_scores("hola_decode", exact.problem, exact.errors);
  }
}

TEST(HolaLayer, SchedulesBuildsAndTheCheckedRunChangeNothing) {
  for (const Dtype type : input_types) {
    const Problem problem = hola_problem("hola", tails(type), {{"score", "write_norm"}});
    const Outputs expected = run("hola", problem);
    for (const ScheduleInfo& schedule : schedule_table()) {
      HostDeviceOptions options;
      options.schedule = schedule.schedule, options.seed = 6;
      EXPECT_TRUE(same_tensors(expected, run_on(options, "hola", problem), every_output)) << schedule.name;
    }
    for (const HostBuild build : {HostBuild::checked, HostBuild::clang}) {
      HostDeviceOptions options;
      options.build = build;
      const std::filesystem::path libraries = DELTAPROOF_KERNEL_LIBRARIES;
      if (build == HostBuild::clang && !std::filesystem::exists(libraries / "libdeltaproof_kernels_clang.so")) continue;
      EXPECT_TRUE(same_tensors(expected, run_on(options, "hola", problem), every_output));
    }
  }
}

}  // namespace
}  // namespace deltaproof
