#include "tests/kernels/simt/executor_fixture.hpp"

#include <fstream>
#include <stdexcept>

#include "tests/kernels/simt/fault_round_trip.hpp"

namespace deltaproof {

const KernelModule& executor_kernels() {
  static const KernelModule library(EXECUTOR_TEST_KERNELS);
  return library;
}

std::string fault_of(const std::function<void()>& launch) {
  try {
    launch();
  } catch (const std::runtime_error& error) {
    if (std::string(error.what()).starts_with("kernel ")) expect_round_trip(error.what());  // not a library's
    return error.what();
  }
  return "";
}

std::string place_of(const std::string& file, const std::string& mark) {
  const std::string path = "tests/kernels/simt/" + file;
  std::ifstream source(DELTAPROOF_SOURCE_DIR "/" + path);
  int number = 0, found = 0;
  for (std::string line; std::getline(source, line);) {
    ++number;
    if (!line.ends_with("// " + mark)) continue;
    if (found != 0) throw std::logic_error(path + " has the mark '" + mark + "' twice");
    found = number;
  }
  if (found == 0) throw std::logic_error(path + " has no mark '" + mark + "'");
  return path + ":" + std::to_string(found);
}

}  // namespace deltaproof
