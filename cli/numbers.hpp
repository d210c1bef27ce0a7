#pragma once

#include <cstdint>
#include <string>

namespace deltaproof::cli {

// Numbers of a command line; what is none of those wanted is a UsageError that says what would be right.

std::uint64_t parse_seed(const std::string& text);
std::int64_t parse_count(const char* option, const std::string& text, std::int64_t least, std::int64_t most);
/// Above 0 and at most 86400.
double parse_seconds(const char* option, const std::string& text);
/// Of what is judged: above 0 and at most 1.
double parse_sample(const std::string& text);

}  // namespace deltaproof::cli
