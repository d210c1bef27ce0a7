// The kernels `hola_decode` and `hola_fill`: a cache that is carried from token to token.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kernels/built_in/hola_decoder.hpp"
#include "kernels/built_in/hola_run.hpp"
#include "kernels/stepwise.hpp"
#include "tests/kernels/hola_fixture.hpp"
#include "tests/kernels/hola_mirror.hpp"

namespace deltaproof {
namespace {

HolaShape small(Dtype type) {
  HolaShape shape;
  shape.T = 37, shape.K = 13, shape.V = 20, shape.HV = 2, shape.input = type, shape.initial_state = true;
  return shape;
}

Outputs decoded(const Problem& problem, HostDeviceOptions options = {}) {
  return run_hola_decode(*host_device(std::move(options)), problem);
}

TEST(HolaDecode, WithClosedGatesIsKernelRecurrentToTheBit) {
  for (const Dtype type : input_types) {
    for (const char* layout : {"kv", "vk"}) {
      Problem problem = hola_problem("hola_decode", small(type), {{"state_layout", layout}});
      problem = with_tensors(problem, {{"cache_gate", filled_tensor(Dtype::f32, {2}, -200)}});
      const SteppedRun state = run_stepwise(on_host("recurrent"), problem.state_part());
      ASSERT_EQ(state.difference.unequal, 0);
      EXPECT_TRUE(same_tensors(state.outputs, decoded(problem), {"o", "final_state", "chunk_states"})) << layout;
    }
  }
}

// The slots are read as the sets say, in their order.
TEST(HolaDecode, ReadsWhatItSelected) {
  const auto device = host_device();
  for (const Dtype type : input_types) {
    for (const char* score : {"beta_e", "e", "write_norm", "beta_v", "recency"}) {
      const Problem problem = hola_problem("hola_decode", small(type), {{"score", score}});
      const Outputs outputs = decoded(problem);
      const Dimensions& d = problem.dims();
      ReadInput input;
      input.shape = {d.B, d.T, d.H, d.HV, d.K, d.V};
      input.w = 5, input.C = 8, input.logit_scale = static_cast<float>(1 / std::sqrt(static_cast<double>(d.K)));
      input.q = *problem.find("q"), input.k = *problem.find("k"), input.v = *problem.find("v");
      input.o = on_host("recurrent").run(problem.state_part()).tensors.at("o");
      input.sink = *problem.find("sink"), input.gate = *problem.find("cache_gate");
      input.gamma_q = *problem.find("gamma_q"), input.gamma_k = *problem.find("gamma_k");
      input.selected = integers(outputs.tensors.at("selected"));
      EXPECT_EQ(mirrored_read(input).o.bytes, outputs.tensors.at("o").bytes) << score;
      const SelectInput scores{input.shape, 5, 8, floats(outputs.tensors.at("scores"))};
      EXPECT_EQ(stage_select(*device, scores), input.selected) << score;
    }
  }
}

TEST(HolaDecode, SelectsWhatThePrefillSelectsByRecency) {
  HolaShape shape;
  shape.T = 50, shape.K = 16, shape.V = 8;
  for (const char* w : {"0", "3", "8", "64"}) {
    const Metadata options{{"score", "recency"}, {"cache_size", w}};
    const Outputs prefill = on_host("hola").run(hola_problem("hola", shape, options));
    const Outputs decode = decoded(hola_problem("hola_decode", shape, options));
    EXPECT_EQ(prefill.tensors.at("selected").bytes, decode.tensors.at("selected").bytes) << w;
    EXPECT_EQ(prefill.tensors.at("scores").bytes, decode.tensors.at("scores").bytes) << w;
  }
}

// What decoding left behind P tokens, against the cache that is filled from the same scores.
TEST(HolaDecode, AFilledCacheIsTheOneThatDecodingLeaves) {
  const auto device = host_device();
  HolaShape shape;
  shape.K = 16, shape.V = 8, shape.HV = 2;
  for (const char* score : {"recency", "beta_v", "beta_e"}) {
    for (const std::int64_t P : {1, 5, 7, 8, 9, 16, 24, 31}) {
      shape.T = P;
      const Problem problem = hola_problem("hola_decode", shape, {{"score", score}});
      HolaDecoder decoder(*device, problem);
      while (!decoder.done()) decoder.step();
      const Outputs& outputs = decoder.outputs();
      FillInput input;
      input.shape = {1, P, 1, 2, 16, 8};
      input.w = 5, input.C = 8, input.k = *problem.find("k"), input.v = *problem.find("v");
      input.scores = floats(outputs.tensors.at("scores"));
      input.selected = stage_select(*device, {input.shape, 5, 8, input.scores});
      const CacheContents filled = stage_fill(*device, input);
      EXPECT_EQ(filled.length.bytes, decoder.cache().length.bytes);
      for (const std::int64_t head : {0, 1}) {
        const std::vector<CacheEntry> entries = entries_of(filled, 0, head);
        EXPECT_EQ(entries.size(), static_cast<std::size_t>(std::min<std::int64_t>(5, P / 8 * 8) + P % 8));
        EXPECT_EQ(entries, entries_of(decoder.cache(), 0, head)) << score << " P " << P;
      }
    }
  }
}

// A prefill of P tokens, then decoding: the sets, and by closed gates all, of decoding from the
// start.
TEST(HolaDecode, GoesOnFromAPrefill) {
  const auto device = host_device();
  HolaShape shape;
  shape.T = 40, shape.K = 16, shape.V = 8, shape.HV = 2;
  for (const std::int64_t P : {5, 8, 21, 32}) {
    const Problem problem = hola_problem("hola_decode", shape, {{"score", "beta_v"}});
    const Problem first = tokens_of(problem, 0, P, initial_states(problem));
    const Outputs prefill = run_hola(*device, first.with_arithmetic("deltaproof-chunk"));
    FillInput input;
    input.shape = {1, P, 1, 2, 16, 8};
    input.w = 5, input.C = 8, input.k = *first.find("k"), input.v = *first.find("v");
    input.scores = floats(prefill.tensors.at("scores"));
    input.selected = integers(prefill.tensors.at("selected"));
    HolaDecoder decoder(*device, problem, P, prefill.tensors.at("final_state"), stage_fill(*device, input));
    while (!decoder.done()) decoder.step();
    const Outputs whole = decoded(problem);
    const std::vector<std::int32_t> sets = integers(decoder.outputs().tensors.at("selected")),
                                    from_start = integers(whole.tensors.at("selected"));
    const auto since = static_cast<std::size_t>((P + 7) / 8 * 2 * 5);
    EXPECT_TRUE(std::equal(sets.begin() + static_cast<std::ptrdiff_t>(since), sets.end(),
                           from_start.begin() + static_cast<std::ptrdiff_t>(since)))
        << P;
  }
}

TEST(HolaDecode, SchedulesAndTheCheckedBuildChangeNothing) {
  for (const Dtype type : input_types) {
    HolaShape shape = small(type);
    shape.T = 0, shape.lengths = {18, 0, 3, 9};
    const Problem problem = hola_problem("hola_decode", shape, {{"cache_block", "4"}});
    const Outputs expected = decoded(problem);
    for (const ScheduleInfo& schedule : schedule_table()) {
      HostDeviceOptions options;
      options.schedule = schedule.schedule, options.seed = 8;
      EXPECT_TRUE(
          same_tensors(expected, decoded(problem, options), {"o", "final_state", "chunk_states", "scores", "selected"}))
          << schedule.name;
    }
    HostDeviceOptions checked;
    checked.build = HostBuild::checked;
    EXPECT_TRUE(
        same_tensors(expected, decoded(problem, checked), {"o", "final_state", "chunk_states", "scores", "selected"}));
  }
}

TEST(HolaDecode, ACacheOfTheWrongCallIsRefused) {
  const auto device = host_device();
  HolaCall hola{};
  hola.state.B = hola.state.N = hola.state.H = hola.state.HV = hola.state.K = hola.state.V = 1;
  hola.state.T = 2, hola.w = 1, hola.C = 1;
  char error[200] = "";
  EXPECT_EQ(hola_entry(*device, "hola_decode").run(hola, nullptr, error, sizeof error), 1);
  EXPECT_STREQ(error, "hola_decode: T is 2, must be one token of every sequence");
  hola.state.T = 1;
  EXPECT_EQ(hola_entry(*device, "hola_decode").run(hola, nullptr, error, sizeof error), 1);
  EXPECT_STREQ(error, "hola_decode: scores is null");
  EXPECT_EQ(hola_entry(*device, "hola_fill").run(hola, nullptr, error, sizeof error), 1);
  EXPECT_STREQ(error, "hola_fill: blocks is 0, T has 1");
  hola.C = 0;
  EXPECT_EQ(hola_entry(*device, "hola").run(hola, nullptr, error, sizeof error), 1);
  EXPECT_STREQ(error, "hola: C is 0, must be from 1 to 1024");
}

}  // namespace
}  // namespace deltaproof
