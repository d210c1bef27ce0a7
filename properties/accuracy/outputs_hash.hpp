#pragma once

#include <string>

#include "reference/problem/case_file.hpp"

namespace deltaproof {

/// SHA-256, in hex, over names, dtypes, shapes and bits of all outputs.
std::string outputs_hash(const Outputs& outputs);

}  // namespace deltaproof
