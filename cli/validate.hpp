#pragma once

#include <optional>
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
void validate_kernel(const std::string& name);
void validate_device(const std::string& name);
void validate_arithmetic(const std::optional<std::string>& given);
void validate_tensor_core(const std::string& name);

}  // namespace deltaproof::cli
