#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace deltaproof::cli {

class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Opens /dev/null in place of standard streams that are closed, so that no file that is opened
/// later gets their number, and makes a closed pipe an error of write, not the end.
void secure_standard_streams();

/// Writes to standard output. A reader that has gone away is no error; a full disk is OutputError.
void print(std::string_view text);

/// One line on standard error: "deltaproof: message".
void print_error(std::string_view message);

/// True if standard output takes colours: a terminal, and NO_COLOR not set.
bool colour_wanted();

}  // namespace deltaproof::cli
