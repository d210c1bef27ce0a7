#pragma once

#include <string>

#include "properties/golden/answers.hpp"
#include "reference/problem/safetensors.hpp"

namespace deltaproof::golden {

/// Metadata `vector` of a file that is one.
inline constexpr const char* vector_format = "deltaproof.vector/1";

/// A problem as a case file stores it, before it has an answer.
struct Question {
  Metadata metadata;
  TensorMap inputs;
};

/// The problem that `spec` (properties/runs/problem_spec.hpp) draws, with every option that is not the default of a case
/// file and the scale written out; `note` says what it is for. Throws InputError.
Question drawn(const std::string& spec, const std::string& note);

/// The problem of a file, whether it has an answer yet or not. Throws InputError if it has no `note`, or no problem.
Question read_question(const std::string& name, Safetensors file);

/// The problem, its scale written out, with its answer by the first route: a case file with the outputs of a kernel that
/// rounds correctly.
/// `name` is for messages. Throws InputError where no answer can be proved.
Safetensors answered(const std::string& name, const Question& question);

/// What is wrong with a vector.
struct Verification {
  std::string wrong = {};  ///< empty: every number of it is proved
  std::int64_t numbers = 0;  ///< that were compared
  int bits = 0;            ///< that the second route needed
  std::int64_t alone = 0;  ///< of the numbers, those that only the first route tells
  std::string rule = {};
};

/// Holds a vector against the second route, and a drawn problem against its text. Never throws InputError: what cannot
/// be read is wrong.
Verification verify_vector(const std::string& name, Safetensors file);

}  // namespace deltaproof::golden
