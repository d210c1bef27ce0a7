#include "cli/explain_options.hpp"

#include <CLI/CLI.hpp>

#include "cli/validate.hpp"

namespace deltaproof::cli {

ExplainOptions::ExplainOptions(CLI::App& app)
    : CommandOptions(app, "explain", "Say what is wrong with a recorded run, and what it resembles") {
  command_->add_option("CASE", arguments_.case_path, "Case file (safetensors) with outputs");
  command_->add_option("--arithmetic", arguments_.arithmetic, "Judge by this arithmetic, not the case's")
      ->type_name("NAME|FILE");
  command_->add_option("--tensor-core", arguments_.tensor_core, "Tensor core whose accumulation is assumed")
      ->type_name("NAME");
  command_->add_flag("--json", arguments_.json, "Print JSON");
}

ExplainArguments ExplainOptions::finish() {
  if (arguments_.case_path.empty()) throw UsageError("explain: no case given");
  validate_arithmetic(arguments_.arithmetic);
  validate_tensor_core(arguments_.tensor_core);
  return arguments_;
}

}  // namespace deltaproof::cli
