#pragma once

#include <filesystem>
#include <string>

namespace deltaproof {

/// What a page shows: JSON texts; empty: there is none.
struct PageParts {
  std::string report;       ///< deltaproof.report/1
  std::string kill_matrix;  ///< deltaproof.kill_matrix/1
  std::string ledger;       ///< deltaproof.claims/1
};

/// report.json, kill_matrix.json and claims.json of a folder, as far as they are there; not `written`, which is about
/// to be written anew. Throws ReportError for one that is damaged or of another version.
PageParts read_page_parts(const std::filesystem::path& folder, const std::string& written = "");

/// index.html: one file that needs no other and opens offline (docs/report.md). The parts must be sound: those of
/// read_page_parts, or just written.
std::string html_page(const PageParts& parts);

}  // namespace deltaproof
