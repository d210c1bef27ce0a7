#include "kernels/simt/checker_sources.hpp"

namespace deltaproof::checker {

namespace {

constexpr std::uintptr_t granule = 16;

}  // namespace

void OpenSources::open(const OpenSource& source) { sources_.emplace(source.address, source); }

void OpenSources::close(const OpenSource& source) {
  const auto [first, last] = sources_.equal_range(source.address);
  for (auto at = first; at != last; ++at) {
    if (at->second != source) continue;
    sources_.erase(at);
    return;
  }
}

const OpenSource* OpenSources::overlap(std::uintptr_t address, std::size_t bytes) const {
  for (std::uintptr_t at = address / granule * granule; at < address + bytes; at += granule) {
    const auto [first, last] = sources_.equal_range(at);
    for (auto source = first; source != last; ++source) {
      if (address < source->second.address + source->second.bytes) return &source->second;
    }
  }
  return nullptr;
}

}  // namespace deltaproof::checker
