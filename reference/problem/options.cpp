#include "reference/problem/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>

#include "reference/problem/arithmetics.hpp"
#include "reference/problem/message.hpp"

namespace deltaproof {
namespace {

constexpr std::string_view kFormat = "deltaproof.case/1";

/// Metadata of one file, read key by key; what is absent leaves the default.
class Reader {
 public:
  Reader(const std::string& file, const Metadata& metadata) : file_(file), metadata_(metadata) {}

  const std::string* find(const std::string& key) const {
    const auto found = metadata_.find(key);
    return found == metadata_.end() ? nullptr : &found->second;
  }

  const std::string& require(const std::string& key, std::string_view hint) const {
    const std::string* text = find(key);
    if (text == nullptr)
      deltaproof::refuse(file_, fmt::format("metadata has no '{}'; {}", key, hint));
    return *text;
  }

  [[noreturn]] void refuse(const std::string& key, const std::string& text,
                           std::string_view wanted) const {
    deltaproof::refuse(file_,
                       fmt::format("metadata '{}' is {}; wanted {}", key, in_quotes(text), wanted));
  }

  template <class T>
  bool number(const std::string& key, T& value, std::string_view wanted, bool (*accept)(T)) const {
    const std::string* text = find(key);
    if (text == nullptr) return false;
    T parsed{};
    const char* end = text->data() + text->size();
    const auto [stop, error] = std::from_chars(text->data(), end, parsed);
    if (error != std::errc{} || stop != end || !accept(parsed)) refuse(key, *text, wanted);
    value = parsed;
    return true;
  }

  template <class T, std::size_t N>
  void choice(const std::string& key, T& value,
              const std::pair<std::string_view, T> (&names)[N]) const {
    const std::string* text = find(key);
    if (text == nullptr) return;
    std::string known;
    for (const auto& [name, meaning] : names) {
      if (name == *text) {
        value = meaning;
        return;
      }
      known += (known.empty() ? "" : ", ") + std::string(name);
    }
    refuse(key, *text, "one of " + known);
  }

 private:
  const std::string& file_;
  const Metadata& metadata_;
};

constexpr std::pair<std::string_view, L2Norm> kL2Norms[] = {
    {"none", L2Norm::none}, {"q", L2Norm::q}, {"k", L2Norm::k}, {"kernel", L2Norm::both}};
constexpr std::pair<std::string_view, StateLayout> kLayouts[] = {{"kv", StateLayout::kv},
                                                                 {"vk", StateLayout::vk}};
constexpr std::pair<std::string_view, KlaVariant> kVariants[] = {
    {"standard", KlaVariant::standard},
    {"no_norm", KlaVariant::no_norm},
    {"key_norm_only", KlaVariant::key_norm_only},
    {"learned_scalar", KlaVariant::learned_scalar},
    {"single_gate", KlaVariant::single_gate}};
constexpr std::pair<std::string_view, Position> kPositions[] = {
    {"one", Position::one},
    {"inverse", Position::inverse},
    {"inverse_sqrt", Position::inverse_sqrt},
    {"inverse_log", Position::inverse_log}};

constexpr std::pair<std::string_view, CacheScore> kScores[] = {
    {"beta_e", CacheScore::beta_e}, {"write_norm", CacheScore::write_norm},
    {"e", CacheScore::e},           {"beta_v", CacheScore::beta_v},
    {"recency", CacheScore::recency}, {"attention", CacheScore::attention}};
constexpr std::pair<std::string_view, CacheRead> kReads[] = {{"rmsnorm", CacheRead::rmsnorm},
                                                             {"l2", CacheRead::l2}};
constexpr std::pair<std::string_view, Rule> kStateRules[] = {{"gated_delta", Rule::gated_delta},
                                                             {"kla", Rule::kla}};

template <class Table>
std::string names_of(const Table& table) {
  std::vector<std::string_view> names;
  for (const auto& info : table) names.push_back(info.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

Rule parse_rule(const Reader& reader) {
  const std::string known = "one of " + names_of(rule_table());
  const std::string& name = reader.require("rule", "say which rule was computed: " + known);
  const RuleInfo* info = find_rule(name);
  if (info == nullptr) reader.refuse("rule", name, known);
  return info->rule;
}

bool finite(double x) { return std::isfinite(x); }
bool finite_not_negative(double x) { return std::isfinite(x) && x >= 0; }
bool finite_positive(double x) { return std::isfinite(x) && x > 0; }
// Of tokens that belong together: beyond any sequence, and far enough below 2^63 that places in chunks can be added.
constexpr std::int64_t kMostTokens = (std::int64_t{1} << 31) - 1;
constexpr const char* kTokens = "an integer from 1 to 2147483647";
bool tokens(std::int64_t x) { return x >= 1 && x <= kMostTokens; }
// Of the cache: far above any model, so that a few bytes do not ask for large work or memory.
constexpr std::int64_t kMostCached = std::int64_t{1} << 20;
bool cache_size(std::int64_t x) { return x >= 0 && x <= kMostCached; }

// Options of rule `hola`.
HolaOptions parse_hola(const Reader& reader) {
  HolaOptions hola;
  reader.number("cache_size", hola.cache_size, "an integer from 0 to 1048576", cache_size);
  reader.number("cache_block", hola.cache_block, kTokens, tokens);
  reader.choice("score", hola.score, kScores);
  reader.choice("read", hola.read, kReads);
  reader.number("tau", hola.tau, "a finite number", finite);
  reader.number("read_eps", hola.read_eps, "a finite number >= 0", finite_not_negative);
  reader.choice("state_rule", hola.state_rule, kStateRules);
  return hola;
}

// Every key that a case file may have.
constexpr std::string_view kKeys[] = {
    "format",       "rule",       "scale",        "eps",        "qk_l2norm",  "qk_l2norm_eps",
    "state_layout", "chunk_size", "states_every", "arithmetic", "kernel",     "source",
    "note",         "variant",    "position",     "c",          "cache_size", "cache_block",
    "score",        "read",       "tau",          "read_eps",   "state_rule",
    "vector",       "route",      "spec",         "precision_bits"};

}  // namespace

std::vector<std::string> unknown_keys(const Metadata& metadata) {
  std::vector<std::string> unknown;
  for (const auto& [key, value] : metadata) {
    if (std::find(std::begin(kKeys), std::end(kKeys), key) == std::end(kKeys))
      unknown.push_back(key);
  }
  return unknown;
}

void check_arithmetic(const std::string& file, const std::string& name) {
  if (find_arithmetic(name) == nullptr)
    refuse(file, fmt::format("arithmetic {} is not known; known are {}", in_quotes(name),
                             names_of(arithmetic_table())));
}

Options parse_options(const std::string& file, const Metadata& metadata) {
  const Reader reader(file, metadata);
  const std::string& format =
      reader.require("format", fmt::format("a case file has format '{}'", kFormat));
  if (format != kFormat) reader.refuse("format", format, fmt::format("'{}'", kFormat));

  Options options;
  options.rule = parse_rule(reader);
  options.scale_given = reader.number("scale", options.scale, "a finite number", finite);
  reader.number("eps", options.eps, "a finite number >= 0", finite_not_negative);
  reader.choice("qk_l2norm", options.qk_l2norm, kL2Norms);
  reader.number("qk_l2norm_eps", options.qk_l2norm_eps, "a finite number >= 0",
                finite_not_negative);
  reader.choice("state_layout", options.state_layout, kLayouts);
  reader.number("chunk_size", options.chunk_size, kTokens, tokens);
  options.states_every = options.chunk_size;
  if (reader.number("states_every", options.states_every, kTokens, tokens) &&
      options.states_every % options.chunk_size != 0)
    reader.refuse("states_every", metadata.at("states_every"),
                  fmt::format("a multiple of chunk_size {}", options.chunk_size));
  if (const std::string* name = reader.find("arithmetic")) options.arithmetic = *name;
  check_arithmetic(file, options.arithmetic);
  reader.choice("variant", options.variant, kVariants);
  reader.choice("position", options.position, kPositions);
  reader.number("c", options.c, "a finite number > 0", finite_positive);
  options.hola = parse_hola(reader);
  return options;
}

}  // namespace deltaproof
