#include "kernels/built_in/hola_decoder.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "kernels/built_in/filled_call.hpp"
#include "kernels/built_in/hola_run.hpp"
#include "kernels/stepwise.hpp"
#include "reference/problem/schema.hpp"

namespace deltaproof {
namespace {

CacheContents empty_cache(const Problem& problem) {
  const Dimensions& d = problem.dims();
  return CacheContents::empty(d.pool, d.HV, d.cache, problem.options().hola.cache_block, problem.find("q")->dtype, d.K,
                              d.V);
}

// Copies row `from` of the first axis of one tensor to the row `to` of another, both counted in
// rows of the first.
void copy_row(const Tensor& source, std::int64_t from, Tensor& target, std::int64_t to) {
  const std::size_t size = source.bytes.size() / static_cast<std::size_t>(std::max<std::int64_t>(source.shape[0], 1));
  if (size == 0) return;
  std::memcpy(target.bytes.data() + static_cast<std::size_t>(to) * size,
              source.bytes.data() + static_cast<std::size_t>(from) * size, size);
}

Tensor poisoned(Tensor kind) {
  kind.bytes.assign(bytes_of(kind), std::byte{0xff});
  return kind;
}

}  // namespace

HolaDecoder::HolaDecoder(const Device& device, const Problem& problem)
    : HolaDecoder(device, problem, 0, initial_states(problem), empty_cache(problem)) {}

HolaDecoder::HolaDecoder(const Device& device, const Problem& problem, std::int64_t begin, Tensor states,
                         CacheContents cache)
    : device_(device), problem_(problem), part_(problem.state_part()), t_(begin), cache_(std::move(cache)) {
  const Dimensions& d = problem.dims();
  const HolaOptions& options = problem.options().hola;
  TensorMap& made = outputs_.tensors;
  made["o"] = poisoned({problem.find("q")->dtype, {d.B, d.T, d.HV, d.V}, {}});
  made["scores"] = poisoned({Dtype::f32, {d.B, d.T, d.HV}, {}});
  made["selected"] = poisoned({Dtype::i32, {d.B, part_rows(problem, options.cache_block), d.HV, d.cache}, {}});
  made["chunk_states"] =
      poisoned({Dtype::f32,
                {d.B, part_rows(problem, problem.options().states_every), d.HV, states.shape[2], states.shape[3]},
                {}});
  made["final_state"] = std::move(states);
}

bool HolaDecoder::done() const {
  return std::all_of(problem_.sequences().begin(), problem_.sequences().end(),
                     [&](const Sequence& sequence) { return sequence.length <= t_; });
}

void HolaDecoder::step() {
  const HolaEntry& entry = hola_entry(device_, "hola_decode");
  TensorMap& made = outputs_.tensors;
  const Problem token = tokens_of(part_, t_, 1, made.at("final_state"), Values::unchecked);
  const std::unique_ptr<DeviceRun> run = device_.begin();
  const FilledCall filled(token, *run);
  HolaCall hola = hola_call(problem_, filled.call, *run);
  const Dimensions& d = token.dims();
  const Tensor scores{Dtype::f32, {d.B, d.T, d.HV}, {}}, selected{Dtype::i32, {d.N, d.HV, hola.w}, {}};
  hola.state.u = output_tensor<float>(*run, "u", {Dtype::f32, {d.B, d.T, d.HV, d.V}, {}});
  hola.state.u_is_error = hola.score == CallScore::e;
  hola.scores = output_tensor<float>(*run, "scores", scores);
  hola.selected = output_tensor<std::int32_t>(*run, "selected", selected);
  hola.refused = output_tensor<std::int32_t>(*run, "refused", {Dtype::i32, {d.N, d.HV}, {}});
  hola.cache = cache_.put(*run);
  run->call(entry, hola);
  cache_.read(*run, hola.cache);
  put_tokens(read_back(*run, hola.state.o, filled.o), problem_, t_, 1, made.at("o"));
  put_tokens(read_back(*run, hola.scores, scores), problem_, t_, 1, made.at("scores"));
  made.at("final_state") = read_back(*run, hola.state.final_state, filled.final_state);
  keep_rows(read_back(*run, hola.selected, selected));
  ++t_;
}

// What the token began or ended: the sets that its block sees, and the state behind it.
void HolaDecoder::keep_rows(const Tensor& selected) {
  TensorMap& made = outputs_.tensors;
  const std::int64_t C = problem_.options().hola.cache_block, every = problem_.options().states_every;
  for (const Sequence& s : problem_.sequences()) {
    if (s.state_row < 0 || t_ >= s.length) continue;
    Tensor &sets = made.at("selected"), &states = made.at("chunk_states");
    if (t_ % C == 0) copy_row(selected, s.index, sets, s.batch * sets.shape[1] + s.first_block + t_ / C);
    if ((t_ + 1) % every != 0 && t_ + 1 != s.length) continue;
    copy_row(made.at("final_state"), s.state_row, states, s.batch * states.shape[1] + s.first_state + t_ / every);
  }
}

Outputs run_hola_decode(const Device& device, const Problem& problem) {
  HolaDecoder decoder(device, problem);
  while (!decoder.done()) decoder.step();
  return decoder.outputs();
}

}  // namespace deltaproof
