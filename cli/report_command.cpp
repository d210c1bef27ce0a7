// `deltaproof report`: index.html anew.
#include <fmt/format.h>

#include <filesystem>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "reports/text.hpp"
#include "reports/write.hpp"

namespace deltaproof::cli {

int run_report(const ReportArguments& arguments) {
  write_page(arguments.folder);
  print(fmt::format("wrote {}\n", shell_quote((std::filesystem::path(arguments.folder) / "index.html").string())));
  return 0;
}

}  // namespace deltaproof::cli
