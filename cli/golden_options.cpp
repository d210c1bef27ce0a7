#include "cli/golden_options.hpp"

#include <CLI/CLI.hpp>

namespace deltaproof::cli {

GoldenOptions::GoldenOptions(CLI::App& app)
    : CommandOptions(app, "golden", "Verify or write the golden vectors of a folder") {
  command_->add_option("ACTION", arguments_.action, "verify or write");
  command_->add_option("DIR", arguments_.folder, "The folder with the manifest");
}

GoldenArguments GoldenOptions::finish() {
  if (arguments_.action != "verify" && arguments_.action != "write") {
    throw UsageError("golden: say verify or write, as in `deltaproof golden verify golden`");
  }
  if (arguments_.folder.empty()) throw UsageError("golden: no folder given");
  return arguments_;
}

}  // namespace deltaproof::cli
