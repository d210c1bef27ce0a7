#include "tests/kernels/faults/fault_cache.hpp"

#include <cmath>
#include <functional>

#include "kernels/built_in/built_in_kernel.hpp"
#include "kernels/built_in/hola_decoder.hpp"
#include "kernels/built_in/hola_run.hpp"
#include "tests/kernels/hola_fixture.hpp"
#include "tests/kernels/hola_inputs.hpp"
#include "tests/kernels/hola_mirror.hpp"

namespace deltaproof {
namespace {

// Packed sequences with a tail, and value heads; sets of five of blocks of eight.
HolaShape packed_shape() {
  HolaShape shape;
  shape.lengths = {21, 0, 37}, shape.K = 24, shape.V = 40, shape.HV = 2, shape.initial_state = true;
  return shape;
}

// Counting ranks, over packed sequences and heads.
std::vector<std::int32_t> right_sets(const StageShape& s, std::int64_t w, std::int64_t C,
                                     const std::vector<float>& scores) {
  std::vector<std::int32_t> sets(static_cast<std::size_t>(s.blocks(C) * s.HV * w));
  std::int64_t first = 0, block = 0;
  for (const std::int64_t length : s.lengths) {
    for (std::int64_t head = 0; head < s.HV; ++head) {
      std::vector<float> own;
      for (std::int64_t t = 0; t < length; ++t) {
        own.push_back(scores[static_cast<std::size_t>((first + t) * s.HV + head)]);
      }
      const std::vector<std::int32_t> alone = counted_sets(own, w, C);
      for (std::int64_t i = 0; i < static_cast<std::int64_t>(alone.size()); ++i) {
        const std::int64_t row = block + i / w;
        sets[static_cast<std::size_t>((row * s.HV + head) * w + i % w)] = alone[static_cast<std::size_t>(i)];
      }
    }
    first += length, block += (length + C - 1) / C;
  }
  return sets;
}

StageShape stage_shape(const HolaShape& s) {
  StageShape made{s.B, s.T, s.H, s.HV, s.K, s.V, s.lengths};
  if (!s.lengths.empty()) made.T = 0;
  for (const std::int64_t length : s.lengths) made.T += length;
  return made;
}

bool sets_are_right(const Device& device) {
  StageShape shape;
  shape.HV = 2, shape.lengths = {21, 0, 37}, shape.T = 58;
  for (const std::int64_t w : {5, 60}) {
    const std::vector<float> scores = random_scores(shape.T * shape.HV, 4, 1);
    if (stage_select(device, {shape, w, 8, scores}) != right_sets(shape, w, 8, scores)) return false;
  }
  return true;
}

bool refuses_nan(const Device& device) {
  StageShape shape;
  shape.T = 20;
  SelectInput input{shape, 5, 8, random_scores(20, 4, 1)};
  input.scores[13] = std::nanf("");
  try {
    stage_select(device, input);
    return false;
  } catch (const KernelError& error) {
    return std::string(error.what()).find("the score of token 13 of sequence 0") != std::string::npos;
  }
}

bool scores_are_right(const Device& device) {
  for (const CallScore score : {CallScore::beta_e, CallScore::write_norm, CallScore::beta_v, CallScore::recency}) {
    ScoresInput input = random_scores_input(Dtype::bf16, score, 40, 24);
    input.normalise_k = true;
    if (stage_scores(device, input) != mirrored_scores(input)) return false;
  }
  return true;
}

ReadInput large_eps() {
  ReadInput input = random_read_input(Dtype::bf16, CallRead::rmsnorm, 40, 24);
  input.read_eps = 0.01f;
  return input;
}
bool read_is_right(const Device& device) {
  return stage_read(device, large_eps()).cache_o == mirrored_read(large_eps()).cache_o;
}
bool o_is_right(const Device& device) {
  return stage_read(device, large_eps()).o.bytes == mirrored_read(large_eps()).o.bytes;
}

bool layer_is_right(const Device& device) {
  HolaShape shape = packed_shape();
  shape.V = 8, shape.HV = 1, shape.lengths = {37};
  const Problem problem = hola_problem("hola", shape);
  const Outputs outputs = run_hola(device, problem);
  const std::vector<float> scores = floats(outputs.tensors.at("scores"));
  if (integers(outputs.tensors.at("selected")) != right_sets(stage_shape(shape), 5, 8, scores)) return false;
  // Of values in one channel a score is |b e| itself, which has more bits than bf16 once there is a
  // state.
  TensorMap one = problem.tensors();
  std::vector<double> v = one.at("v").values();
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = i % 8 == 0 ? v[i] : 0;
  one["v"] = Tensor::from(Dtype::bf16, one.at("v").shape, v);
  one["initial_state"] = filled_tensor(Dtype::f32, one.at("initial_state").shape, 0);
  const Tensor written = run_hola(device, problem.with_inputs(one)).tensors.at("scores");
  std::int64_t longer = 0;
  for (std::int64_t t = 16; t < written.size(); ++t) {
    longer += round_to_nearest_even(formats::bf16, written.value(t)) != written.value(t);
  }
  return longer > 10;
}

bool rows_are_right(const Device& device) {
  HolaShape shape;
  shape.B = 3, shape.T = 20, shape.pool = {3, -1, 0};
  const Tensor scores = run_hola(device, hola_problem("hola", shape)).tensors.at("scores");
  const std::size_t row = scores.bytes.size() / 3;
  for (std::size_t i = row; i < 2 * row; ++i) {
    if (scores.bytes[i] != std::byte{0xff}) return false;
  }
  return true;
}

Problem decoding() { return hola_problem("hola_decode", packed_shape()); }

bool decoding_is_right(const Device& device, const Outputs& outputs) {
  const Problem problem = decoding();
  const std::vector<float> scores = floats(outputs.tensors.at("scores"));
  ReadInput input;
  input.shape = stage_shape(packed_shape());
  input.w = 5, input.C = 8, input.selected = integers(outputs.tensors.at("selected"));
  if (input.selected != right_sets(input.shape, 5, 8, scores)) return false;
  input.logit_scale = static_cast<float>(1 / std::sqrt(24.0));
  input.q = *problem.find("q"), input.k = *problem.find("k"), input.v = *problem.find("v");
  input.o = BuiltInKernel(*find_built_in_kernel("recurrent"), std::shared_ptr<const Device>(&device, [](auto*) {}))
                .run(problem.state_part())
                .tensors.at("o");
  input.sink = *problem.find("sink"), input.gate = *problem.find("cache_gate");
  input.gamma_q = *problem.find("gamma_q"), input.gamma_k = *problem.find("gamma_k");
  return mirrored_read(input).o.bytes == outputs.tensors.at("o").bytes;
}

// 21 and 37 tokens: both end within a block.
bool fill_is_right(const Device& device, const HolaDecoder& decoder) {
  const Problem problem = decoding();
  FillInput input;
  input.shape = stage_shape(packed_shape());
  input.w = 5, input.C = 8, input.k = *problem.find("k"), input.v = *problem.find("v");
  input.scores = floats(decoder.outputs().tensors.at("scores"));
  input.selected = right_sets(input.shape, 5, 8, input.scores);
  const CacheContents filled = stage_fill(device, input);
  for (const std::int64_t row : {0, 1, 2}) {
    for (const std::int64_t head : {0, 1}) {
      if (entries_of(filled, row, head) != entries_of(decoder.cache(), row, head)) return false;
    }
  }
  return true;
}

}  // namespace

Caught run_cache_with_fault(const Device& first, const Device& other) {
  if (!sets_are_right(first)) return {"sets", "select"};
  if (!refuses_nan(first)) return {"refusal", "select"};
  if (!scores_are_right(first)) return {"scores", "scores"};
  if (!read_is_right(first)) return {"read", "cache_read"};
  if (!o_is_right(first)) return {"o", "cache_read"};
  if (!layer_is_right(first)) return {"layer", "hola"};
  if (!rows_are_right(first)) return {"rows", "hola"};
  const Problem problem = decoding();
  HolaDecoder decoder(first, problem);
  while (!decoder.done()) decoder.step();
  if (!decoding_is_right(first, decoder.outputs())) return {"decode", "hola_decode"};
  if (!fill_is_right(first, decoder)) return {"fill", "hola_fill"};
  if (!same_tensors(decoder.outputs(), run_hola_decode(other, problem), {"o", "selected"})) {
    return {"schedules", "hola_decode"};
  }
  return {"nothing", {}};
}

}  // namespace deltaproof
