#pragma once

#include <vector>

#include "properties/diagnose/hunt/entry_move.hpp"
#include "properties/runs/problem_spec.hpp"

namespace deltaproof {

/// A point of the search: a generated problem, and changes to its entries, one after the other.
struct Candidate {
  ProblemSpec spec;
  std::vector<EntryMove> entries;
};

/// Draws and changes it. Throws InputError where it makes no problem.
Problem problem_of(const Candidate& candidate);

/// Metadata of its case file.
Metadata metadata_of(const Candidate& candidate, const Problem& problem);

}  // namespace deltaproof
