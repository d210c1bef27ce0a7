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

}  // namespace

BitCount cache_bits(const JudgeContext& context, const Declared& declared) try {
  BitCount bits;
  const Problem& problem = context.reads->problem();
  if (!is_own_order(declared, context.problem.options().rule) || !has_own_scores(problem.options().hola.score, context.arithmetic)) {
    return bits;
  }
  const BitDifference difference = compare_judged_bits(problem, context.outputs, emulated_hola(problem, declared, true));
  bits.compared = difference.compared;
  bits.unequal = difference.unequal;
  bits.first = difference.first;
  return bits;
} catch (const UnrankedScore&) {
  return {};  // the emulated kernel refuses it
}

}  // namespace deltaproof
