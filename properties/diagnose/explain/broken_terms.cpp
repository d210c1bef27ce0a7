#include "properties/diagnose/explain/broken_terms.hpp"

#include <cmath>

namespace deltaproof {

BrokenTerms broken_terms(const JudgedRun& run, const MeasuredPlace& place, bool with_terms) {
  const MeasuredBlock& block = *place.block;
  BrokenTerms broken;
  broken.where = place_of(block, place.i, place.j);
  broken.value = block.value(place.i, place.j);
  broken.expected = block.expected(place.i, place.j);
  broken.error = std::abs(broken.value - broken.expected);
  broken.allowed = block.allowed(place.i, place.j);
  if (with_terms && block.place.tensor != "scores") broken.terms = run.terms_at(broken.where);
  for (const BoundTerm& term : broken.terms) broken.exceeded += !(broken.error <= term.value);
  return broken;
}

}  // namespace deltaproof
