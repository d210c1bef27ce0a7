#include "reports/read_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdint>
#include <fstream>
#include <string_view>
#include <system_error>

#include "reports/text.hpp"
#include "reports/write.hpp"

namespace deltaproof {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t largest = std::uintmax_t{1} << 30;  // some 400,000 verdicts; no report that a person wants

[[noreturn]] void refuse(const fs::path& file, std::string_view why) {
  throw ReportError(fmt::format("cannot read {}: {}", shell_quote(file.string()), why));
}

}  // namespace

std::string read_report_file(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status)) refuse(file, error ? error.message() : "no such file");
  if (fs::is_directory(status)) refuse(file, "it is a folder");
  if (!fs::is_regular_file(status)) refuse(file, "it is not a regular file");
  const std::uintmax_t size = fs::file_size(file, error);
  if (error) refuse(file, error.message());
  if (size > largest) refuse(file, fmt::format("it has {} bytes, and no report more than {}", size, largest));

  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) refuse(file, std::generic_category().message(errno));
  std::string bytes(static_cast<std::size_t>(size), '\0');
  stream.read(bytes.data(), static_cast<std::streamsize>(size));
  if (stream.bad()) refuse(file, "reading it broke off");
  bytes.resize(static_cast<std::size_t>(stream.gcount()));
  return bytes;
}

}  // namespace deltaproof
