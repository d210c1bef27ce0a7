#pragma once

#include <optional>
#include <string>

#include "properties/laws/compare.hpp"
#include "properties/regimes/generator.hpp"

namespace deltaproof::laws {

/// By which powers of two a second run's outputs differ from those of the first.
struct OutputExponents {
  int o = 0, final_state = 0;
  int scores = 0;  ///< of hola, whose cache then keeps the same tokens
};

/// A power of two, not 0, by which the tensors (of these names, where the problem has them) can be multiplied without
/// a bit lost, and whose negative then `others` can. Nothing if a few tries find none.
std::optional<int> exact_exponent(const Problem& problem, const std::vector<std::string>& names,
                                  const std::vector<std::string>& others, Generator& draw);

/// The kernel's runs of `first` and `second`, whose right answers differ by powers of two and by nothing else.
///
/// In bits, where nothing is subnormal, overflows or is rounded to a type of few exponents on the way: every rounding
/// is then relative, and commutes with a power of two. Whether that is so depends on every intermediate value. It is
/// not estimated but looked up: the kernel's declared order of roundings is read to the bit on both problems, and if
/// its two answers are powers of two apart, so must be the kernel's. Where they are not, or no order is declared,
/// each run is only known to be within its bound of the right answer, and
///     |second - 2^n first| <= |second - right| + 2^n |first - right of first|
/// is at most the sum of the bounds, that of the first times 2^n. Not so of hola, whose two runs may keep other tokens:
/// it is `skipped` then.
void expect_scaled(const Trial& trial, const Problem& first, const Problem& second, const OutputExponents& by,
                   const std::string& what, Verdict& verdict);

}  // namespace deltaproof::laws
