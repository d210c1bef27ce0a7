#include "kernels/built_in/cache_stages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "kernels/built_in/filled_call.hpp"
#include "kernels/built_in/hola_run.hpp"

namespace deltaproof {
namespace {

using Shape = std::vector<std::int64_t>;

std::int64_t block_count(std::int64_t tokens, std::int64_t C) { return (tokens + C - 1) / C; }

// First token and first block of each sequence, and the ends.
struct Starts {
  std::vector<std::int64_t> tokens{0}, blocks{0};
  Starts(const StageShape& shape, std::int64_t C) {
    const std::vector<std::int64_t> rows(static_cast<std::size_t>(shape.B), shape.T);
    for (const std::int64_t length : shape.lengths.empty() ? rows : shape.lengths) {
      tokens.push_back(tokens.back() + length);
      blocks.push_back(blocks.back() + block_count(length, C));
    }
  }
};

template <class Number>
std::vector<Number> numbers(DeviceRun& run, const void* buffer, std::int64_t count) {
  std::vector<Number> values(static_cast<std::size_t>(count));
  const std::vector<std::byte> bytes = run.read(buffer, values.size() * sizeof(Number));
  if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

template <class Number>
Number* output(DeviceRun& run, const std::string& name, Dtype type, const Shape& shape) {
  return output_tensor<Number>(run, name, {type, shape, {}});
}

template <class Number>
const Number* array(DeviceRun& run, const char* name, const std::vector<Number>& values, const Shape& shape) {
  const auto size = static_cast<std::size_t>(Tensor{Dtype::f32, shape, {}}.size());
  if (values.size() != size) {
    throw KernelError(fmt::format("{} has {} values, {} has {}", name, values.size(), shape_string(shape), size));
  }
  const BufferLabel text{name, shape_string(shape), sizeof(Number), 16};
  return static_cast<const Number*>(run.input(text, std::as_bytes(std::span(values))));
}

const void* input(DeviceRun& run, const char* name, const Tensor& tensor, const Shape& shape) {
  if (tensor.shape.empty()) return nullptr;
  if (tensor.shape != shape) {
    throw KernelError(fmt::format("{} is {}, wanted {}", name, shape_string(tensor.shape), shape_string(shape)));
  }
  return run.input(label_of(name, tensor), tensor.bytes);
}

// Sizes and sequences.
HolaCall sized_call(const StageShape& s, std::int64_t w, std::int64_t C, DeviceRun& run) {
  HolaCall hola{};
  KernelCall& call = hola.state;
  call.B = s.B, call.T = s.T, call.H = s.H, call.HV = s.HV, call.K = s.K, call.V = s.V, call.N = s.sequences();
  hola.w = static_cast<std::int32_t>(w), hola.C = static_cast<std::int32_t>(C);
  hola.blocks = s.blocks(C);
  hola.read_block = true;
  if (s.lengths.empty()) return hola;
  Starts starts(s, C);
  call.cu_seqlens = input_array(run, "cu_seqlens", starts.tokens);
  starts.blocks.pop_back();
  hola.first_blocks = input_array(run, "first_blocks", starts.blocks);
  return hola;
}

// Sets are followed without a look: what they name must be there.
void require_earlier(const ReadInput& r) {
  const Starts starts(r.shape, r.C);
  const std::int64_t row = r.shape.HV * r.w;
  for (std::size_t n = 0; n + 1 < starts.blocks.size(); ++n) {
    for (std::int64_t block = starts.blocks[n]; block < starts.blocks[n + 1]; ++block) {
      for (std::int64_t i = block * row; i < (block + 1) * row; ++i) {
        const std::int32_t token = r.selected.at(static_cast<std::size_t>(i));
        if (token < (block - starts.blocks[n]) * r.C) continue;
        throw KernelError(
            fmt::format("selected names token {} to block {} of sequence {}, before which it does not lie", token,
                        block - starts.blocks[n], n));
      }
    }
  }
}

}  // namespace

std::int64_t StageShape::blocks(std::int64_t C) const {
  if (lengths.empty()) return block_count(T, C);
  std::int64_t count = 0;
  for (const std::int64_t length : lengths) count += block_count(length, C);
  return count;
}

std::vector<float> stage_scores(const Device& device, const ScoresInput& s) {
  const StageShape& d = s.shape;
  const std::unique_ptr<DeviceRun> run = device.begin();
  HolaCall hola = sized_call(d, 0, 1, *run);
  KernelCall& call = hola.state;
  hola.score = s.score;
  call.input = call_type(s.k.shape.empty() ? s.v.dtype : s.k.dtype);
  call.write_type = call_type(s.write.dtype);
  call.coefficient = s.coefficient, call.normalise_k = s.normalise_k;
  call.eps = s.eps, call.l2norm_eps = s.l2norm_eps, call.c = s.c;
  // The kernel only reads it.
  if (!s.u.empty()) call.u = const_cast<float*>(array(*run, "u", s.u, {d.B, d.T, d.HV, d.V}));
  call.k = input(*run, "k", s.k, {d.B, d.T, d.H, d.K});
  call.v = input(*run, "v", s.v, {d.B, d.T, d.HV, d.V});
  call.write = input(*run, "write", s.write, {d.B, d.T, d.HV});
  hola.scores = output<float>(*run, "scores", Dtype::f32, {d.B, d.T, d.HV});
  run->call(hola_entry(device, "scores"), hola);
  return numbers<float>(*run, hola.scores, d.B * d.T * d.HV);
}

std::vector<std::int32_t> stage_select(const Device& device, const SelectInput& s) {
  const StageShape& d = s.shape;
  const std::unique_ptr<DeviceRun> run = device.begin();
  HolaCall hola = sized_call(d, s.w, s.C, *run);
  hola.scores = const_cast<float*>(array(*run, "scores", s.scores, {d.B, d.T, d.HV}));
  hola.selected = output<std::int32_t>(*run, "selected", Dtype::i32, {d.B, hola.blocks, d.HV, s.w});
  hola.refused = output<std::int32_t>(*run, "refused", Dtype::i32, {d.sequences(), d.HV});
  run->call(hola_entry(device, "select"), hola);
  return numbers<std::int32_t>(*run, hola.selected, d.B * hola.blocks * d.HV * s.w);
}

ReadOutput stage_read(const Device& device, const ReadInput& r) {
  const StageShape& d = r.shape;
  const std::unique_ptr<DeviceRun> run = device.begin();
  HolaCall hola = sized_call(d, r.w, r.C, *run);
  hola.selected = const_cast<std::int32_t*>(array(*run, "selected", r.selected, {d.B, hola.blocks, d.HV, r.w}));
  require_earlier(r);
  KernelCall& call = hola.state;
  call.input = call_type(r.q.dtype);
  call.l2norm_eps = r.l2norm_eps;
  hola.read = r.read, hola.read_block = r.read_block;
  hola.logit_scale = r.logit_scale, hola.read_eps = r.read_eps;
  hola.gamma_q_type = call_type(r.gamma_q.dtype), hola.gamma_k_type = call_type(r.gamma_k.dtype);
  hola.sink_type = call_type(r.sink.dtype), hola.gate_type = call_type(r.gate.dtype);
  call.q = input(*run, "q", r.q, {d.B, d.T, d.H, d.K});
  call.k = input(*run, "k", r.k, {d.B, d.T, d.H, d.K});
  call.v = input(*run, "v", r.v, {d.B, d.T, d.HV, d.V});
  hola.gamma_q = input(*run, "gamma_q", r.gamma_q, {d.HV, d.K});
  hola.gamma_k = input(*run, "gamma_k", r.gamma_k, {d.HV, d.K});
  hola.sink = input(*run, "sink", r.sink, {d.HV});
  hola.gate = input(*run, "gate", r.gate, {d.HV});
  call.o = run->in_place(label_of("o", r.o), r.o.bytes);
  hola.key_factors = output<float>(*run, "key_factors", Dtype::f32, {d.B, d.T, d.H});
  hola.cache_o = output<float>(*run, "cache_o", Dtype::f32, {d.B, d.T, d.HV, d.V});
  run->call(hola_entry(device, "cache_read"), hola);
  return {read_back(*run, call.o, {r.o.dtype, r.o.shape, {}}),
          numbers<float>(*run, hola.cache_o, d.B * d.T * d.HV * d.V),
          numbers<float>(*run, hola.key_factors, d.B * d.T * d.H)};
}

CacheContents stage_fill(const Device& device, const FillInput& f) {
  const StageShape& d = f.shape;
  const std::unique_ptr<DeviceRun> run = device.begin();
  HolaCall hola = sized_call(d, f.w, f.C, *run);
  hola.state.input = call_type(f.k.dtype);
  hola.state.l2norm_eps = f.l2norm_eps;
  hola.read = f.read, hola.read_eps = f.read_eps;
  hola.state.k = input(*run, "k", f.k, {d.B, d.T, d.H, d.K});
  hola.state.v = input(*run, "v", f.v, {d.B, d.T, d.HV, d.V});
  hola.scores = const_cast<float*>(array(*run, "scores", f.scores, {d.B, d.T, d.HV}));
  hola.selected = const_cast<std::int32_t*>(array(*run, "selected", f.selected, {d.B, hola.blocks, d.HV, f.w}));
  CacheContents cache = CacheContents::empty(d.sequences(), d.HV, f.w, f.C, f.k.dtype, d.K, d.V);
  hola.cache = cache.put(*run);
  run->call(hola_entry(device, "hola_fill"), hola);
  cache.read(*run, hola.cache);
  return cache;
}

}  // namespace deltaproof
