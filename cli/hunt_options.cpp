#include "cli/hunt_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/numbers.hpp"
#include "cli/validate.hpp"
#include "kernels/built_in/capabilities.hpp"
#include "properties/defects/catalogue.hpp"
#include "properties/diagnose/hunt/objective.hpp"
#include "properties/diagnose/hunt/spec_moves.hpp"
#include "reference/problem/input_error.hpp"
#include "reports/text.hpp"

namespace deltaproof::cli {
namespace {

void validate_hunt(const HuntArguments& given) {
  const BuiltInInfo& kernel = *find_built_in_kernel(given.kernel);
  if (kernel.rules.empty()) {
    throw UsageError(fmt::format("hunt: --kernel {}: it computes no rule, so there is no error to make large; those that "
                                 "do are recurrent, chunk, hola and hola_decode", given.kernel));
  }
  if (!given.objective.empty() && !find_objective(given.objective)) {
    throw UsageError(fmt::format("--objective: {} is not known; known are bound, sigma, relative",
                                 shell_quote(given.objective)));
  }
  if (!given.defect.empty() && find_defect(given.defect) == nullptr) {
    throw UsageError(fmt::format("--defect: {} is not known; `deltaproof list defects` has them",
                                 shell_quote(given.defect)));
  }
  if (!given.defect.empty() && given.device != "host") {
    throw UsageError("hunt: a kernel with a --defect is emulated: it runs on no --device");
  }
  try {
    hunt_space(kernel, given.rule, given.dtype);
  } catch (const InputError& error) {
    throw UsageError(fmt::format("hunt: {}", error.what()));
  }
}

}  // namespace

HuntOptions::HuntOptions(CLI::App& app)
    : CommandOptions(app, "hunt", "Search for inputs with the largest error against the bound") {
  command_->add_option("--kernel", arguments_.kernel, "The kernel to run")->type_name("NAME");
  command_->add_option("--device", arguments_.device, "Where it runs: host (default) or cuda")->type_name("NAME");
  command_->add_option("--time", time_, "Seconds to search (default 60)")->type_name("S");
  command_->add_option("--evaluations", evaluations_, "Runs of the kernel to search with; then --time may end it sooner")
      ->type_name("N");
  command_->add_option("--seed", seed_, "Seed of the search (default 0)")->type_name("S");
  command_->add_option("--out", arguments_.out, "Folder for the worst cases; a search that is there goes on")
      ->type_name("DIR");
  command_->add_option("--rule", arguments_.rule, "Search inputs of this rule alone")->type_name("NAME");
  command_->add_option("--dtype", arguments_.dtype, "Search inputs of this type alone: BF16, F16 or F32")
      ->type_name("TYPE");
  command_->add_option("--objective", arguments_.objective, "Make this alone large: bound, sigma or relative")
      ->type_name("NAME");
  command_->add_option("--defect", arguments_.defect, "Hunt in the emulated kernel with this known defect")
      ->type_name("ID");
  command_->add_option("--timeout", timeout_, "Seconds a launch on the host may take (default 30)")->type_name("S");
}

HuntArguments HuntOptions::finish() {
  if (arguments_.kernel.empty()) throw UsageError("hunt: no --kernel NAME given");
  validate_kernel(arguments_.kernel);
  validate_device(arguments_.device);
  validate_hunt(arguments_);
  arguments_.time = parse_seconds("--time", time_);
  if (!evaluations_.empty()) arguments_.evaluations = parse_count("--evaluations", evaluations_, 1, 1'000'000'000);
  arguments_.seed = parse_seed(seed_);
  arguments_.timeout = parse_seconds("--timeout", timeout_);
  if (arguments_.out && arguments_.out->empty()) throw UsageError("--out: no folder given");
  return arguments_;
}

}  // namespace deltaproof::cli
