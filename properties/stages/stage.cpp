#include "properties/stages/stage.hpp"

#include <algorithm>
#include <iterator>

namespace deltaproof {
namespace {

constexpr Stage all[] = {{"scores", 20, &scores_case}, {"select", 15, &select_case}, {"cache_read", 24, &read_case}};

}  // namespace

std::span<const Stage> stages() { return all; }

const Stage* find_stage(std::string_view name) {
  const auto* found = std::find_if(std::begin(all), std::end(all), [&](const Stage& each) { return each.name == name; });
  return found == std::end(all) ? nullptr : found;
}

}  // namespace deltaproof
