#include "reports/environment.hpp"

#include <sys/utsname.h>

#include <array>
#include <ctime>
#include <fstream>

namespace deltaproof {
namespace {

std::string compiler_name() {
#if defined(__clang__)
  return "clang " __clang_version__;
#else
  return "gcc " __VERSION__;
#endif
}

std::string host_name() {
  utsname system{};
  if (uname(&system) != 0) return "unknown";
  return std::string(system.nodename) + ", " + system.sysname + " " + system.release + " " +
         system.machine;
}

std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  if (gmtime_r(&now, &parts) == nullptr) return "unknown";
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

}  // namespace

Environment this_environment() {
  return {DELTAPROOF_VERSION, compiler_name(), DELTAPROOF_FLAGS, host_name(),
          cpu_name(),         "none",          utc_now()};
}

Environment environment_of(const std::vector<Verdict>& verdicts) {
  Environment environment = this_environment();
  for (const Verdict& verdict : verdicts) {
    if (verdict.ran.device.empty()) continue;
    environment.device = verdict.ran.device;
    if (!verdict.ran.driver.empty()) environment.device += ", driver " + verdict.ran.driver;
    break;
  }
  return environment;
}

}  // namespace deltaproof
