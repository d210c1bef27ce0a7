#pragma once

#include <filesystem>
#include <string>

namespace deltaproof {

/// The bytes of a report's file. Throws ReportError for what cannot be read, is no regular file or is larger than 1
/// GiB.
std::string read_report_file(const std::filesystem::path& file);

}  // namespace deltaproof
