// What the drawn cases of stages hold.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "tests/properties/stages/stage_fixture.hpp"

namespace deltaproof {
namespace {

template <class Input>
std::vector<Input> usual_inputs(std::string_view stage, std::uint64_t seed = 0) {
  const StageKernel& plan = *find_stage(stage);
  std::vector<Input> inputs;
  for (std::int64_t i = 0; i < plan.usual_cases; ++i) {
    inputs.push_back(std::get<Input>(plan.draw(seed, static_cast<std::uint64_t>(i)).input));
  }
  return inputs;
}

template <class Input, class Holds>
std::int64_t count(const std::vector<Input>& inputs, const Holds& holds) {
  return std::count_if(inputs.begin(), inputs.end(), holds);
}

TEST(StageCases, SameSeedAndNumberGiveTheSameCase) {
  for (const StageKernel& stage : stages()) {
    const auto device = stage_device();
    const Outputs one = run_stage(*device, stage.draw(5, 3)), two = run_stage(*device, stage.draw(5, 3));
    for (const auto& [name, tensor] : one.tensors) EXPECT_EQ(tensor.bytes, two.tensors.at(name).bytes);
    EXPECT_NE(stage.draw(5, 3).name, stage.draw(5, 4).name);
  }
}

TEST(StageCases, ScoresHoldEveryKindEveryTypeAndCoefficient) {
  const auto inputs = usual_inputs<ScoresInput>("scores");
  std::set<CallScore> kinds;
  std::set<std::pair<CallScore, Coefficient>> coefficients;
  std::set<std::pair<CallScore, Dtype>> types;
  for (const ScoresInput& each : inputs) {
    kinds.insert(each.score);
    coefficients.insert({each.score, each.coefficient});
    types.insert({each.score, each.k.dtype});
  }
  EXPECT_EQ(kinds.size(), 5u);
  EXPECT_EQ(coefficients.size(), 20u);
  EXPECT_EQ(types.size(), 15u);
  const auto holds = [](auto test) {
    return [test](const ScoresInput& s) { return std::any_of(s.u.begin(), s.u.end(), test); };
  };
  EXPECT_GT(count(inputs, holds([](float u) { return u == 0; })), 3) << "zeros";
  EXPECT_GT(count(inputs, holds([](float u) { return u != 0 && u * u == 0; })), 3) << "squares underflow";
  EXPECT_GT(count(inputs, holds([](float u) { return u * u > 1e34f && std::isfinite(u * u); })), 3) << "near overflow";
  EXPECT_GT(count(inputs, [](const ScoresInput& s) { return s.normalise_k; }), 3);
  EXPECT_GT(count(inputs, [](const ScoresInput& s) { return !s.shape.lengths.empty(); }), 3);
}

TEST(StageCases, SelectHoldsTheExtremes) {
  const auto inputs = usual_inputs<SelectInput>("select");
  const auto some = [&](auto test) { return count(inputs, test) > 0; };
  EXPECT_TRUE(some([](const SelectInput& s) { return s.w == 0; }));
  EXPECT_TRUE(some([](const SelectInput& s) { return s.w == 1; }));
  EXPECT_TRUE(some([](const SelectInput& s) { return s.w >= s.shape.T && s.w > 0; }));
  EXPECT_TRUE(some([](const SelectInput& s) { return s.w == 1024 && s.shape.T > 1024; }));
  EXPECT_TRUE(some([](const SelectInput& s) { return s.C == 1; }));
  EXPECT_TRUE(some([](const SelectInput& s) { return s.C == 1024 && s.w + s.C <= 2048 && s.shape.T > s.C; }));
  EXPECT_TRUE(
      some([](const SelectInput& s) { return std::count(s.shape.lengths.begin(), s.shape.lengths.end(), 0) > 0; }));
  EXPECT_TRUE(some([](const SelectInput& s) { return s.shape.HV >= 4; }));
  const auto scored = [&](auto test) {
    return some([&](const SelectInput& s) { return std::any_of(s.scores.begin(), s.scores.end(), test); });
  };
  EXPECT_TRUE(scored([](float x) { return std::isinf(x); }));
  EXPECT_TRUE(scored([](float x) { return x > 0 && x < std::numeric_limits<float>::min(); }));
  EXPECT_TRUE(scored([](float x) { return x == 0 && std::signbit(x); }));
  const auto& ties = inputs[1].scores;
  EXPECT_TRUE(std::all_of(ties.begin(), ties.end(), [&](float x) { return x == ties[0]; }));
  EXPECT_TRUE(std::is_sorted(inputs[3].scores.begin(), inputs[3].scores.begin() + 20 * inputs[3].shape.HV));
}

TEST(StageCases, ReadsHoldBothReadsEveryTypeAndTheExtremes) {
  const auto inputs = usual_inputs<ReadInput>("cache_read");
  std::set<std::pair<CallRead, Dtype>> types;
  for (const ReadInput& each : inputs) types.insert({each.read, each.q.dtype});
  EXPECT_EQ(types.size(), 6u);
  for (const CallRead read : {CallRead::rmsnorm, CallRead::l2}) {
    const auto some = [&](auto test) {
      return count(inputs, [&](const ReadInput& r) { return r.read == read && test(r); }) > 0;
    };
    EXPECT_TRUE(some([](const ReadInput& r) { return !r.read_block && r.w == 0; }));
    EXPECT_TRUE(some([](const ReadInput& r) { return !r.read_block && r.w > 0; }));
    EXPECT_TRUE(some([](const ReadInput& r) { return r.read_block && r.w == 0; }));
    EXPECT_TRUE(some([](const ReadInput& r) { return r.gate.value(0) == -200; }));
    EXPECT_TRUE(some([](const ReadInput& r) { return r.sink.value(0) > 10; }));
    EXPECT_TRUE(some([](const ReadInput& r) { return r.sink.value(0) < -100; }));
    EXPECT_TRUE(some([](const ReadInput& r) { return r.shape.H == 2 && r.shape.HV >= 4; }));
    EXPECT_TRUE(some([](const ReadInput& r) { return r.shape.lengths.size() == 3 && r.shape.lengths[1] == 0; }));
  }
  EXPECT_GT(count(inputs, [](const ReadInput& r) { return !r.gamma_q.shape.empty() && r.gamma_q.value(0) >= 2; }), 0);
}

}  // namespace
}  // namespace deltaproof
