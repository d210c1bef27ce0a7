#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "fuzz/number_reader.hpp"
#include "fuzz/targets/chunk.hpp"
#include "kernels/built_in/capabilities.hpp"
#include "reference/problem/input_error.hpp"
#include "reference/problem/options.hpp"
#include "reference/problem/schema.hpp"

namespace deltaproof::fuzz {
namespace {

struct Sizes {
  std::int64_t B = 1, T = 1, H = 1, HV = 1, K = 8, V = 8;
  std::vector<std::int64_t> lengths;  ///< packed; empty: B rows
  bool pool = false, initial_state = false;
  std::int64_t sequences() const { return lengths.empty() ? B : static_cast<std::int64_t>(lengths.size()); }
};

Sizes read_sizes(ByteReader& reader) {
  Sizes s;
  s.T = reader.from_to(1, 40);
  s.H = reader.from_to(1, 2);
  s.HV = s.H * reader.from_to(1, 2);
  s.K = 8 * reader.from_to(1, 3);
  s.V = 8 * reader.from_to(1, 2);
  const unsigned form = reader.byte();
  s.initial_state = (form & 1) != 0;
  s.pool = (form & 6) == 6;
  if ((form & 8) != 0) {
    const std::int64_t first = reader.from_to(0, s.T), second = reader.from_to(0, s.T - first);
    s.lengths = {first, second, s.T - first - second};
  } else {
    s.B = (form & 48) == 48 ? 2 : 1;
  }
  return s;
}

Metadata read_options(ByteReader& reader) {
  const BuiltInInfo& chunk = *find_built_in_kernel("chunk");
  Metadata options{{"format", "deltaproof.case/1"}};
  options["rule"] = rule_info(reader.pick(chunk.rules)).name;
  options["chunk_size"] = std::to_string(reader.pick(chunk.chunks));
  options["state_layout"] = reader.flag() ? "vk" : "kv";
  options["qk_l2norm"] = reader.pick(std::array{"none", "none", "q", "k", "kernel"});
  const unsigned given = reader.byte();
  const auto number = [&](unsigned bit, const char* key, double least, double most) {
    if ((given & bit) == 0) return;
    options[key] = fmt::format("{}", std::clamp(std::abs(read_number(reader, formats::f32)), least, most));
  };
  number(1, "scale", 0x1p-20, 0x1p20), number(2, "eps", 0x1p-30, 0x1p20), number(4, "qk_l2norm_eps", 0x1p-60, 0x1p60);
  if (options["rule"] == "kla" && (given & 8) != 0) {
    options["variant"] = reader.pick(std::array{"no_norm", "key_norm_only", "learned_scalar"});
    number(16, "c", 1, 0x1p20);
  }
  return options;
}

std::int64_t extent(Axis axis, const Sizes& s) {
  switch (axis) {
    case Axis::B: return s.B;
    case Axis::T: return s.T;
    case Axis::H: return s.H;
    case Axis::HV: return s.HV;
    case Axis::K: return s.K;
    case Axis::V: return s.V;
    case Axis::N: return s.sequences();
    case Axis::N_plus_1: return s.sequences() + 1;
    case Axis::pool: return s.sequences() + (s.pool ? 1 : 0);
    default: return 0;  // no axis of a rule that both kernels compute
  }
}

/// Within the domain in which no intermediate of a right kernel leaves fp32 (docs/regimes.md, `extremes`): |k|, |q| below
/// 1 for up to 24 channels, write gates at most 1, values and states below 2^60 (beside fp16: 2^10).
double in_domain(const std::string& tensor, double x, bool fp16) {
  if (tensor == "g") return std::max(-std::abs(x), -0x1p15);
  const double most = fp16 ? 0x1p10 : 0x1p60;
  if (tensor == "v" || tensor == "initial_state") return std::clamp(x, -most, most);
  const double unit = std::clamp(x, -1.0, 1.0);
  if (tensor == "q" || tensor == "k") return unit / 8;
  return std::abs(unit);
}

Tensor read_tensor(ByteReader& reader, const TensorSpec& spec, const Sizes& sizes, Dtype dtype, bool fp16) {
  std::vector<std::int64_t> shape;
  std::int64_t count = 1;
  for (const Axis axis : spec.axes) count *= shape.emplace_back(extent(axis, sizes));
  const Mix mix = read_mix(reader);
  std::vector<double> values;
  for (std::int64_t i = 0; i < count; ++i) {
    values.push_back(in_domain(spec.name, read_number(reader, dtype_format(dtype), mix), fp16));
  }
  return Tensor::from(dtype, shape, values);
}

Tensor integers(Dtype dtype, const std::vector<double>& values) {
  return Tensor::from(dtype, {static_cast<std::int64_t>(values.size())}, values);
}

void add_sequences(const Sizes& sizes, TensorMap& tensors) {
  if (!sizes.lengths.empty()) {
    std::vector<double> ends{0};
    for (const std::int64_t length : sizes.lengths) ends.push_back(ends.back() + static_cast<double>(length));
    tensors["cu_seqlens"] = integers(Dtype::i64, ends);
  }
  if (!sizes.pool) return;
  std::vector<double> rows;  // backwards, one unused, one padding
  for (std::int64_t n = sizes.sequences(); n > 0; --n) rows.push_back(n == 2 ? -1 : static_cast<double>(n));
  tensors["state_indices"] = integers(Dtype::i32, rows);
}

Problem make(ByteReader& reader) {
  reader.set_tail_seed(reader.raw<std::uint16_t>());
  constexpr std::array types{Dtype::bf16, Dtype::f16, Dtype::f32};
  const Dtype input = reader.pick(types), gates = reader.pick(types), writes = reader.pick(types);
  const Metadata metadata = read_options(reader);
  const Sizes sizes = read_sizes(reader);
  TensorMap tensors;
  for (const TensorSpec& spec : input_specs(parse_options("fuzz", metadata))) {
    if (spec.integer) continue;
    const bool is_state = spec.axes.front() == Axis::pool;
    if (is_state ? !sizes.initial_state && !sizes.pool : !spec.required && reader.flag()) continue;
    const bool is_row = spec.name == "q" || spec.name == "k" || spec.name == "v";
    const Dtype dtype = is_state ? Dtype::f32 : is_row ? input : spec.name == "g" ? gates : writes;
    tensors[spec.name] = read_tensor(reader, spec, sizes, dtype, input == Dtype::f16);
  }
  add_sequences(sizes, tensors);
  return Problem::make("fuzz", metadata, std::move(tensors));
}

}  // namespace

std::optional<Problem> read_problem(Bytes bytes) {
  ByteReader reader(bytes);
  try {
    Problem problem = make(reader);
    for (const char* kernel : {"chunk", "recurrent"}) {
      if (!refusal_of(*find_built_in_kernel(kernel), problem).empty()) return std::nullopt;
    }
    return problem;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace deltaproof::fuzz
