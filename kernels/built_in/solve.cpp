#include "kernels/built_in/solve.hpp"

#include <cstring>

namespace deltaproof {

std::vector<float> solve(const Device& device, const SolveProblem& problem) {
  const SolveEntry* entry = device.library().solve;
  if (entry == nullptr) throw KernelError("the kernel library has no triangular solve");
  const std::unique_ptr<DeviceRun> run = device.begin();
  const auto label = [&](const char* name, std::int64_t columns) {
    return BufferLabel{name, shape_string({problem.batch, problem.C, columns}), sizeof(float), 16};
  };
  SolveCall call{};
  call.batch = problem.batch;
  call.columns = problem.columns;
  call.C = static_cast<std::int32_t>(problem.C);
  call.blocked_inverse = problem.blocked_inverse;
  call.L = static_cast<const float*>(
      run->input(label("L", problem.C), std::as_bytes(std::span(problem.L))));
  call.R = static_cast<const float*>(
      run->input(label("R", problem.columns), std::as_bytes(std::span(problem.R))));
  const std::size_t bytes = problem.R.size() * sizeof(float);
  call.X = static_cast<float*>(run->output(label("X", problem.columns), bytes));
  run->call(*entry, call);
  std::vector<float> X(problem.R.size());
  const std::vector<std::byte> stored = run->read(call.X, bytes);
  std::memcpy(X.data(), stored.data(), bytes);
  return X;
}

}  // namespace deltaproof
