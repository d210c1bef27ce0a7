#pragma once

#include <string>
#include <vector>

#include "tests/reference/bounds/chunk_cases.hpp"

namespace deltaproof::noise_tests {

/// What a source of the model says about a place of a text.
struct Expected {
  std::string source;
  Place place;
};

/// Roundings of what is known, a function of the inputs.
std::vector<Expected> known_of(const ChunkCase& chunk);

/// The sources of `noise` for a known rounding's ambiguous values: `<name>, either way`, or, where its errors enter
/// in more than one way, `<name> in .., either way`.
std::vector<const NoiseSource*> either_way(const Noise& noise, const std::string& name);
bool is_either_way_of_known(const ChunkCase& chunk, const std::string& source);

}  // namespace deltaproof::noise_tests
