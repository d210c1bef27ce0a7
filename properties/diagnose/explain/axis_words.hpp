#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace deltaproof {

/// In words, which places of an axis are meant: "all 8 heads", "head 1 of 2 alone", "chunks from 1 on (7 of 8)",
/// "every 4th column from 3 on (16 of 64)", "heads 1, 5 (2 of 8)", "41 of 64 positions, between 3 and 60". Empty if the axis
/// has one place only. Both ascending; `places` holds all of `some`.
std::string axis_words(const std::string& axis, const std::vector<std::int64_t>& some,
                       const std::vector<std::int64_t>& places);

/// k if `some` are all places that leave one remainder by k >= 2, at least three of them; else 0.
std::int64_t stride_of(const std::vector<std::int64_t>& some, const std::vector<std::int64_t>& places);

/// "1st", "2nd", "11th".
std::string ordinal(std::int64_t n);

}  // namespace deltaproof
