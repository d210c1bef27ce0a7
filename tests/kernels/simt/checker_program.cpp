#include "tests/kernels/simt/checker_program.hpp"

#include <algorithm>
#include <array>

namespace deltaproof {

namespace {

using Op = CheckerProgram::Op;
constexpr std::size_t threads = CheckerProgram::threads;
using Knowledge = std::array<int, threads>;  ///< for each thread, how many of its steps are known to be over

struct PastAccess {
  std::size_t thread;
  int time;
  std::uint32_t begin, end;
  bool write;
};

bool clash(const PastAccess& a, const PastAccess& b) {
  return a.thread != b.thread && (a.write || b.write) && a.begin < b.end && b.begin < a.end;
}

/// Threads that meet know from then on what any of them knew.
void meet(std::array<Knowledge, threads>& known, const std::vector<std::size_t>& group) {
  Knowledge all{};
  for (const std::size_t t : group) {
    for (std::size_t i = 0; i < threads; ++i) all[i] = std::max(all[i], known[t][i]);
  }
  for (const std::size_t t : group) known[t] = all;
}

void synchronise(std::array<Knowledge, threads>& known, const std::vector<Op>& step) {
  if (step[0].kind == Op::syncthreads) {
    std::vector<std::size_t> all(threads);
    for (std::size_t t = 0; t < threads; ++t) all[t] = t;
    return meet(known, all);
  }
  for (std::size_t t = 0; t < threads; ++t) {
    if (step[t].kind != Op::syncwarp) continue;
    std::vector<std::size_t> group;
    for (std::size_t lane = 0; lane < 32; ++lane) {
      if ((step[t].operand >> lane & 1) != 0) group.push_back(t / 32 * 32 + lane);
    }
    if (group[0] == t) meet(known, group);  // once for each group
  }
}

}  // namespace

std::vector<std::uint32_t> CheckerProgram::encoded() const {
  std::vector<std::uint32_t> words;
  for (const auto& step : steps) {
    for (const Op& op : step) {
      words.push_back(op.kind | (op.write ? 4u : 0u) | op.log2_size << 3);
      words.push_back(op.operand);
    }
  }
  return words;
}

bool CheckerProgram::has_race() const {
  std::array<Knowledge, threads> known{};
  std::vector<PastAccess> past;
  int time = 0;
  for (const auto& step : steps) {
    ++time;
    for (std::size_t t = 0; t < threads; ++t) {
      if (step[t].kind != Op::access) continue;
      const std::uint32_t size = 1u << step[t].log2_size;
      const PastAccess now{t, time, step[t].operand, step[t].operand + size, step[t].write};
      for (const PastAccess& before : past) {
        if (clash(before, now) && known[t][before.thread] < before.time) return true;
      }
      past.push_back(now);
    }
    for (std::size_t t = 0; t < threads; ++t) known[t][t] = time;
    synchronise(known, step);
  }
  return false;
}

CheckerProgram random_program(std::mt19937_64& random) {
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  CheckerProgram program;
  const std::uint32_t count = 4 + below(12);
  for (std::uint32_t s = 0; s < count; ++s) {
    std::vector<Op> step(threads);
    const std::uint32_t kind = below(8);
    if (kind == 0) step.assign(threads, {Op::syncthreads, false, 0, 0});
    for (std::size_t warp = 0; kind >= 1 && kind <= 4 && warp < 2; ++warp) {
      const std::uint32_t mask = below(2) == 0 ? 0xffffffffu : static_cast<std::uint32_t>(random());
      const bool others = below(2) == 0;
      for (std::size_t lane = 0; lane < 32; ++lane) {
        const bool in_mask = (mask >> lane & 1) != 0;
        if (in_mask || others) step[32 * warp + lane] = {Op::syncwarp, false, 0, in_mask ? mask : ~mask};
      }
    }
    const std::size_t first_warp = below(4) == 0 ? 0 : 1;  // mostly within one warp
    for (std::uint32_t i = 0; kind >= 5 && i < 1 + below(4); ++i) {
      const std::uint32_t size = below(4);
      const std::size_t thread = first_warp == 0 ? below(threads) : 32 + below(4) * 8;
      step[thread] = {Op::access, below(3) == 0, size, below(16) >> size << size};
    }
    program.steps.push_back(step);
  }
  return program;
}

}  // namespace deltaproof
