#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "properties/runs/problem_spec.hpp"
#include "reference/problem/input_error.hpp"
#include "reference/problem/message.hpp"
#include "reference/problem/options.hpp"

namespace deltaproof {
namespace {

constexpr std::array<std::pair<std::string_view, ValueEdit::To>, 3> edit_names = {
    {{"zero", ValueEdit::To::zero}, {"one", ValueEdit::To::one}, {"pow2", ValueEdit::To::power_of_two}}};

// Far above what is generated; a typing error must not ask for the machine's memory.
constexpr std::int64_t most_elements = std::int64_t{1} << 24;

[[noreturn]] void refuse_word(std::string_view word, std::string_view wanted) {
  throw InputError(fmt::format("problem: {} is not {}", in_quotes(word), wanted));
}

template <class Number>
Number number(std::string_view word, std::string_view text) {
  Number value{};
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || stop != text.data() + text.size()) refuse_word(word, "a name with a whole number from 0");
  return value;
}

std::int64_t size(std::string_view word, std::string_view text, std::int64_t least) {
  const auto value = number<std::int64_t>(word, text);
  if (value < least || value > most_elements) {
    refuse_word(word, fmt::format("a size from {} to {}", least, most_elements));
  }
  return value;
}

Dtype dtype(std::string_view word, std::string_view text) {
  const auto found = find_dtype(text);
  if (!found || !is_floating(*found) || *found == Dtype::f64) refuse_word(word, "a type: BF16, F16 or F32");
  return *found;
}

std::vector<std::int64_t> lengths(std::string_view word, std::string_view text) {
  std::vector<std::int64_t> all;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    all.push_back(size(word, text.substr(begin, end - begin), 0));
    begin = end + 1;
  }
  return all;
}

// "v@3:zero", "k:pow2"
ValueEdit value_edit(std::string_view word, std::string_view text) {
  ValueEdit edit;
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) refuse_word(word, "an edit as edit=v@3:zero");
  std::string_view where = text.substr(0, colon);
  if (const std::size_t at = where.find('@'); at != std::string_view::npos) {
    edit.token = size(word, where.substr(at + 1), 0);
    where = where.substr(0, at);
  }
  edit.tensor = where;
  const auto known = std::find_if(edit_names.begin(), edit_names.end(),
                                  [&](const auto& name) { return name.first == text.substr(colon + 1); });
  if (known == edit_names.end()) refuse_word(word, "an edit to zero, one or pow2");
  edit.to = known->second;
  return edit;
}

// Sizes that make sense one by one may not do so together.
void check_sizes(const ProblemSpec& spec) {
  const RegimeShape& s = spec.shape;
  for (const std::int64_t size : {s.B, s.H, s.HV, s.K, s.V, s.tokens}) {
    if (size > 65536) throw InputError("problem: sizes above 65536 are not generated");
  }
  const double rows = static_cast<double>(s.B) * static_cast<double>(s.tokens + spec.skip);
  const double widest = static_cast<double>(s.HV) * static_cast<double>(std::max(s.K, s.V));
  const auto sequences = static_cast<double>(std::max<std::size_t>(spec.lengths.size(), 1));
  const double state = static_cast<double>(s.HV) * static_cast<double>(s.K) * static_cast<double>(s.V);
  if (rows * widest > most_elements || state * (sequences + static_cast<double>(s.B)) > most_elements) {
    throw InputError(fmt::format("problem: more than {} values in a tensor are not generated", most_elements));
  }
  if (s.HV % s.H != 0) throw InputError(fmt::format("problem: HV={} is no multiple of H={}", s.HV, s.H));
}

void take_word(std::string_view word, ProblemSpec& spec) {
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos) refuse_word(word, "of the form name=value");
  const std::string name(word.substr(0, equals));
  const std::string_view text = word.substr(equals + 1);
  RegimeShape& s = spec.shape;
  const std::pair<std::string_view, std::int64_t*> sizes[] = {{"B", &s.B},   {"T", &s.tokens}, {"H", &s.H},
                                                              {"HV", &s.HV}, {"K", &s.K},      {"V", &s.V}};
  for (const auto& [known, value] : sizes) {
    if (name == known) return void(*value = size(word, text, known == "T" ? 0 : 1));
  }
  if (name == "regime") return void(spec.regime = text);
  if (name == "seed") return void(spec.seed = number<std::uint64_t>(word, text));
  if (name == "index") return void(spec.index = number<std::uint64_t>(word, text));
  if (name == "input") return void(s.input = dtype(word, text));
  if (name == "state") return void(s.initial_state = size(word, text, 0) != 0);
  if (name == "pool") return void(spec.pool = size(word, text, 0) != 0);
  if (name == "gates") return void(spec.gates = dtype(word, text));
  if (name == "parameters") return void(spec.parameters = dtype(word, text));
  if (name == "writes") return void(spec.writes = dtype(word, text));
  if (name == "skip") return void(spec.skip = size(word, text, 0));
  if (name == "lengths") return void(spec.lengths = lengths(word, text));
  if (name == "edit") return void(spec.edits.push_back(value_edit(word, text)));
  if (!unknown_keys({{name, ""}}).empty()) refuse_word(word, "a word of a problem");
  spec.options[name] = text;
}

}  // namespace

std::string to_text(const ProblemSpec& spec) {
  const RegimeShape& s = spec.shape;
  std::string text = fmt::format("regime={} seed={} index={} B={} T={} H={} HV={} K={} V={} input={}", spec.regime,
                                 spec.seed, spec.index, s.B, s.tokens, s.H, s.HV, s.K, s.V, dtype_name(s.input));
  if (s.initial_state) text += " state=1";
  if (spec.pool) text += " pool=1";
  if (!spec.lengths.empty()) text += fmt::format(" lengths={}", fmt::join(spec.lengths, ","));
  if (spec.gates != Dtype::f32) text += fmt::format(" gates={}", dtype_name(spec.gates));
  if (spec.writes != Dtype::f32) text += fmt::format(" writes={}", dtype_name(spec.writes));
  if (spec.parameters != Dtype::f32) text += fmt::format(" parameters={}", dtype_name(spec.parameters));
  if (spec.skip > 0) text += fmt::format(" skip={}", spec.skip);
  for (const auto& [name, value] : spec.options) text += fmt::format(" {}={}", name, value);
  for (const ValueEdit& edit : spec.edits) {
    const auto name = std::find_if(edit_names.begin(), edit_names.end(), [&](const auto& n) { return n.second == edit.to; });
    text += fmt::format(" edit={}{}:{}", edit.tensor, edit.token < 0 ? "" : fmt::format("@{}", edit.token), name->first);
  }
  return text;
}

ProblemSpec parse_spec(std::string_view text) {
  ProblemSpec spec;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    if (end > begin) take_word(text.substr(begin, end - begin), spec);
    begin = end + 1;
  }
  if (!spec.lengths.empty()) {
    spec.shape.B = 1;
    spec.shape.tokens = 0;
    for (const std::int64_t length : spec.lengths) spec.shape.tokens += length;
  }
  check_sizes(spec);
  return spec;
}

}  // namespace deltaproof
