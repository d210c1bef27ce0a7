#include "properties/defects/faulty_bits.hpp"

#include <utility>

#include "reference/arithmetic/run_text.hpp"
#include "reference/arithmetic/texts.hpp"

namespace deltaproof {

MatrixF FaultyBits::mma(const Block& c, const Block& a, const Block& b, Product product) const {
  Block left = a, right = b;
  if (fault_.factors) fault_.factors(product, left, right);
  Block result = Bits::mma(c, left, right, product);
  if (fault_.product) fault_.product(step_, product, result);
  step_.products[static_cast<std::size_t>(product)] = result;
  return result;
}

MatrixF FaultyBits::round(const Block& a, Point point) const {
  Block value = a;
  if (fault_.before_rounding) fault_.before_rounding(step_, point, value);
  value = Bits::round(value, point);
  if (fault_.after_rounding) fault_.after_rounding(step_, point, value);
  step_.stored[static_cast<std::size_t>(point)] = value;
  return value;
}

MatrixF FaultyBits::lower(const Block& a) const {
  Block masked = Bits::lower(a);
  if (fault_.lower) fault_.lower(a, masked);
  return masked;
}

MatrixF FaultyBits::strictly_lower(const Block& a) const {
  Block masked = Bits::strictly_lower(a);
  if (fault_.strictly_lower) fault_.strictly_lower(a, masked);
  return masked;
}

MatrixF FaultyBits::inverse(const Block& L) const {
  Block inverse = Bits::inverse(L);
  if (fault_.block_inverse) fault_.block_inverse(L, inverse);
  return inverse;
}

MatrixF FaultyBits::negate(const Block& a) const {
  Block negated = Bits::negate(a);
  if (fault_.off_diagonal) fault_.off_diagonal(negated);
  return negated;
}

TextOutput<Bits> read_chunk(const Fault& fault, ChunkStep& step) {
  if (fault.chunk_inputs) fault.chunk_inputs(step.in);
  const TextInput<Bits>& x = step.in;
  const bool recurrent = find_text(step.bits.declared().text)->products.empty();
  if (fault.recurrence && recurrent) return fault.recurrence(step.bits, x);
  const TextInput<FaultyBits> in{x.q, x.k, x.v, x.g, x.beta, x.state, x.scale, x.state_was_given, x.residual};
  TextOutput<FaultyBits> out = run_text(FaultyBits(step.bits, fault, step), in);
  if (fault.next_state) fault.next_state(step, out.state);
  return {std::move(out.o), std::move(out.state), std::move(out.written), std::move(out.residual)};
}

}  // namespace deltaproof
