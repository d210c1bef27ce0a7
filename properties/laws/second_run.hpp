#pragma once

#include <optional>
#include <string>

#include "properties/laws/compare.hpp"

namespace deltaproof::laws {

/// The kernel's run of another problem than the trial's. If it refuses that one there is none, and the verdict is
/// `skipped` with the reason; so where values of hola overflow on the way to a score that is NaN.
std::optional<Outputs> second_run(const Trial& trial, const Problem& problem, Verdict& verdict);

/// The kernel's run of another problem must have the bits of `expected` wherever there is a right answer (`what`: as
/// `expect_bits`); `skipped` if it refuses that one.
void expect_second_run(const Trial& trial, const Problem& problem, const Outputs& expected, const std::string& what,
                       Verdict& verdict);

/// The verdict is `skipped` with the reason, unless it has failed.
void skip(Verdict& verdict, const std::string& reason);

/// Values that have a right answer: of sequences that are computed. The problem must outlive it.
About answered(const Problem& problem);
/// The same, of sequences that `about` holds too.
About answered(const Problem& problem, About about);

/// Whether a value comes from tokens before `token` of its sequence alone: rows of o and scores of these, sets and
/// states that no later token has entered. The final state is not.
bool is_before(const Location& where, std::int64_t token);

/// True if no value that `about` holds is a NaN or infinite.
bool all_finite(const Problem& problem, const Outputs& outputs, const About& about);

/// A place at which the law does not hold; the first makes the verdict `failed` with the reason.
void broken(Verdict& verdict, const Location& where, const std::string& reason);

/// Zeros without their sign. What is added for nothing, 0 x, leaves every number but -0 as it is.
Outputs without_signs_of_zero(Outputs outputs);

/// True, and the verdict `uninformative`, if a value is not finite: a law with zeros in it then says nothing.
bool overflowed(const Problem& problem, const Outputs& outputs, const About& about, Verdict& verdict);

/// The initial states, or zeros where the problem has none; fp32, in its layout.
Tensor states_before(const Problem& problem);

/// Length of the longest sequence that is computed; 0 if none is.
std::int64_t longest_answered(const Problem& problem);

}  // namespace deltaproof::laws
