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
const char* const in_orders =
    "exhaustive: all scores 0 to 2 of up to 4 tokens, w to 3, all orders of arrival, smallest first; 200 random longer "
    "streams";

Check over_blocks(const StreamStatement& statement) {
  return [statement](const Effort& effort) { return decide(statement, streams_in_blocks(effort)); };
}

Check over_orders(const StreamStatement& statement) {
  return [statement](const Effort& effort) { return decide(statement, streams_in_orders(effort)); };
}

StreamQuantity kept_by(const std::string& name, const Rule& rule) {
  return {name, [rule](const Stream& stream) { return as_row(rule(stream)); }};
}

Claim blocks() {
  const StreamStatement stated{
      kept_by("kept one by one", one_by_one),
      Relation::equal,
      kept_by("kept block after block", [](const Stream& stream) { return by_blocks(stream, stream.w); }),
      {},
      {},
      "Score and position make a total order; what is not among the w best of a part is not among those of the whole."};
  StreamStatement fewer = stated;
  fewer.right = kept_by("kept where a block offers half of w",
                        [](const Stream& stream) { return by_blocks(stream, (stream.w + 1) / 2); });
  StreamStatement all_at_once = stated;
  all_at_once.right = kept_by("the w best of all", top);
  return {"hola.topw_blocks",
          {"hola", "Section 3.3", "6"},
          "With scores fixed when written, keeping the top w token by token and block by block are the same.",
          "of equal scores the earlier is kept",
          in_blocks,
          over_blocks(stated),
          {{"Both are the w best of all tokens.", Outcome::holds, over_blocks(all_at_once)},
           {"A block may offer only half of w.", Outcome::refuted, over_blocks(fewer)}}};
}

Claim order() {
  const Premise<Stream> distinct{
      "no two scores are equal, or equal ones are told apart by a rule such as their position",
      [](const Stream& stream) {
        std::vector<int> scores = stream.scores;
        std::sort(scores.begin(), scores.end());
        return std::adjacent_find(scores.begin(), scores.end()) == scores.end();
      }};
  const StreamStatement stated{
      kept_by("kept in this order of arrival", first_come),
      Relation::equal,
      kept_by("the w best, the earlier of equal ones", top),
      {},
      distinct,
      "The w best of a set under a total order do not depend on the order in which it is looked through."};
  StreamStatement with_rule = stated, recency = stated;
  with_rule.left = kept_by("kept in this order of arrival, the earlier position of equal scores", in_order);
  recency.left = kept_by("the last w", recent);
  with_rule.condition = recency.condition = {};
  return {"hola.topw_order",
          {"hola", "Section 3.3", "6"},
          "The same scores leave the same top w in whatever order they are merged.",
          "the source gives no rule for equal scores: an entry is replaced by a larger score only",
          in_orders,
          over_orders(stated),
          {{"They do where of equal scores the earlier position is kept.", Outcome::holds, over_orders(with_rule)},
           {"The last w do.", Outcome::refuted, over_orders(recency)}}};
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
          {"hola", "Section 3.3", "5-6"},
          "At most w entries persist.",
          "",
          in_blocks,
          over_blocks(stated),
          {{"They are min(w, tokens).", Outcome::holds, over_blocks(exactly_w)},
           {"They are at most w - 1.", Outcome::refuted, over_blocks(fewer)}}};
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
          {"hola", "Section 3.3", "5-6"},
          "Distance evicts nothing: a kept entry whose score is above all later ones is never evicted.",
          "scores fixed when written",
          in_blocks,
          over_blocks(stated),
          {{"So it is where the last w are kept.", Outcome::refuted, over_blocks(window)},
           {"So it is where scores halve with every token.", Outcome::refuted, over_blocks(aged)}}};
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
          {"hola", "Sections 2 and 4.5", "3, 8-9"},
          "The last w tokens, as a window keeps them, are the w best.",
          "",
          in_blocks,
          over_blocks(stated),
          {{"They are where the scores rise from token to token.", Outcome::holds, over_blocks(up)},
           {"They are where the scores fall.", Outcome::refuted, over_blocks(down)}}};
}

}  // namespace

std::vector<Claim> hola_selection_claims() { return {blocks(), order(), size(), occupancy(), recency()}; }

}  // namespace deltaproof::claims
