#include "kernels/simt/checker_memory.hpp"

#include <link.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace deltaproof::checker {

namespace {

struct LibrarySearch {
  std::uintptr_t code;
  std::vector<Span> segments;
};

/// Keeps the loaded segments of the object that holds `code`.
int visit_object(dl_phdr_info* object, std::size_t, void* data) {
  auto& search = *static_cast<LibrarySearch*>(data);
  std::vector<Span> segments;
  bool found = false;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const auto& header = object->dlpi_phdr[i];
    if (header.p_type != PT_LOAD) continue;
    segments.push_back({object->dlpi_addr + header.p_vaddr, header.p_memsz});
    found = found || segments.back().holds(search.code, 1);
  }
  if (found) search.segments = std::move(segments);
  return found ? 1 : 0;
}

std::size_t granule_of(const HostBuffer& buffer) { return std::min<std::size_t>(buffer.layout().element_bytes, 4); }

}  // namespace

shadow::Shadow* LaunchView::track(const HostBuffer& buffer) {
  if (buffer.use() == BufferUse::input) return nullptr;
  auto known = std::find_if(tracked_.begin(), tracked_.end(), [&](const Tracked& t) { return t.buffer == &buffer; });
  if (known == tracked_.end()) {
    tracked_.push_back({&buffer, buffer.generation(),
                        std::make_unique<shadow::Shadow>(buffer.size(), granule_of(buffer))});
    return tracked_.back().shadow.get();
  }
  if (known->generation != buffer.generation()) known->shadow->clear();
  known->generation = buffer.generation();
  return known->shadow.get();
}

void LaunchView::begin(const LaunchMemory& launch) {
  launch_ = launch;
  if (launch.blocks > std::numeric_limits<std::uint32_t>::max() - next_block_) {
    throw std::runtime_error("race checker: more than 2^32 blocks over all launches; use a new checker");
  }
  first_block_ = next_block_;
  next_block_ += static_cast<std::uint32_t>(launch.blocks);

  regions_.clear();
  for (const auto& buffer : memory_.buffers()) {
    regions_.push_back({reinterpret_cast<std::uintptr_t>(buffer->data()), buffer->size(), buffer.get(),
                        track(*buffer), buffer->initialised()});
  }
  std::sort(regions_.begin(), regions_.end(), [](const Region& a, const Region& b) { return a.begin < b.begin; });

  code_ = reinterpret_cast<std::uintptr_t>(launch.request->body);
  find_library();
}

void LaunchView::find_library() {
  const auto holds_code = [this](const Span& segment) { return segment.holds(code_, 1); };
  if (std::any_of(library_.begin(), library_.end(), holds_code)) return;
  LibrarySearch search{code_, {}};
  dl_iterate_phdr(visit_object, &search);
  library_ = std::move(search.segments);

  shared_variables_ = shared_variables(code_);
  if (shared_variables_.size() > std::numeric_limits<std::uint16_t>::max() - 1u) shared_variables_.clear();
  variable_of_word_.clear();
  for (std::size_t i = 0; i < shared_variables_.size(); ++i) {
    const SharedVariable& variable = shared_variables_[i];
    const std::size_t words = (variable.begin + variable.size + 3) / 4;
    if (variable_of_word_.size() < words) variable_of_word_.resize(words);
    for (std::size_t word = variable.begin / 4; word < words; ++word) {
      if (variable_of_word_[word] == 0) variable_of_word_[word] = static_cast<std::uint16_t>(i + 1);
    }
  }
}

const SharedVariable* LaunchView::shared_variable(std::size_t offset, std::size_t bytes) const {
  if (offset / 4 >= variable_of_word_.size()) return nullptr;
  const std::size_t first = variable_of_word_[offset / 4];
  if (first == 0) return nullptr;
  // Small variables may share a word.
  for (std::size_t i = first - 1; i < shared_variables_.size() && shared_variables_[i].begin <= offset; ++i) {
    const SharedVariable& variable = shared_variables_[i];
    if (offset - variable.begin < variable.size) {
      return bytes <= variable.size - (offset - variable.begin) ? &variable : nullptr;
    }
  }
  return nullptr;
}

const Region* LaunchView::find(std::uintptr_t address) const {
  const auto after = std::upper_bound(regions_.begin(), regions_.end(), address,
                                      [](std::uintptr_t a, const Region& region) { return a < region.begin; });
  return after == regions_.begin() ? nullptr : &*(after - 1);
}

const SharedVariable* LaunchView::shared_variable_before(std::size_t offset) const {
  const auto before = [](std::size_t at, const SharedVariable& variable) { return at < variable.begin; };
  const auto after = std::upper_bound(shared_variables_.begin(), shared_variables_.end(), offset, before);
  return after == shared_variables_.begin() ? nullptr : &*(after - 1);
}

std::uint32_t LaunchView::site(const char* file, int line) {
  const std::scoped_lock lock(sites_mutex_);
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    if (sites_[i].line == line && std::strcmp(sites_[i].file, file) == 0) return static_cast<std::uint32_t>(i);
  }
  sites_.push_back({file, line});
  return static_cast<std::uint32_t>(sites_.size() - 1);
}

Site LaunchView::site(std::uint32_t number) const {
  const std::scoped_lock lock(sites_mutex_);
  return sites_.at(number);
}

}  // namespace deltaproof::checker
