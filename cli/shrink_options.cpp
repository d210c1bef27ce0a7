#include "cli/shrink_options.hpp"

#include <CLI/CLI.hpp>

#include "cli/numbers.hpp"
#include "cli/validate.hpp"

namespace deltaproof::cli {

ShrinkOptions::ShrinkOptions(CLI::App& app)
    : CommandOptions(app, "shrink", "Find the smallest case that still fails in the same way") {
  command_->add_option("CASE", arguments_.case_path, "Case file (safetensors) that fails");
  command_->add_option("--out", arguments_.out, "File to write")->type_name("FILE");
  command_->add_option("--kernel", arguments_.kernel, "Run this kernel on smaller problems (default: slice the recorded run)")
      ->type_name("NAME");
  command_->add_option("--device", arguments_.device, "Where it runs: host (default) or cuda")->type_name("NAME");
  command_->add_option("--arithmetic", arguments_.arithmetic, "Judge a recorded run by this arithmetic, not the case's")
      ->type_name("NAME|FILE");
  command_->add_option("--time", time_, "Seconds to search (default 60)")->type_name("S");
  command_->add_option("--timeout", timeout_, "Seconds a launch on the host may take (default 30)")->type_name("S");
}

ShrinkArguments ShrinkOptions::finish() {
  if (arguments_.case_path.empty()) throw UsageError("shrink: no case given");
  if (arguments_.out.empty()) throw UsageError("shrink: no --out FILE given");
  if (arguments_.kernel) validate_kernel(*arguments_.kernel);
  validate_device(arguments_.device);
  if (!arguments_.kernel && arguments_.device != "host") {
    throw UsageError("--device: a recorded run is not run; give --kernel, too");
  }
  if (arguments_.kernel && arguments_.arithmetic) {
    throw UsageError("--arithmetic: a built-in kernel is judged by its own; the option is for recorded runs");
  }
  validate_arithmetic(arguments_.arithmetic);
  arguments_.time = parse_seconds("--time", time_);
  arguments_.timeout = parse_seconds("--timeout", timeout_);
  return arguments_;
}

}  // namespace deltaproof::cli
