#pragma once

#include <vector>

#include "reference/problem/case_file.hpp"

namespace deltaproof {

/// The recordings that ship, by name.
std::vector<CaseFile> recordings();

/// Errors against LOC and ADJ (docs/recordings.md).
void print_recordings_table();
/// Agreement with the declared orders of roundings: PIN and bits (docs/recordings.md).
void print_conformity_table();
/// Values outside PIN if one choice is declared wrongly (docs/arithmetic.md).
void print_declarations_table();

}  // namespace deltaproof
