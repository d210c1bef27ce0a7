// Sequences and heads.
#include <algorithm>
#include <utility>

#include "properties/diagnose/shrink/passes.hpp"
#include "properties/diagnose/shrink/slice.hpp"
#include "properties/diagnose/shrink/valid_slices.hpp"
#include "properties/laws/tensors.hpp"
#include "reference/problem/input_error.hpp"

namespace deltaproof {
namespace {

using laws::Indices;

std::int64_t group_of(const Problem& problem) { return problem.dims().HV / problem.dims().H; }

// The value heads of these key heads.
Indices values_of(const Problem& problem, const Indices& key_heads) {
  Indices values;
  for (const std::int64_t head : key_heads) {
    for (std::int64_t i = 0; i < group_of(problem); ++i) values.push_back(head * group_of(problem) + i);
  }
  return values;
}

void keep_head(const Problem& problem, std::int64_t head, Slice& slice) {
  slice.key_heads = {head / group_of(problem)};
  slice.value_heads = {head};
}

// The same case without an input that says nothing.
std::optional<RunCase> without(const RunCase& run, const char* tensor) try {
  TensorMap inputs = run.problem.tensors();
  inputs.erase(tensor);
  return RunCase{run.metadata, run.problem.with_inputs(std::move(inputs)), run.outputs};
} catch (const InputError&) {
  return std::nullopt;
}

bool rows_are_in_order(const Problem& problem) {
  const auto& all = problem.sequences();
  return problem.dims().pool == problem.dims().N &&
         std::all_of(all.begin(), all.end(), [](const Sequence& s) { return s.state_row == s.index; });
}

// One sequence that has every row is an unpacked row; a pool whose rows are those of the sequences in order is none.
bool plainer_form(Search& search) {
  bool any = false;
  if (search.now().problem.find("state_indices") != nullptr) {
    Slice slice = whole(search.now().problem);
    slice.pool = false;
    any |= search.take(sliced(search.now(), slice));
    if (rows_are_in_order(search.now().problem)) any |= search.take(without(search.now(), "state_indices"));
  }
  const Problem& problem = search.now().problem;
  if (problem.find("cu_seqlens") != nullptr && problem.dims().N == 1 && problem.sequences()[0].length == problem.dims().T) {
    any |= search.take(without(search.now(), "cu_seqlens"));
  }
  return any;
}

bool fewer_value_heads(Search& search) {
  bool any = false;
  for (std::int64_t size = 1; size < group_of(search.now().problem); ++size) {
    const Problem& problem = search.now().problem;
    const std::int64_t group = group_of(problem);
    const std::int64_t in_group = std::max<std::int64_t>(search.place().head, 0) % group;
    Slice slice = whole(problem);
    slice.value_heads.clear();
    for (std::int64_t key = 0; key < problem.dims().H; ++key) {
      const std::int64_t first = std::min(in_group, group - size);
      for (std::int64_t i = 0; i < size; ++i) slice.value_heads.push_back(key * group + first + i);
    }
    any |= search.take(sliced(search.now(), slice));
  }
  return any;
}

}  // namespace

bool focus(Search& search) {
  const Location place = search.place();
  if (place.sequence < 0 || place.head < 0 || place.token < 0) return false;
  const RunCase& run = search.now();
  const std::int64_t every = run.problem.options().states_every;
  const std::int64_t length = run.problem.sequences()[static_cast<std::size_t>(place.sequence)].length;
  const std::int64_t chunk = (place.row >= 0 ? std::max<std::int64_t>(place.token - 1, 0) : place.token) / every;
  const std::int64_t end = std::min((chunk + 1) * every, length);
  const bool later = search.runs() || why_not_later(run).empty();
  for (const bool one_head : {true, false}) {
    for (const std::int64_t before : {std::int64_t{0}, std::int64_t{1}, chunk}) {
      if (before < chunk && !later) continue;
      Slice slice = whole(run.problem);
      slice.sequences = {{place.sequence, std::max<std::int64_t>(chunk - before, 0) * every, end}};
      if (one_head) keep_head(run.problem, place.head, slice);
      if (search.take(sliced(run, slice))) return true;
    }
  }
  return false;
}

bool fewer_sequences(Search& search) {
  const bool fewer = keep_fewer(search.now().problem.dims().N, search.place().sequence, [&](const Indices& kept) {
    Slice slice = whole(search.now().problem);
    const std::vector<TokenRange> all = slice.sequences;
    slice.sequences.clear();
    for (const std::int64_t n : kept) slice.sequences.push_back(all[static_cast<std::size_t>(n)]);
    return search.take(sliced(search.now(), slice));
  });
  return plainer_form(search) || fewer;
}

bool fewer_heads(Search& search) {
  Slice one = whole(search.now().problem);
  keep_head(search.now().problem, std::max<std::int64_t>(search.place().head, 0), one);
  if (search.now().problem.dims().HV > 1 && search.take(sliced(search.now(), one))) return true;
  const std::int64_t favourite = search.place().head / group_of(search.now().problem);
  const bool fewer = keep_fewer(search.now().problem.dims().H, favourite, [&](const Indices& kept) {
    Slice slice = whole(search.now().problem);
    slice.key_heads = kept;
    slice.value_heads = values_of(search.now().problem, kept);
    return search.take(sliced(search.now(), slice));
  });
  return fewer_value_heads(search) || fewer;
}

}  // namespace deltaproof
