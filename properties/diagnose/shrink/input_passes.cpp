// Options and values: other problems, of kernels that can be run on them.
#include <algorithm>
#include <charconv>
#include <string>
#include <tuple>
#include <utility>

#include "properties/diagnose/shrink/passes.hpp"
#include "properties/diagnose/shrink/slice.hpp"
#include "properties/laws/tensors.hpp"
#include "properties/runs/value_edit.hpp"
#include "reference/problem/input_error.hpp"

namespace deltaproof {
namespace {

using To = ValueEdit::To;

std::optional<RunCase> made(const RunCase& run, Metadata metadata, TensorMap inputs) try {
  Problem problem = Problem::make(run.problem.name(), metadata, std::move(inputs));
  return RunCase{std::move(metadata), std::move(problem), {}};
} catch (const InputError&) {
  return std::nullopt;
}

bool take_number(Search& search, const char* option, std::int64_t value) {
  Metadata metadata = search.now().metadata;
  metadata[option] = std::to_string(value);
  return search.take(made(search.now(), std::move(metadata), search.now().problem.tensors()));
}

// How many tokens of chunks of `now` make as many of `chunk`; the last one as full as it was.
std::int64_t in_chunks(std::int64_t length, std::int64_t now, std::int64_t chunk) {
  const std::int64_t full = length / now * chunk, tail = length % now;
  return full + (tail == 0 ? 0 : std::max<std::int64_t>(tail * chunk / now, 1));
}

// With as many chunks as before, for there would be more states otherwise; then with all tokens.
bool take_chunk_size(Search& search, std::int64_t chunk) {
  const RunCase inputs{search.now().metadata, search.now().problem, {}};
  const std::int64_t now = inputs.problem.options().chunk_size;
  if (chunk >= now) return false;
  Metadata metadata = inputs.metadata;
  metadata["chunk_size"] = std::to_string(chunk);
  metadata.erase("states_every");
  Slice slice = whole(inputs.problem);
  for (TokenRange& range : slice.sequences) range.end = in_chunks(range.end, now, chunk);
  const std::optional<RunCase> fewer = sliced(inputs, slice);
  if (fewer && search.take(made(*fewer, metadata, fewer->problem.tensors()))) return true;
  return search.take(made(inputs, metadata, inputs.problem.tensors()));
}

bool take_without_option(Search& search, const char* option) {
  Metadata metadata = search.now().metadata;
  if (metadata.erase(option) == 0) return false;
  TensorMap inputs = search.now().problem.tensors();
  const bool transposes = search.now().problem.options().state_layout == StateLayout::vk;
  if (transposes && std::string(option) == "state_layout" && inputs.contains("initial_state")) {
    inputs["initial_state"] = laws::transposed(inputs["initial_state"]);
  }
  return search.take(made(search.now(), std::move(metadata), std::move(inputs)));
}

bool take_without_tensor(Search& search, const char* tensor) {
  TensorMap inputs = search.now().problem.tensors();
  if (inputs.erase(tensor) == 0) return false;
  return search.take(made(search.now(), search.now().metadata, std::move(inputs)));
}

bool smaller_cache(Search& search) {
  bool any = false;
  for (const auto& [name, least] : {std::pair{"cache_size", 0}, std::pair{"cache_block", 1}}) {
    const HolaOptions& hola = search.now().problem.options().hola;
    const std::int64_t now = name == std::string("cache_size") ? hola.cache_size : hola.cache_block;
    for (const std::int64_t size : {std::int64_t{least}, now / 2, now - 1}) {
      if (size < least || size >= now || !take_number(search, name, size)) continue;
      any = true;
      break;
    }
  }
  return any;
}

std::optional<RunCase> edited(const RunCase& run, const std::string& tensor, To to, std::int64_t begin,
                              std::int64_t end) {
  TensorMap inputs{{tensor, *run.problem.find(tensor)}};
  if (begin < 0) apply_edit({tensor, to, -1}, inputs);
  for (std::int64_t t = begin; begin >= 0 && t < end; ++t) apply_edit({tensor, to, t}, inputs);
  TensorMap all = run.problem.tensors();
  all[tensor] = std::move(inputs.at(tensor));
  return made(run, run.metadata, std::move(all));
}

// A range of tokens, or its halves.
bool take_edit(Search& search, const std::string& tensor, To to, std::int64_t begin, std::int64_t end) {
  if (search.is_over()) return false;
  if (search.take(edited(search.now(), tensor, to, begin, end))) return true;
  if (end - begin <= 1) return false;
  const std::int64_t middle = begin + (end - begin) / 2;
  const bool first = take_edit(search, tensor, to, begin, middle);
  return take_edit(search, tensor, to, middle, end) || first;
}

bool plainer(Search& search, const std::string& tensor) {
  if (search.now().problem.find(tensor) == nullptr) return false;
  bool any = false;
  for (const To to : {To::zero, To::one, To::power_of_two}) {
    if (search.take(edited(search.now(), tensor, to, -1, -1))) {
      any = true;
    } else if (has_tokens(tensor)) {
      any |= take_edit(search, tensor, to, 0, search.now().problem.dims().T);
    }
  }
  return any;
}

}  // namespace

bool plainer_options(Search& search) {
  if (!search.runs()) return false;
  bool any = false;
  for (const std::int64_t chunk : {16, 32, 64}) {
    if (!take_chunk_size(search, chunk)) continue;
    any = true;
    break;
  }
  for (const char* tensor : {"initial_state", "g"}) any |= take_without_tensor(search, tensor);
  for (const char* option : {"states_every", "state_layout", "qk_l2norm", "qk_l2norm_eps", "variant", "position", "c",
                             "scale", "eps", "score", "read", "tau", "read_eps", "state_rule"}) {
    any |= take_without_option(search, option);
  }
  if (search.now().problem.options().rule == Rule::hola) any |= smaller_cache(search);
  return any;
}

bool plainer_values(Search& search) {
  if (!search.runs()) return false;
  bool any = false;
  for (const char* tensor : {"g", "initial_state", "v", "q", "k", "beta", "eta", "sink", "cache_gate", "gamma_q",
                             "gamma_k"}) {
    any |= plainer(search, tensor);
  }
  return any;
}

}  // namespace deltaproof
