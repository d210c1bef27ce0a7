#pragma once

#include <string>
#include <string_view>

namespace deltaproof {

/// Printable ASCII: any other byte becomes \xNN, so that no file name can drive a terminal.
std::string printable(std::string_view text);

/// Text or attribute content of XML 1.0, in ASCII: markup escaped, other characters as references,
/// what XML forbids (control characters, broken UTF-8) left out.
std::string xml_escape(std::string_view text);

/// Short decimal form for people: 3 digits unless told otherwise; "inf", "-inf", "nan".
std::string number_text(double value, int digits = 3);

/// `text` as one word of a POSIX shell (bash where it holds bytes outside printable ASCII).
std::string shell_quote(std::string_view text);

}  // namespace deltaproof
