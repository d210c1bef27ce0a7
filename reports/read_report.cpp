#include "reports/read_report.hpp"

#include "reports/write.hpp"

namespace deltaproof {

Report parse_report(std::string_view, const std::string& name) { throw ReportError(name + ": not read yet"); }
Report read_report(const std::filesystem::path& file) { return parse_report("", file.string()); }

}  // namespace deltaproof
