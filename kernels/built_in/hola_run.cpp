#include "kernels/built_in/hola_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/built_in/filled_call.hpp"
#include "reference/problem/schema.hpp"

namespace deltaproof {
namespace {

CallScore call_score(CacheScore score) {
  switch (score) {
    case CacheScore::beta_e: return CallScore::beta_e;
    case CacheScore::write_norm: return CallScore::write_norm;
    case CacheScore::e: return CallScore::e;
    case CacheScore::beta_v: return CallScore::beta_v;
    case CacheScore::recency: return CallScore::recency;
    case CacheScore::attention: break;
  }
  throw KernelError("score attention is no score of the kernels");
}

const void* of_heads(const Problem& problem, DeviceRun& run, const std::string& name, CallType& type) {
  if (const Tensor* tensor = problem.find(name)) type = call_type(tensor->dtype);
  return input_tensor(problem, run, name);
}

// Outer rows at which the sequences begin.
std::vector<std::int64_t> firsts(const Problem& problem, std::int64_t tokens, std::int64_t Sequence::*first) {
  const std::int64_t each = part_rows(problem, tokens);
  std::vector<std::int64_t> rows;
  for (const Sequence& sequence : problem.sequences()) rows.push_back(sequence.batch * each + sequence.*first);
  return rows;
}

// The outputs of one run.
struct HolaOutputs {
  Tensor chunk_states, scores, selected;

  explicit HolaOutputs(const Problem& problem) {
    const Dimensions& d = problem.dims();
    const bool vk = problem.options().state_layout == StateLayout::vk;
    chunk_states = {
        Dtype::f32,
        {d.B, part_rows(problem, problem.options().states_every), d.HV, vk ? d.V : d.K, vk ? d.K : d.V},
        {}};
    scores = {Dtype::f32, {d.B, d.T, d.HV}, {}};
    selected = {Dtype::i32, {d.B, part_rows(problem, problem.options().hola.cache_block), d.HV, d.cache}, {}};
  }
};

void add_workspace(const HolaEntry& entry, const Dimensions& d, HolaCall& hola, DeviceRun& run) {
  hola.state.u = output_tensor<float>(run, "u", {Dtype::f32, {d.B, d.T, d.HV, d.V}, {}});
  hola.refused = output_tensor<std::int32_t>(run, "refused", {Dtype::i32, {d.N, d.HV}, {}});
  hola.key_factors = output_tensor<float>(run, "key_factors", {Dtype::f32, {d.B, d.T, d.H}, {}});
  const std::size_t bytes = entry.workspace_bytes(hola);
  if (bytes > 0) hola.state.workspace = run.output({"workspace", "", 4, 256}, bytes);
}

}  // namespace

const HolaEntry& hola_entry(const Device& device, std::string_view name) {
  const std::span entries(device.library().hola, device.library().hola_count);
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const auto& each) { return each.name == name; });
  if (found == entries.end()) throw KernelError(fmt::format("the kernel library has no kernel '{}'", name));
  return *found;
}

HolaCall hola_call(const Problem& problem, const KernelCall& state, DeviceRun& run) {
  const HolaOptions& options = problem.options().hola;
  HolaCall hola{};
  hola.state = state;
  hola.w = static_cast<std::int32_t>(options.cache_size);
  hola.C = static_cast<std::int32_t>(options.cache_block);
  hola.score = call_score(options.score);
  hola.read = options.read == CacheRead::l2 ? CallRead::l2 : CallRead::rmsnorm;
  hola.read_block = true;
  hola.logit_scale = static_cast<float>(options.tau / std::sqrt(static_cast<double>(problem.dims().K)));
  hola.read_eps = static_cast<float>(options.read_eps);
  hola.gamma_q = of_heads(problem, run, "gamma_q", hola.gamma_q_type);
  hola.gamma_k = of_heads(problem, run, "gamma_k", hola.gamma_k_type);
  hola.sink = of_heads(problem, run, "sink", hola.sink_type);
  hola.gate = of_heads(problem, run, "cache_gate", hola.gate_type);
  return hola;
}

Outputs run_hola(const Device& device, const Problem& problem) {
  const HolaEntry& entry = hola_entry(device, "hola");
  const Problem part = problem.state_part();
  const std::unique_ptr<DeviceRun> run = device.begin();
  const FilledCall filled(part, *run);
  HolaCall hola = hola_call(problem, filled.call, *run);
  const HolaOutputs kinds(problem);
  const Options& options = problem.options();
  hola.state.chunk_states = output_tensor<float>(*run, "chunk_states", kinds.chunk_states);
  hola.state.states_every = options.states_every;
  hola.scores = output_tensor<float>(*run, "scores", kinds.scores);
  hola.selected = output_tensor<std::int32_t>(*run, "selected", kinds.selected);
  hola.blocks = kinds.selected.shape[1];
  if (hola.state.cu_seqlens != nullptr) {
    hola.state.first_states =
        input_array(*run, "first_states", firsts(problem, options.states_every, &Sequence::first_state));
    hola.first_blocks =
        input_array(*run, "first_blocks", firsts(problem, options.hola.cache_block, &Sequence::first_block));
  }
  add_workspace(entry, problem.dims(), hola, *run);
  run->call(entry, hola);
  Outputs outputs;
  outputs.tensors["o"] = read_back(*run, hola.state.o, filled.o);
  outputs.tensors["final_state"] = read_back(*run, hola.state.final_state, filled.final_state);
  outputs.tensors["chunk_states"] = read_back(*run, hola.state.chunk_states, kinds.chunk_states);
  outputs.tensors["scores"] = read_back(*run, hola.scores, kinds.scores);
  outputs.tensors["selected"] = read_back(*run, hola.selected, kinds.selected);
  return outputs;
}

}  // namespace deltaproof
