#pragma once

#include "properties/defects/fault.hpp"

namespace deltaproof {

/// The reading to the bit with a fault in it: where the fault has an edit, it is made to what a text multiplies or
/// rounds. `step` remembers each product and each rounded value.
class FaultyBits : public Bits {
 public:
  FaultyBits(const Bits& bits, const Fault& fault, ChunkStep& step) : Bits(bits), fault_(fault), step_(step) {}

  Block log2e() const { return fault_.log2e ? constant(*fault_.log2e) : Bits::log2e(); }
  Block mma(const Block& c, const Block& a, const Block& b, Product product) const;
  Block round(const Block& a, Point point) const;
  Block lower(const Block& a) const;
  Block strictly_lower(const Block& a) const;
  Block inverse(const Block& L) const;
  /// Only what is merged into an inverse is negated.
  Block negate(const Block& a) const;

 private:
  const Fault& fault_;
  ChunkStep& step_;
};

/// What the declared text makes of `step.in` with the fault; `step` keeps what was made on the way.
TextOutput<Bits> read_chunk(const Fault& fault, ChunkStep& step);

}  // namespace deltaproof
