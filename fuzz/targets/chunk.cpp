#include "fuzz/targets/chunk.hpp"

#include <fmt/format.h>

#include <cmath>

#include "fuzz/host.hpp"
#include "kernels/bits.hpp"
#include "kernels/built_in/built_in_kernel.hpp"
#include "properties/accuracy/accuracy.hpp"
#include "properties/accuracy/comparison.hpp"
#include "properties/runs/finished_run.hpp"

namespace deltaproof::fuzz {
namespace {

BuiltInKernel on_host(const char* kernel, Schedule schedule) {
  return BuiltInKernel(*find_built_in_kernel(kernel), host(schedule));
}

JudgedBlocks judged(const Problem& problem, const Kernel& kernel, const Outputs& outputs) {
  JudgedBlocks blocks;
  AccuracyOptions options;
  options.threads = 1;
  options.name_fits = false;
  options.observe = [&](const ComparedBlock& block) {
    blocks[{block.tensor, block.sequence, block.head, block.first_token}] = {*block.value, *block.bound + *block.radius};
  };
  const Verdict verdict = check_accuracy(problem, FinishedRun(kernel, outputs), options);
  // `suspect` is a matter of chance, with inputs that were not drawn by chance.
  if (verdict.status == Status::failed || verdict.status == Status::nonconforming || verdict.status == Status::error) {
    throw Finding(fmt::format("kernel {} is {}: {}; worst {}: {} where {} is right, {:.3g} of its bound", kernel.name(),
                              status_name(verdict.status), verdict.reason, to_string(verdict.worst), verdict.value,
                              verdict.expected, verdict.worst_ratio));
  }
  return blocks;
}

}  // namespace

void require_close(const JudgedBlocks& chunk, const JudgedBlocks& recurrent) {
  for (const auto& [place, one] : chunk) {
    const auto found = recurrent.find(place);
    if (found == recurrent.end() || found->second.value.rows() != one.value.rows()) continue;
    const JudgedBlock& other = found->second;
    for (Index i = 0; i < one.value.size(); ++i) {
      const double allowed = one.allowed.data()[i] + other.allowed.data()[i];
      const double apart = std::abs(one.value.data()[i] - other.value.data()[i]);
      if (!std::isfinite(allowed) || apart <= allowed) continue;
      throw Finding(fmt::format("{} of sequence {}, head {}, from token {} on: element {} is {} of chunk and {} of "
                                "recurrent, {:.3g} apart, {:.3g} allowed",
                                std::get<0>(place), std::get<1>(place), std::get<2>(place), std::get<3>(place), i,
                                one.value.data()[i], other.value.data()[i], apart, allowed));
    }
  }
}

void check_chunk(Bytes bytes, const std::function<void(const std::string& kernel, Outputs&)>& edit) {
  const std::optional<Problem> problem = read_problem(bytes);
  if (!problem) return;
  std::map<std::string, JudgedBlocks> blocks;
  for (const char* name : {"chunk", "recurrent"}) {
    const BuiltInKernel kernel = on_host(name, Schedule::random);
    Outputs outputs = kernel.run(*problem);
    if (edit) edit(name, outputs);
    const BitDifference difference = compare_bits(*problem, outputs, on_host(name, Schedule::reverse).run(*problem));
    if (difference.unequal != 0 && !edit) {
      throw Finding(fmt::format("kernel {} gives other bits under schedule reverse: {} of {} differ, the first at {}", name,
                                difference.unequal, difference.compared, to_string(difference.first)));
    }
    blocks[name] = judged(*problem, kernel, outputs);
  }
  // A kernel that normalises rows may store them in the inputs' type, and is then judged as one that was given those.
  if (problem->options().qk_l2norm == L2Norm::none) require_close(blocks["chunk"], blocks["recurrent"]);
}

}  // namespace deltaproof::fuzz
