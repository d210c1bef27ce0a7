#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "properties/diagnose/hunt/hunt_state.hpp"

namespace deltaproof {

/// A state as JSON, schema deltaproof.hunt/1, and back. Reading throws InputError for text that is none: `file` is for
/// messages.
std::string json_of(const HuntState& state);
HuntState state_of_json(const std::string& file, const std::string& text);

/// The state in `path`; empty if there is no such file. Throws InputError if it cannot be read or holds no state, or
/// another search than `identity`: the message says what differs.
std::optional<HuntState> read_hunt_state(const std::filesystem::path& path, const HuntIdentity& identity);

}  // namespace deltaproof
