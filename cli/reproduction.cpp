#include "cli/reproduction.hpp"

#include <fmt/format.h>

#include "properties/runs/run_properties.hpp"
#include "reports/text.hpp"

namespace deltaproof::cli {

std::string quoted_path(const std::string& path) { return shell_quote(path.starts_with('-') ? "./" + path : path); }

std::string reproduction(const CheckArguments& arguments, std::string_view kernel, const std::string& what) {
  const KernelArguments& given = arguments.kernel;
  const CheckArguments defaults;
  std::string line = fmt::format("deltaproof check {}--kernel {}", what.empty() ? "" : what + " ", kernel);
  if (given.device != defaults.kernel.device) line += " --device " + given.device;
  if (given.against_host) line += " --against-host";
  if (given.schedule != defaults.kernel.schedule) line += " --schedule " + given.schedule;
  if (arguments.tensor_core != defaults.tensor_core) line += " --tensor-core " + shell_quote(arguments.tensor_core);
  if (arguments.sample != defaults.sample) line += fmt::format(" --sample {}", arguments.sample);
  if (arguments.seed != defaults.seed) line += fmt::format(" --seed {}", arguments.seed);
  if (given.timeout != defaults.kernel.timeout) line += fmt::format(" --timeout {}", given.timeout);
  if (arguments.strict) line += " --strict";
  return line;
}

std::string with_property(const CheckArguments& arguments, std::string line, const Verdict& verdict) {
  if (!arguments.kernel.properties.empty() || !is_run_property(verdict.property)) {
    line += " --property " + verdict.property;
  }
  return line;
}

}  // namespace deltaproof::cli
