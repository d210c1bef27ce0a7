#include "properties/runs/shrink.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

namespace deltaproof {
namespace {

class Candidates {
 public:
  explicit Candidates(const ProblemSpec& spec) : spec_(spec) {}

  std::vector<ProblemSpec> all() {
    sequences();
    heads();
    tokens();
    channels();
    options();
    values();
    return std::move(all_);
  }

 private:
  template <class Change>
  void add(Change change) {
    ProblemSpec candidate = spec_;
    change(candidate);
    if (!candidate.lengths.empty()) {
      candidate.shape.tokens = std::accumulate(candidate.lengths.begin(), candidate.lengths.end(), std::int64_t{0});
    }
    all_.push_back(std::move(candidate));
  }

  void sequences() {
    if (spec_.pool) add([](ProblemSpec& s) { s.pool = false; });
    if (!spec_.lengths.empty()) {  // as one row
      add([](ProblemSpec& s) {
        s.lengths.clear();
        s.pool = false;
      });
    }
    if (spec_.lengths.size() > 1) {
      for (std::size_t n = 0; n < spec_.lengths.size(); ++n) {
        add([n](ProblemSpec& s) { s.lengths.erase(s.lengths.begin() + static_cast<std::ptrdiff_t>(n)); });
      }
    }
    for (std::size_t n = 0; n < spec_.lengths.size(); ++n) {
      for (const std::int64_t length : {std::int64_t{0}, spec_.lengths[n] / 2, spec_.lengths[n] - 1}) {
        if (length >= 0 && length < spec_.lengths[n]) add([n, length](ProblemSpec& s) { s.lengths[n] = length; });
      }
    }
    if (spec_.shape.B > 1) {
      add([](ProblemSpec& s) { s.shape.B = 1; });
      add([](ProblemSpec& s) { --s.shape.B; });
    }
  }

  void heads() {
    const RegimeShape& shape = spec_.shape;
    if (shape.HV > 1) add([](ProblemSpec& s) { s.shape.H = s.shape.HV = 1; });
    if (shape.HV > shape.H) add([](ProblemSpec& s) { s.shape.HV = s.shape.H; });
    if (shape.H > 1) {
      add([](ProblemSpec& s) {
        s.shape.HV = s.shape.HV / s.shape.H;
        s.shape.H = 1;
      });
    }
  }

  // A shorter row keeps its first tokens, with `skip` its last.
  void tokens() {
    const std::int64_t T = spec_.shape.tokens;
    if (!spec_.lengths.empty()) return;
    for (const std::int64_t left : {std::int64_t{1}, T / 2, T - 16, T - 1}) {
      if (left < 1 || left >= T) continue;
      add([left](ProblemSpec& s) { s.shape.tokens = left; });
      add([left, T](ProblemSpec& s) {
        s.shape.tokens = left;
        s.skip += T - left;
      });
    }
  }

  void channels() {
    for (std::int64_t RegimeShape::*size : {&RegimeShape::K, &RegimeShape::V}) {
      const std::int64_t now = spec_.shape.*size;
      for (const std::int64_t fewer : {std::int64_t{1}, std::int64_t{8}, now / 2 / 8 * 8, now - 8, now - 1}) {
        if (fewer >= 1 && fewer < now) add([size, fewer](ProblemSpec& s) { s.shape.*size = fewer; });
      }
    }
    if (spec_.shape.initial_state && !spec_.pool) add([](ProblemSpec& s) { s.shape.initial_state = false; });
  }

  void without(const char* option) {
    if (spec_.options.contains(option)) add([option](ProblemSpec& s) { s.options.erase(option); });
  }

  void options() {
    const auto chunk = spec_.options.find("chunk_size");
    if (chunk != spec_.options.end() && chunk->second != "16") {
      add([](ProblemSpec& s) { s.options["chunk_size"] = "16"; });
    }
    for (const auto& [name, plain] : {std::pair{"qk_l2norm", has_cache() ? "kernel" : "none"},
                                      std::pair{"state_layout", "kv"}}) {
      const auto found = spec_.options.find(name);
      if (found != spec_.options.end() && found->second != plain) without(name);
    }
    if (const auto variant = spec_.options.find("variant");
        variant != spec_.options.end() && variant->second != "standard") {
      without("variant");
    }
    for (const char* option : {"scale", "eps", "qk_l2norm_eps", "c"}) without(option);
    cache();
    if (spec_.gates != Dtype::f32) add([](ProblemSpec& s) { s.gates = Dtype::f32; });
    if (spec_.writes != Dtype::f32) add([](ProblemSpec& s) { s.writes = Dtype::f32; });
  }

  bool has_cache() const {
    const auto rule = spec_.options.find("rule");
    return rule != spec_.options.end() && rule->second == "hola";
  }

  void cache() {
    if (!has_cache()) return;
    for (const auto& [name, least, otherwise] : {std::tuple{"cache_size", std::int64_t{0}, "64"},
                                                 std::tuple{"cache_block", std::int64_t{1}, "256"}}) {
      const auto found = spec_.options.find(name);
      const std::string& text = found == spec_.options.end() ? std::string(otherwise) : found->second;
      std::int64_t now = 0;
      std::from_chars(text.data(), text.data() + text.size(), now);
      for (const std::int64_t smaller : {least, now / 2, now - 1}) {
        if (smaller < least || smaller >= now) continue;
        add([&](ProblemSpec& s) { s.options[name] = std::to_string(smaller); });
      }
    }
    for (const char* option : {"score", "read", "tau", "read_eps", "state_rule"}) without(option);
    if (spec_.parameters != Dtype::f32) add([](ProblemSpec& s) { s.parameters = Dtype::f32; });
  }

  bool edited(const std::string& tensor, std::int64_t token) const {
    return std::any_of(spec_.edits.begin(), spec_.edits.end(), [&](const ValueEdit& edit) {
      return edit.tensor == tensor && (edit.token == token || edit.token < 0);
    });
  }

  void edit(const char* tensor, ValueEdit::To to, std::int64_t token) {
    if (edited(tensor, token)) return;
    add([&](ProblemSpec& s) { s.edits.push_back({tensor, to, token}); });
  }

  void values() {
    using To = ValueEdit::To;
    for (const char* tensor : {"g", "initial_state", "v", "q", "k", "beta", "eta"}) {
      if (tensor == std::string("g") || tensor == std::string("initial_state")) edit(tensor, To::zero, -1);
      edit(tensor, tensor == std::string("g") ? To::power_of_two : To::one, -1);
      edit(tensor, To::power_of_two, -1);
    }
    if (has_cache()) {
      for (const char* tensor : {"gamma_q", "gamma_k"}) edit(tensor, To::one, -1);
      for (const char* tensor : {"sink", "cache_gate"}) edit(tensor, To::zero, -1);
    }
    if (spec_.shape.tokens > 8) return;  // first fewer tokens
    for (std::int64_t t = 0; t < spec_.shape.tokens; ++t) {
      for (const char* tensor : {"v", "q", "k", "g"}) edit(tensor, To::zero, t);
    }
  }

  const ProblemSpec& spec_;
  std::vector<ProblemSpec> all_;
};

}  // namespace

std::vector<ProblemSpec> simpler(const ProblemSpec& spec) { return Candidates(spec).all(); }

Shrunk shrink(const ProblemSpec& failing, const std::function<bool(const ProblemSpec&)>& still_fails,
              std::int64_t budget) {
  Shrunk result{failing, 0, true};
  for (bool went_down = true; went_down;) {
    went_down = false;
    for (const ProblemSpec& candidate : simpler(result.spec)) {
      if (result.tried == budget) {
        result.smallest = false;
        return result;
      }
      ++result.tried;
      if (!still_fails(candidate)) continue;
      result.spec = candidate;
      went_down = true;
      break;
    }
  }
  return result;
}

}  // namespace deltaproof
