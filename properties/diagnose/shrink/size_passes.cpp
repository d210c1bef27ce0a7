// Tokens and channels.
#include <algorithm>
#include <utility>

#include "properties/diagnose/shrink/passes.hpp"
#include "properties/diagnose/shrink/slice.hpp"
#include "properties/diagnose/shrink/valid_slices.hpp"
#include "properties/laws/tensors.hpp"

namespace deltaproof {
namespace {

enum class End { first, last };

// Packed sequences are cut one by one, rows of a batch all alike.
class Cutter {
 public:
  Cutter(Search& search, std::size_t sequence) : search_(search), sequence_(sequence) {}

  std::int64_t length() const { return search_.now().problem.sequences()[sequence_].length; }
  std::int64_t every() const { return search_.now().problem.options().states_every; }
  std::int64_t chunks() const { return state_count(length(), every()); }

  bool keep(std::int64_t begin, std::int64_t end, bool from_states) {
    const Problem& problem = search_.now().problem;
    Slice slice = whole(problem);
    const bool packed = problem.find("cu_seqlens") != nullptr;
    for (TokenRange& range : slice.sequences) {
      if (packed && range.sequence != static_cast<std::int64_t>(sequence_)) continue;
      range.begin = begin, range.end = end;
    }
    slice.from_states = from_states;
    return search_.take(sliced(search_.now(), slice));
  }

  bool all() {
    bool any = leave_out([&] { return chunks(); }, [&](std::int64_t n) { return keep(0, (chunks() - n) * every(), true); });
    if (search_.runs() || why_not_later(search_.now()).empty()) {
      any |= leave_out([&] { return chunks(); }, [&](std::int64_t n) { return keep(n * every(), length(), true); });
    }
    any |= leave_out([&] { return length(); }, [&](std::int64_t n) { return keep(0, length() - n, true); });
    if (!search_.runs()) return any;
    any |= leave_out([&] { return length(); }, [&](std::int64_t n) { return keep(n, length(), false); });
    return any;
  }

 private:
  Search& search_;
  std::size_t sequence_;
};

// `size` channels in a row, the wanted one among them.
laws::Indices around(std::int64_t wanted, std::int64_t size, std::int64_t count) {
  const std::int64_t at = std::clamp<std::int64_t>(wanted, 0, count - 1);
  return laws::range(std::min(at / size * size, count - size), size);
}

std::vector<std::int64_t> smaller_sizes(std::int64_t now) {
  std::vector<std::int64_t> sizes;
  for (std::int64_t size = 1; size < now; size *= 2) sizes.push_back(size);
  for (const std::int64_t size : {now / 2 / 8 * 8, now - 8}) {
    if (size > 0) sizes.push_back(size);
  }
  std::sort(sizes.begin(), sizes.end());
  return sizes;
}

bool take_channels(Search& search, std::int64_t K, std::int64_t V) {
  const Dimensions& d = search.now().problem.dims();
  if (K > d.K || V > d.V) return false;
  Slice slice = whole(search.now().problem);
  if (K < d.K) slice.channels = around(search.place().row, K, d.K);
  if (V < d.V) slice.columns = around(search.place().column, V, d.V);
  return search.take(sliced(search.now(), slice));
}

}  // namespace

bool fewer_tokens(Search& search) {
  bool any = false;
  const bool packed = search.now().problem.find("cu_seqlens") != nullptr;
  const std::size_t count = packed ? search.now().problem.sequences().size() : 1;
  for (std::size_t n = 0; n < count; ++n) any |= Cutter(search, n).all();
  return any;
}

bool fewer_channels(Search& search) {
  bool any = false;
  const Dimensions d = search.now().problem.dims();
  if (search.runs()) {
    for (const std::int64_t size : smaller_sizes(std::max(d.K, d.V))) {  // of states with both alike
      if (d.K == d.V && take_channels(search, size, size)) return true;
    }
    for (const std::int64_t size : smaller_sizes(d.K)) {
      if (!take_channels(search, size, search.now().problem.dims().V)) continue;
      any = true;
      break;
    }
  }
  if (!search.runs() && !why_not_fewer_columns(search.now()).empty()) return any;
  for (const std::int64_t size : smaller_sizes(d.V)) {
    if (take_channels(search, search.now().problem.dims().K, size)) return true;
  }
  return any;
}

}  // namespace deltaproof
