#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "properties/defects/defect.hpp"
#include "properties/regimes/families.hpp"

namespace deltaproof {

/// What rejected a wrong kernel first.
struct Kill {
  std::string problem;   ///< its name
  std::string kernel;    ///< "chunk with gate_shift"
  std::string property;  ///< "accuracy", or a law
  std::string rule;      ///< status of the verdict: "failed", "nonconforming", "suspect", "error"
  std::string reason;
};

/// Problems that a wrong kernel is put to: the first `cases` of each family of inputs, as `deltaproof check --kernel
/// NAME --regime NAME --strict` draws them for a built-in kernel (for `fla-chunk`: those of `chunk`). A defect of a
/// cache is put into kernels with one alone; others into those without; none into both.
struct GateOptions {
  std::vector<std::string> kernels = {"chunk", "recurrent", "fla-chunk"};
  std::vector<std::string> regimes;
  std::vector<std::string> cache_kernels = {"hola", "hola_decode"};
  std::vector<std::string> cache_regimes;
  std::uint64_t cases = 24, seed = 0;
  bool laws = true;
};

/// What the gate runs on by default.
const GateOptions& default_gate();

/// Puts the kernels with the defect (null: the right ones) to checks of runs and, where those pass, to every law,
/// until a verdict is neither passed nor skipped nor uninformative. Nothing: it survives. One thread.
std::optional<Kill> killed_by_gate(const Defect* defect, const GateOptions& options = default_gate());

}  // namespace deltaproof
