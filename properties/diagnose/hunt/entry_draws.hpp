#pragma once

#include "properties/diagnose/hunt/candidate.hpp"
#include "properties/regimes/generator.hpp"

namespace deltaproof {

/// A change of entries, drawn for a problem of this shape.
EntryMove drawn_entry_move(const ProblemSpec& spec, Generator& g);

}  // namespace deltaproof
