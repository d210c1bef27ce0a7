#include "reference/bounds/read_bound.hpp"

#include <algorithm>

namespace deltaproof {
namespace {

DotError on_tensor_cores(const TensorCoreModel& model, const Format& input, Index n) {
  const Operand operand = input == formats::bf16 ? Operand::bf16 : input == formats::f16 ? Operand::f16 : Operand::tf32;
  return {accumulation_error(model, operand, n), accumulation_floor(model, operand, n, 1)};
}

}  // namespace

ReadFormats read_formats(std::string_view name, const HeadInputs& hola_head, const Format& input,
                         const Format& output, const TensorCoreModel& tensor_core) {
  ReadFormats f;
  if (name == "fp64") {
    f.u = f.division_error = 0x1p-53;
    f.exp_error = 0x1p-52;
    f.smallest = 0x1p-1022;
    f.largest = 0x1p1000;
    return f;
  }
  const bool narrow_output = output.significant_bits < formats::f32.significant_bits;
  if (narrow_output) f.state = nearest(output);
  if (name.starts_with("deltaproof-")) {
    f.built_in_order = true;
    return f;
  }
  const bool narrow = input.significant_bits < formats::f32.significant_bits;
  f.rows = f.weight = narrow ? nearest(input) : truncated(formats::tf32);
  if (narrow) f.logit = f.read = nearest(input);
  if (!narrow) f.value = truncated(formats::tf32);
  f.division_error = f.shift_error = 4 * u32;  // div.full and rcp.approx; x log2 e and its maximum, each rounded
  const HolaOptions& cache = hola_head.options.hola;
  f.over_K = on_tensor_cores(tensor_core, input, hola_head.K);
  f.over_entries = on_tensor_cores(tensor_core, input, std::min(cache.cache_size + cache.cache_block, hola_head.tokens));
  return f;
}

}  // namespace deltaproof
