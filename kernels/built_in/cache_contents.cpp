#include "kernels/built_in/cache_contents.hpp"

#include <algorithm>
#include <cstring>

#include "kernels/built_in/filled_call.hpp"

namespace deltaproof {
namespace {

Tensor zeros(Dtype type, std::vector<std::int64_t> shape) {
  Tensor tensor{type, std::move(shape), {}};
  tensor.bytes.resize(bytes_of(tensor));
  return tensor;
}

template <class Number>
Number* in_place(DeviceRun& run, const std::string& name, const Tensor& tensor) {
  return static_cast<Number*>(run.in_place(label_of(name, tensor), tensor.bytes));
}

std::vector<std::byte> row_of(const Tensor& tensor, std::int64_t row) {
  const auto size = static_cast<std::ptrdiff_t>(dtype_size(tensor.dtype)) * tensor.shape.back();
  const auto first = tensor.bytes.begin() + row * size;
  return {first, first + size};
}

}  // namespace

CacheContents CacheContents::empty(std::int64_t rows, std::int64_t HV, std::int64_t w, std::int64_t C, Dtype input,
                                   std::int64_t K, std::int64_t V) {
  CacheContents made{rows, HV, w, C, {}, {}, {}, {}, {}, {}, {}};
  const std::vector<std::int64_t> places{rows, HV, w + C};
  made.k = zeros(input, {rows, HV, w + C, K});
  made.v = zeros(input, {rows, HV, w + C, V});
  made.scores = zeros(Dtype::f32, places);
  made.factors = zeros(Dtype::f32, places);
  made.tokens = zeros(Dtype::i32, places);
  made.slot_of = zeros(Dtype::i32, places);
  made.length = zeros(Dtype::i32, {rows, HV});
  for (std::int64_t i = 0; i < made.slot_of.size(); ++i) {
    const auto slot = static_cast<std::int32_t>(i % (w + C));
    std::memcpy(made.slot_of.bytes.data() + i * 4, &slot, sizeof slot);
  }
  return made;
}

CacheSlots CacheContents::put(DeviceRun& run) const {
  return {in_place<void>(run, "cache k", k),
          in_place<void>(run, "cache v", v),
          in_place<float>(run, "cache scores", scores),
          in_place<float>(run, "cache factors", factors),
          in_place<std::int32_t>(run, "cache tokens", tokens),
          in_place<std::int32_t>(run, "cache slot_of", slot_of),
          in_place<std::int32_t>(run, "cache length", length)};
}

void CacheContents::read(DeviceRun& run, const CacheSlots& slots) {
  k = read_back(run, slots.k, k);
  v = read_back(run, slots.v, v);
  scores = read_back(run, slots.scores, scores);
  factors = read_back(run, slots.factors, factors);
  tokens = read_back(run, slots.tokens, tokens);
  slot_of = read_back(run, slots.slot_of, slot_of);
  length = read_back(run, slots.length, length);
}

std::vector<CacheEntry> entries_of(const CacheContents& cache, std::int64_t row, std::int64_t head) {
  const std::int64_t at = row * cache.HV + head, first = at * (cache.w + cache.C), length = cache.length.integer(at);
  const std::int64_t inside = length % cache.C, count = std::min(cache.w, length - inside) + inside;
  std::vector<CacheEntry> entries;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t slot = first + cache.slot_of.integer(first + i);
    entries.push_back({cache.tokens.integer(slot), static_cast<float>(cache.scores.value(slot)),
                       static_cast<float>(cache.factors.value(slot)), row_of(cache.k, slot), row_of(cache.v, slot)});
  }
  return entries;
}

}  // namespace deltaproof
