#include "properties/stages/stage.hpp"

#include <algorithm>
#include <iterator>

namespace deltaproof {
namespace {

constexpr StageKernel all[] = {{"scores", 20, &scores_case}, {"select", 15, &select_case}, {"cache_read", 24, &read_case}};

}  // namespace

std::span<const StageKernel> stages() { return all; }

const StageKernel* find_stage(std::string_view name) {
  const auto* found = std::find_if(std::begin(all), std::end(all), [&](const StageKernel& each) { return each.name == name; });
  return found == std::end(all) ? nullptr : found;
}

}  // namespace deltaproof
