#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>

namespace deltaproof::fuzz {

/// One input of a fuzz target.
using Bytes = std::span<const std::uint8_t>;

/// What a target found wrong with the product. Whatever else leaves a target is a finding, too: it had to be caught.
class Finding : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

}  // namespace deltaproof::fuzz
