#include "properties/accuracy/cache_bits.hpp"

#include "kernels/bits.hpp"
#include "properties/accuracy/emulated_hola.hpp"
#include "properties/accuracy/read_parts.hpp"

namespace deltaproof {
namespace {

// Whether the order is that of the built-in kernels with a cache, on whatever tensor core.
bool is_own_order(const Declared& declared, Rule rule) {
  for (const char* name : {"deltaproof-chunk", "deltaproof-recurrent"}) {
    std::optional<Declared> own = built_in(name, rule);
    if (own) own->mma = declared.mma;
    if (own == declared) return true;
  }
  return false;
}

// Whether the built-in kernels form the scores at all: `chunk` has no e where b is 0.
bool has_own_scores(CacheScore score, std::string_view arithmetic) {
  return score != CacheScore::attention && !(score == CacheScore::e && arithmetic == "deltaproof-chunk");
}

// Tokens are numbers of double.
std::vector<double> values_of(const Tensor& tensor) {
  if (is_floating(tensor.dtype)) return tensor.values();
  std::vector<double> values;
  for (std::int64_t i = 0; i < tensor.size(); ++i) values.push_back(static_cast<double>(tensor.integer(i)));
  return values;
}

// The emulation in the types that the run is recorded in.
Outputs in_types_of(const Outputs& run, Outputs emulated) {
  for (auto& [name, tensor] : emulated.tensors) {
    const Tensor* own = run.find(name);
    if (own != nullptr && own->dtype != tensor.dtype) tensor = Tensor::from(own->dtype, tensor.shape, values_of(tensor));
  }
  return emulated;
}

// The built-in kernels store o in the inputs' type.
bool stores_o_as_given(const Problem& problem, const Outputs& run) {
  const Tensor* o = run.find("o");
  return o == nullptr || o->dtype == problem.find("q")->dtype;
}

}  // namespace

BitCount cache_bits(const JudgeContext& context, const Declared& declared) try {
  BitCount bits;
  const Problem& problem = context.reads->problem();
  if (!is_own_order(declared, context.problem.options().rule) || !has_own_scores(problem.options().hola.score, context.arithmetic) ||
      !stores_o_as_given(problem, context.outputs)) {
    return bits;
  }
  const Outputs emulated = in_types_of(context.outputs, emulated_hola(problem, declared, true));
  const BitDifference difference = compare_judged_bits(problem, context.outputs, emulated);
  bits.compared = difference.compared;
  bits.unequal = difference.unequal;
  bits.first = difference.first;
  return bits;
} catch (const UnrankedScore&) {
  return {};  // the emulated kernel refuses it
}

}  // namespace deltaproof
