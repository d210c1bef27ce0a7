#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "properties/diagnose/explain/value_pattern.hpp"

namespace deltaproof {
namespace {

using PlaceOf = std::function<MeasuredPlace(const MeasuredPlace&)>;

struct Move {
  std::string words;  ///< "of the token before"
  PlaceOf from;       ///< where a value would come from; block null: from nowhere
};

bool inside(const MeasuredBlock* block, Index i, Index j) {
  return block != nullptr && i >= 0 && j >= 0 && i < block->value.rows() && j < block->value.cols() && is_judged(*block, i, j);
}

double allowed_of(const MeasuredPlace& wrong, const MeasuredPlace& from) {
  return wrong.block->allowed(wrong.i, wrong.j) + from.block->allowed(from.i, from.j);
}

bool agrees(const MeasuredPlace& wrong, const MeasuredPlace& from) {
  return std::abs(wrong.block->value(wrong.i, wrong.j) - from.block->expected(from.i, from.j)) <= allowed_of(wrong, from);
}

double surprise_of(const MeasuredPlace& wrong, const MeasuredPlace& from) {
  return surprise(std::abs(wrong.block->value(wrong.i, wrong.j) - wrong.block->expected(wrong.i, wrong.j)), allowed_of(wrong, from));
}

// How many of the values are those of their source; nothing if one is not, or if most have none.
std::optional<std::int64_t> moved(const WrongValues& values, const PlaceOf& from) {
  std::size_t count = 0;
  double bits = 0;
  for (const MeasuredPlace& wrong : values) {
    const MeasuredPlace source = from(wrong);
    if (!inside(source.block, source.i, source.j)) continue;
    if (!agrees(wrong, source)) return std::nullopt;
    ++count;
    bits += surprise_of(wrong, source);
  }
  if (bits < significant_bits || 2 * count < values.size()) return std::nullopt;
  return static_cast<std::int64_t>(count);
}

PlaceOf within_block(Index rows, Index columns) {
  return [=](const MeasuredPlace& p) { return MeasuredPlace{p.block, p.i + rows, p.j + columns}; };
}

PlaceOf of_block(const RunMap& run, std::int64_t sequences, std::int64_t heads, std::int64_t tokens) {
  return [&run, sequences, heads, tokens](const MeasuredPlace& p) {
    const ComparedBlock& at = p.block->place;
    const std::int64_t token = at.is_state ? at.first_token + tokens : 0;
    return MeasuredPlace{run.find(at.tensor, at.sequence + sequences, at.head + heads, token), p.i, p.j};
  };
}

std::vector<Move> moves_of_o(const RunMap& run, const Problem& problem) {
  const std::int64_t C = problem.options().chunk_size;
  return {{"of the token before", within_block(-1, 0)},
          {"of the next token", within_block(1, 0)},
          {"of the chunk before", within_block(-C, 0)},
          {"of the next chunk", within_block(C, 0)},
          {"of the sequence before", of_block(run, -1, 0, 0)},
          {"of the next sequence", of_block(run, 1, 0, 0)}};
}

std::vector<Move> moves_of_states(const RunMap& run, const Problem& problem) {
  const std::int64_t every = problem.options().states_every;
  return {{"of the boundary before", of_block(run, 0, 0, -every)},
          {"of the next boundary", of_block(run, 0, 0, every)},
          {"of the sequence before", of_block(run, -1, 0, 0)},
          {"of the next sequence", of_block(run, 1, 0, 0)},
          {"of the row before", within_block(-1, 0)},
          {"of the next row", within_block(1, 0)},
          {"of the transposed state", [](const MeasuredPlace& p) { return MeasuredPlace{p.block, p.j, p.i}; }}};
}

// For each head that is wrong the one whose values it has; nothing if one has those of none.
std::optional<std::map<std::int64_t, std::int64_t>> heads_moved(const WrongValues& values, const RunMap& run,
                                                                const Problem& problem) {
  std::map<std::int64_t, WrongValues> by_head;
  for (const MeasuredPlace& p : values) by_head[p.block->place.head].push_back(p);
  std::map<std::int64_t, std::int64_t> from;
  for (const auto& [head, members] : by_head) {
    for (std::int64_t other = 0; other < problem.dims().HV && !from.contains(head); ++other) {
      if (other != head && moved(members, of_block(run, 0, other - head, 0))) from[head] = other;
    }
    if (!from.contains(head)) return std::nullopt;
  }
  return from;
}

ValuePattern pattern_of(const std::string& tensor, std::int64_t count, const WrongValues& of, const std::string& words) {
  ValuePattern pattern{"moved", tensor};
  pattern.values = count;
  pattern.wrong = static_cast<std::int64_t>(of.size());
  pattern.sentence = fmt::format("the wrong values of {} are those {}", tensor, words);
  if (count < pattern.wrong) pattern.sentence += fmt::format(" ({} of {}; of the others there are none)", count, of.size());
  return pattern;
}

std::string heads_text(const std::map<std::int64_t, std::int64_t>& from) {
  constexpr std::size_t shown = 4;
  std::string text;
  std::size_t count = 0;
  for (const auto& [head, other] : from) {
    if (count++ < shown) text += fmt::format("{}head {} has head {}'s", text.empty() ? "" : ", ", head, other);
  }
  if (count > shown) text += fmt::format(" and {} more", count - shown);
  return text;
}

}  // namespace

std::vector<ValuePattern> moved_patterns(const WrongValues& of, const std::string& tensor, const RunMap& run,
                                         const Problem& problem) {
  std::vector<ValuePattern> patterns;
  std::vector<Move> moves = tensor == "o" ? moves_of_o(run, problem) : moves_of_states(run, problem);
  moves.push_back({"of the column before", within_block(0, -1)});
  moves.push_back({"of the next column", within_block(0, 1)});
  for (const Move& move : moves) {
    if (const auto count = moved(of, move.from)) patterns.push_back(pattern_of(tensor, *count, of, move.words));
  }
  if (const auto heads = heads_moved(of, run, problem)) {
    patterns.push_back(pattern_of(tensor, static_cast<std::int64_t>(of.size()), of, "of another head: " + heads_text(*heads)));
  }
  return patterns;
}

}  // namespace deltaproof
