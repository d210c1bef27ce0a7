#pragma once

#include <string>
#include <string_view>

#include "properties/laws/property.hpp"
#include "properties/regimes/generator.hpp"

namespace deltaproof::laws {

/// "" for a rule of the update family with a token to compute; else why not.
std::string outside_update_family(const Problem& problem);

/// The same for a law that cuts sequences: a write coefficient that counts tokens from the start of a sequence
/// (Position) is another one from a cut on, and a cache does not outlive it.
std::string not_to_be_cut(const Problem& problem);

/// "" if a NaN among the inputs is computed; else why a run with one is refused.
std::string nan_has_no_rank(const Problem& problem);

/// The same for a law of one write, which needs a residual too.
std::string without_residual(const Problem& problem);

/// What the law `name` draws for a trial.
Generator draws_of(const Trial& trial, std::string_view name);

}  // namespace deltaproof::laws
