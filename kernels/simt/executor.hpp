#pragma once

#include <cstdint>

#include "kernels/simt/schedule.hpp"
#include "reference/tensor_core.hpp"

namespace deltaproof {

class CheckerHooks;

/// How the kernels that this OS thread launches run (docs/host-executor.md).
struct ExecutorOptions {
  Schedule schedule = Schedule::random;
  std::uint64_t seed = 0;
  int threads = 1;                               ///< OS threads that run blocks, the launching one among them
  std::uint64_t step_budget = 1'000'000'000;     ///< switches between threads that one block may take
  const TensorCoreModel* tensor_core = nullptr;  ///< null: hopper
  CheckerHooks* checker = nullptr;               ///< null: none
};

/// What holds on the calling OS thread now.
const ExecutorOptions& executor_options();

/// Options for the launches of the calling OS thread, for as long as the object lives. They nest.
class ScopedExecutor {
 public:
  explicit ScopedExecutor(const ExecutorOptions& options);
  ~ScopedExecutor();
  ScopedExecutor(const ScopedExecutor&) = delete;
  ScopedExecutor& operator=(const ScopedExecutor&) = delete;

 private:
  ExecutorOptions options_;
  const ExecutorOptions* outer_;
};

}  // namespace deltaproof
