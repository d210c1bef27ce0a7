#include "kernels/simt/executor.hpp"

namespace deltaproof {

namespace {

constexpr ExecutorOptions default_options{};
thread_local constinit const ExecutorOptions* current_options = &default_options;

}  // namespace

const ExecutorOptions& executor_options() { return *current_options; }

ScopedExecutor::ScopedExecutor(const ExecutorOptions& options) : options_(options), outer_(current_options) {
  if (options_.tensor_core == nullptr) options_.tensor_core = &tensor_core("hopper");
  current_options = &options_;
}

ScopedExecutor::~ScopedExecutor() { current_options = outer_; }

}  // namespace deltaproof
