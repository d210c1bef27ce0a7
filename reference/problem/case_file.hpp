#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "reference/problem/problem.hpp"

namespace deltaproof {

/// What a kernel returned. `tensors` holds any of o, final_state, chunk_states, with shapes checked against the
/// problem; gsa has final_slot_keys and final_slot_values instead of states; hola has scores and selected,
/// too. Non-finite values are allowed here:
/// they are judged, not refused.
struct Outputs {
  TensorMap tensors;
  const Tensor* find(const std::string& tensor) const;
};

/// A case file: a problem, and, if it is a recorded run, the outputs.
struct CaseFile {
  std::filesystem::path path;
  Problem problem;
  std::optional<Outputs> outputs;      ///< absent: a problem only
  std::vector<std::string> gradients;  ///< names of gradient tensors present, not judged yet
  std::string kernel;                  ///< metadata `kernel`, or "recorded"
  std::string source, note;
  Metadata metadata;
};

/// Reads and validates a case file (format deltaproof.case/1). Throws InputError.
CaseFile read_case(const std::filesystem::path& path);

/// Writes a case file atomically.
void write_case(const std::filesystem::path& path, const Metadata& metadata,
                const TensorMap& tensors);

}  // namespace deltaproof
