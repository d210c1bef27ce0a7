#include <algorithm>

#include "properties/claims/hola_parts.hpp"
#include "properties/claims/hola_steps.hpp"
#include "properties/claims/hola_streams.hpp"

namespace deltaproof::claims {
namespace {

using StreamQuantity = Quantity<Stream>;
using StreamStatement = Universal<Stream>;
using Rule = std::function<Positions(const Stream&)>;

const char* const in_blocks =
    "exhaustive: all scores 0 to 2 of up to 5 tokens, w to 3, all cuts into blocks, smallest first; 200 random longer "
    "streams";
Check over_blocks(const StreamStatement& statement) {
  return [statement](const Effort& effort) { return decide(statement, streams_in_blocks(effort)); };
}

Claim size() {
  const StreamStatement stated{
      {"entries kept", [](const Stream& stream) { return number(std::ssize(one_by_one(stream))); }},
      Relation::at_most,
      {"w", [](const Stream& stream) { return number(stream.w); }},
      {},
      {},
      "An entry leaves whenever there are w + 1."};
  StreamStatement fewer = stated, exactly_w = stated;
  fewer.right = {"w - 1", [](const Stream& stream) { return number(stream.w - 1); }};
  exactly_w.relation = Relation::equal;
  exactly_w.right = {"min(w, tokens)", [](const Stream& stream) {
                       return number(std::min<std::int64_t>(stream.w, std::ssize(stream.scores)));
                     }};
  return {"hola.persistent_size",
          {"hola", "Section 3.3", "5-6", Voice::stated},
          "at most w entries persist",
          "",
          in_blocks,
          over_blocks(stated),
          {{"they are min(w, tokens)", Outcome::holds, over_blocks(exactly_w)},
           {"they are at most w - 1", Outcome::refuted, over_blocks(fewer)}}};
}

bool holds_position(const Positions& kept, int position) {
  return std::binary_search(kept.begin(), kept.end(), position);
}

/// Entries that were kept when they came, whose score is above all later ones, and that are not kept at the end.
std::int64_t lost(const Stream& stream, const Rule& rule) {
  const Positions at_end = rule(stream);
  std::int64_t count = 0;
  for (int i = 0; i < static_cast<int>(stream.scores.size()); ++i) {
    const auto own = stream.scores.begin() + i;
    const bool above = std::all_of(own + 1, stream.scores.end(), [&](int later) { return later < *own; });
    Stream until = stream;
    until.scores.resize(static_cast<std::size_t>(i) + 1);
    if (above && holds_position(rule(until), i) && !holds_position(at_end, i)) ++count;
  }
  return count;
}

StreamQuantity lost_by(const Rule& rule) {
  return {"kept entries above all later scores that leave",
          [rule](const Stream& stream) { return number(lost(stream, rule)); }};
}

Claim occupancy() {
  StreamStatement stated{lost_by(one_by_one),
                         Relation::equal,
                         {"none", [](const Stream&) { return number(0); }},
                         {},
                         {},
                         "Only an entry with a larger score, or an equal one that was earlier, drives it out."};
  StreamStatement window = stated, aged = stated;
  window.left = lost_by(recent);
  aged.left = lost_by(ageing);
  return {"hola.long_occupancy",
          {"hola", "Section 3.3", "5-6", Voice::derived},
          "distance evicts nothing: a kept entry whose score is above all later ones is never evicted",
          "scores fixed when written",
          in_blocks,
          over_blocks(stated),
          {{"so it is where the last w are kept", Outcome::refuted, over_blocks(window)},
           {"so it is where scores halve with every token", Outcome::refuted, over_blocks(aged)}}};
}

Claim recency() {
  const auto rising = [](bool up) {
    return [up](const Stream& stream) {
      return std::adjacent_find(stream.scores.begin(), stream.scores.end(),
                                [up](int a, int b) { return up ? a >= b : a <= b; }) == stream.scores.end();
    };
  };
  const auto total = [](const Stream& stream, const Positions& kept) {
    std::int64_t sum = 0;
    for (const int position : kept) sum += stream.scores[static_cast<std::size_t>(position)];
    return number(sum);
  };
  StreamStatement stated{
      {"scores of the w best, added up", [=](const Stream& stream) { return total(stream, top(stream)); }},
      Relation::at_most,
      {"scores of the last w, added up", [=](const Stream& stream) { return total(stream, recent(stream)); }},
      {},
      {},
      "Then the last are the best."};
  StreamStatement up = stated, down = stated;
  up.premise = {"scores rise", rising(true)};
  down.premise = {"scores fall", rising(false)};
  return {"hola.recency_selects",
          {"hola", "Sections 2 and 4.5", "3, 8-9", Voice::reading},
          "the last w tokens, as a window keeps them, are the w best",
          "",
          in_blocks,
          noting(over_blocks(stated),
                 "The source says the opposite: a window drops what is important and far, and recency is the baseline "
                 "that the score is better than."),
          {{"they are where the scores rise from token to token", Outcome::holds, over_blocks(up)},
           {"they are where the scores fall", Outcome::refuted, over_blocks(down)}}};
}

}  // namespace

std::vector<Claim> hola_selection_claims() { return {size(), occupancy(), recency()}; }

}  // namespace deltaproof::claims
