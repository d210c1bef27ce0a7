#include "cli/hunt_options.hpp"

#include <CLI/CLI.hpp>

#include "cli/numbers.hpp"
#include "cli/validate.hpp"

namespace deltaproof::cli {

HuntOptions::HuntOptions(CLI::App& app)
    : command_(app.add_subcommand("hunt", "Search for inputs with the largest error against the bound")) {
  command_->add_option("--kernel", arguments_.kernel, "The kernel to run")->type_name("NAME");
  command_->add_option("--device", arguments_.device, "Where it runs: host (default) or cuda")->type_name("NAME");
  command_->add_option("--time", time_, "Seconds to search (default 60)")->type_name("S");
  command_->add_option("--evaluations", evaluations_, "Runs of the kernel to search with; then --time may end it sooner")
      ->type_name("N");
  command_->add_option("--seed", seed_, "Seed of the search (default 0)")->type_name("S");
  command_->add_option("--out", arguments_.out, "Folder for the worst cases; a search that is there goes on")
      ->type_name("DIR");
  command_->add_option("--timeout", timeout_, "Seconds a launch on the host may take (default 30)")->type_name("S");
}

HuntArguments HuntOptions::finish() {
  if (arguments_.kernel.empty()) throw UsageError("hunt: no --kernel NAME given");
  validate_kernel(arguments_.kernel);
  validate_device(arguments_.device);
  arguments_.time = parse_seconds("--time", time_);
  if (!evaluations_.empty()) arguments_.evaluations = parse_count("--evaluations", evaluations_, 1, 1'000'000'000);
  arguments_.seed = parse_seed(seed_);
  arguments_.timeout = parse_seconds("--timeout", timeout_);
  if (arguments_.out && arguments_.out->empty()) throw UsageError("--out: no folder given");
  return arguments_;
}

}  // namespace deltaproof::cli
