#pragma once

#include <string>
#include <string_view>

#include "reference/problem/input_error.hpp"

namespace deltaproof {

/// `text` in single quotes, fit for one line of a message: control bytes escaped, long text cut.
std::string in_quotes(std::string_view text);

/// Throws InputError "file: what".
[[noreturn]] void refuse(std::string_view file, std::string_view what);
/// Throws InputError "file: tensor 'name': what".
[[noreturn]] void refuse_tensor(std::string_view file, std::string_view tensor,
                                std::string_view what);

}  // namespace deltaproof
