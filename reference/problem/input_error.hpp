#pragma once

#include <stdexcept>

namespace deltaproof {

/// Input that cannot be judged: unreadable, malformed, or outside the domain of its rule.
/// The message is one line for a person: file, tensor, index, value, and what to do.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace deltaproof
