#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "properties/laws/bounded.hpp"
#include "properties/laws/property.hpp"
#include "properties/regimes/generator.hpp"
#include "reference/rules/scalar.hpp"
#include "reference/rules/step_forms.hpp"

namespace deltaproof::laws {

/// Bits in which the laws of one step compute: sums and products of fp32 numbers lose nothing that a bound could see.
inline constexpr int step_bits = 256;

/// One write of one head by the kernel, from the kernel's own state: all but `after` and `bound` is exact for that
/// state (at `step_bits`). With d = after - S_t, |d| <= bound elementwise, whatever is linear in S_t is known as
/// well.
struct Write {
  Location where;  ///< sequence, token and head; tensor "final_state"
  Index K = 0, V = 0;
  const HeadInputs* head = nullptr;  ///< of the one token
  WriteStep<Mpfr> step;              ///< S~ = D S_{t-1}, k, v
  std::vector<Mpfr> e;               ///< v - S~^T k (v for rules without residual)
  Mpfr b, key_square;                ///< b; |k|^2
  std::vector<Mpfr> after;           ///< the kernel's S_t, K x V
  std::vector<double> bound;         ///< K x V

  /// x^T S_t of the kernel per column, less x^T `from`: V values. And how far d may take it: sum_i |x_i| bound_ic.
  std::vector<Mpfr> read(const std::vector<Mpfr>& x, const std::vector<Mpfr>& from) const;
  std::vector<double> read_bound(const std::vector<Mpfr>& x) const;
  /// The exact S_t = S~ + b k e^T.
  std::vector<Mpfr> exact() const;
  /// The place of column c of what is read, or of element (i, c) of the state.
  Location at(const char* tensor, Index c, Index i = -1) const;
};

/// Token `token` of every sequence that has it, alone, from the state that the kernel's run of the tokens before
/// left. Nothing if that state is not finite: whether it may be is then in `bounded`. Throws what `kernel.run`
/// throws.
std::optional<Problem> one_token(const Kernel& kernel, const Problem& problem, std::int64_t token, Bounded& bounded);

/// Calls `law` for every head of every judged sequence that `problem`, of one token, has. `token`: its place in its
/// sequence, for reports. The caller holds a WorkingPrecision of `step_bits`.
void for_writes(const Kernel& kernel, const Problem& problem, const Outputs& outputs, std::int64_t token,
                const std::function<void(const Write&)>& law);

/// Whether b e, which the write multiplies by k, is far from the end of fp32 in every column: else what the kernel
/// writes is no number of its own.
bool is_in_fp32(const Write& write);

/// What a law of one write is: draws a token, runs it alone from the kernel's own state and calls `law`; then the
/// verdict is concluded. `as`: makes another problem of the one token first. Heads whose write is
/// not in fp32 are left out.
void check_one_write(const Trial& trial, Generator& draw, Bounded& bounded,
                     const std::function<void(const Write&)>& law,
                     const std::function<Problem(const Problem&)>& as = {});

/// A token that some judged sequence has, from `draw`.
std::int64_t drawn_token(const Problem& problem, Generator& draw);

/// Adds to `bounded` one value that is exactly `expected`, both rounded to double: the bound is widened by that.
void compare(Bounded& bounded, const Location& where, const Mpfr& value, const Mpfr& expected, double allowed,
             const Mpfr& wrong);

}  // namespace deltaproof::laws
