// What the host computes against what a GPU does, to the bit (docs/host-math.md). Prints a table. Exit status: 0 all
// equal, 1 something differs or failed, 3 there is no CUDA device.

#include <chrono>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

#include "kernels/cuda/device_api.hpp"
#include "reference/tensor_core.hpp"
#include "tests/kernels/device/compare.hpp"

namespace deltaproof {
namespace {

/// Tensor-core model of a GPU of this compute capability.
std::string model_of(const DeviceProperties& device) {
  if (device.major >= 10) return "blackwell";
  if (device.major == 9) return "hopper";
  return device.minor == 9 ? "ada" : "ampere";
}

struct Total {
  std::uint64_t rows = 0, compared = 0, differing = 0;

  void add(const Row& row) {
    print(row);
    ++rows;
    compared += row.compared;
    differing += row.differing;
  }
};

DeviceProperties describe_device() {
  char error[512] = "";
  DeviceProperties device{};
  if (deltaproof_device_api()->properties(0, &device, error, sizeof error) != 0) throw std::runtime_error(error);
  std::printf("%s, compute capability %d.%d, driver %s (CUDA %d.%d), runtime %d.%d\n", device.name, device.major,
              device.minor, device.driver_release[0] == '\0' ? "of unknown release" : device.driver_release,
              device.driver_version / 1000, device.driver_version % 1000 / 10, device.runtime_version / 1000,
              device.runtime_version % 1000 / 10);
  return device;
}

int run(const std::string& model) {
  const DeviceProperties device = describe_device();
  print_heading();
  const auto start = std::chrono::steady_clock::now();
  Total total;
  total.add(check_guard_zones());
  total.add(check_launch_message());
  total.add(compare_ldmatrix());
  total.add(compare_cp_async());
  total.add(compare_shuffles());
  for (const Row& row : compare_mma(model.empty() ? model_of(device) : model)) total.add(row);
  for (int i = 0; i < static_cast<int>(Unary::count); ++i) total.add(compare_unary(static_cast<Unary>(i)));
  for (int i = 0; i < static_cast<int>(Binary::count); ++i) total.add(compare_binary(static_cast<Binary>(i)));
  print({"all", total.compared, total.differing, "",
             std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()});
  return total.differing == 0 ? 0 : 1;
}

}  // namespace
}  // namespace deltaproof

int main(int argc, char** argv) {
  using namespace deltaproof;
  if (argc > 2 || (argc == 2 && find_tensor_core(argv[1]) == nullptr)) {
    std::fprintf(stderr, "usage: %s [tensor-core model; default: that of the device]\n", argv[0]);
    return 2;
  }
  char reason[512] = "";
  std::int32_t devices = 0;
  deltaproof_device_api()->count(&devices, reason, sizeof reason);
  if (devices == 0) {
    std::printf("skipped: %s\n", reason);
    return 3;
  }
  try {
    return run(argc == 2 ? argv[1] : "");
  } catch (const std::exception& e) {
    std::printf("error: %s\n", e.what());
    return 1;
  }
}
