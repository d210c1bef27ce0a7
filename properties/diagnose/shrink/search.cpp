#include "properties/diagnose/shrink/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <utility>

#include "properties/diagnose/shrink/fingerprint.hpp"

namespace deltaproof {
namespace {

double now_in_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::int64_t cost_of(double x) {
  if (x == 0) return 0;
  int exponent = 0;
  if (!std::isfinite(x) || std::abs(std::frexp(x, &exponent)) != 0.5) return 3;
  return std::abs(x) == 1 ? 1 : 2;
}

void add(const TensorMap& tensors, std::int64_t& bytes) {
  for (const auto& [name, tensor] : tensors) bytes += static_cast<std::int64_t>(tensor.bytes.size());
}

// Of chunk size and cache, which can be smaller, and one for each option that a plain case leaves out.
std::int64_t cost_of(const Metadata& metadata, const Options& options) {
  std::int64_t cost = options.chunk_size;
  if (options.rule == Rule::hola) cost += options.hola.cache_size + options.hola.cache_block;
  for (const char* name : {"scale", "eps", "qk_l2norm", "qk_l2norm_eps", "state_layout", "states_every", "variant",
                           "position", "c", "score", "read", "tau", "read_eps", "state_rule"}) {
    cost += metadata.contains(name) ? 1 : 0;
  }
  return cost;
}

auto extents(const CaseSize& s) {
  return std::array{s.sequences, s.tokens, s.key_heads, s.value_heads, s.K, s.V, s.pool, s.bytes, s.options};
}

}  // namespace

// An option may become plainer at the cost of values, but not the other way round: going down ends.
bool CaseSize::is_below(const CaseSize& other) const {
  const auto mine = extents(*this), theirs = extents(other);
  bool less = false;
  for (std::size_t i = 0; i < mine.size(); ++i) {
    if (mine[i] > theirs[i]) return false;
    less |= mine[i] < theirs[i];
  }
  return less || values < other.values;
}

CaseSize size_of(const RunCase& run) {
  const Dimensions& d = run.problem.dims();
  CaseSize size{d.N, d.B * d.T, d.H, d.HV, d.K, d.V, d.pool};
  add(run.problem.tensors(), size.bytes);
  add(run.outputs.tensors, size.bytes);
  for (const auto& [name, tensor] : run.problem.tensors()) {
    if (!is_floating(tensor.dtype)) continue;
    for (const double x : tensor.values()) size.values += cost_of(x);
  }
  size.options = cost_of(run.metadata, run.problem.options());
  return size;
}

Search::Search(JudgedCase first, const CaseJudge& judge, ShrinkLimits limits)
    : smallest_(std::move(first)), size_(size_of(smallest_.run)), judge_(judge), limits_(std::move(limits)),
      failure_(smallest_.failure), end_(now_in_seconds() + limits_.seconds) {}

bool Search::is_over() {
  if (!why_over_.empty()) return true;
  if (limits_.stop && limits_.stop()) why_over_ = "it was interrupted";
  else if (limits_.most_tried >= 0 && tried_ >= limits_.most_tried) why_over_ = fmt::format("{} cases were tried", tried_);
  else if (now_in_seconds() >= end_) why_over_ = fmt::format("{:g} seconds were over", limits_.seconds);
  return !why_over_.empty();
}

bool Search::take(std::optional<RunCase> candidate) {
  if (!candidate || is_over()) return false;
  if (judge_.runs()) candidate->outputs = {};  // not those of this problem
  CaseSize size = size_of(*candidate);
  if (judge_.runs()) {  // how large outputs are is known when it has run
    add(smallest_.run.outputs.tensors, size.bytes);
    size.bytes = std::min(size.bytes, size_.bytes);
  }
  if (!size.is_below(size_) || !seen_.insert(fingerprint(*candidate)).second) return false;
  ++tried_;
  if (limits_.progress) limits_.progress(smallest_.run, tried_);
  std::optional<JudgedCase> judged = judge_.judge_like(failure_, std::move(*candidate));
  if (!judged) return false;
  size = size_of(judged->run);
  if (!size.is_below(size_)) return false;
  smallest_ = std::move(*judged);
  size_ = size;
  ++taken_;
  return true;
}

}  // namespace deltaproof
