#pragma once

#include <cstdint>

#include "properties/diagnose/shrink/run_case.hpp"

namespace deltaproof {

/// 64 bits over options that shrinking changes and all inputs: two problems of one search with the same are the same.
std::uint64_t fingerprint(const Problem& problem);
/// The same of a case with its outputs.
std::uint64_t fingerprint(const RunCase& run);

}  // namespace deltaproof
