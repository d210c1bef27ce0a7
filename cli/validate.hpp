#pragma once

#include <string>

#include "cli/arguments.hpp"

namespace deltaproof::cli {

/// "recurrent, chunk": the names of a table.
template <class Table>
std::string names_of(const Table& table) {
  std::string names;
  for (const auto& entry : table) names += (names.empty() ? "" : ", ") + std::string(entry.name);
  return names;
}

/// Refuse arguments that cannot be run, alone or together, by what was given and what would do. Throw UsageError.
void validate(const CheckArguments& check);
void validate(const AnswerArguments& answer);
void validate(const ListArguments& list);

}  // namespace deltaproof::cli
