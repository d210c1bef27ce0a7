#include <algorithm>

#include "properties/claims/hola_parts.hpp"
#include "properties/claims/hola_streams.hpp"

namespace deltaproof::claims {
namespace {

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

Quantity<Stream> kept_by(const std::string& name, const Rule& rule) {
  return {name, [rule](const Stream& stream) { return as_row(rule(stream)); }};
}

const Premise<Stream> distinct{"no two scores are equal, or equal ones are told apart by a rule such as their position",
                               [](const Stream& stream) {
                                 std::vector<int> scores = stream.scores;
                                 std::sort(scores.begin(), scores.end());
                                 return std::adjacent_find(scores.begin(), scores.end()) == scores.end();
                               }};

/// Block after block, sorted by score alone with the new block in front: of equal scores the newer block's is kept.
Positions new_block_first(const Stream& stream) {
  Positions kept;
  int begin = 0;
  for (const int size : stream.blocks) {
    Positions merged;
    for (int position = begin; position < begin + size; ++position) merged.push_back(position);
    begin += size;
    merged.insert(merged.end(), kept.begin(), kept.end());
    std::stable_sort(merged.begin(), merged.end(), [&](int a, int b) {
      return stream.scores[static_cast<std::size_t>(a)] > stream.scores[static_cast<std::size_t>(b)];
    });
    merged.resize(std::min(merged.size(), static_cast<std::size_t>(stream.w)));
    kept = merged;
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

Claim blocks() {
  const StreamStatement stated{
      kept_by("kept one by one, an entry giving way to a larger score only", one_by_one),
      Relation::equal,
      kept_by("kept block after block, the new block in front", new_block_first),
      {},
      distinct,
      "Score and position make a total order; what is not among the w best of a part is not among those of the whole."};
  StreamStatement with_rule = stated, at_once = stated, fewer = stated;
  with_rule.condition = at_once.condition = fewer.condition = {};
  with_rule.right = kept_by("kept block after block", [](const Stream& stream) { return by_blocks(stream, stream.w); });
  at_once.right = kept_by("the w best of all", top);
  fewer.right = kept_by("kept where a block offers half of w",
                        [](const Stream& stream) { return by_blocks(stream, (stream.w + 1) / 2); });
  return {"hola.topw_blocks",
          {"hola", "Section 3.3", "6", Voice::stated},
          "with scores fixed when written, keeping the top w token by token and block by block are the same",
          "the source gives no rule for equal scores",
          in_blocks,
          over_blocks(stated),
          {{"they are the same where of equal scores the earlier is kept", Outcome::holds, over_blocks(with_rule)},
           {"token by token leaves the w best of all tokens, the earlier of equal ones", Outcome::holds,
            over_blocks(at_once)},
           {"they are the same where a block offers only half of w", Outcome::refuted, over_blocks(fewer)}}};
}

Claim order() {
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
          {"hola", "Section 3.3", "6", Voice::derived},
          "the same scores leave the same top w in whatever order they are merged",
          "the source gives no rule for equal scores: an entry is replaced by a larger score only",
          in_orders,
          over_orders(stated),
          {{"they do where of equal scores the earlier position is kept", Outcome::holds, over_orders(with_rule)},
           {"the last w do not depend on the order, and are the w best", Outcome::refuted, over_orders(recency)}}};
}

}  // namespace

std::vector<Claim> hola_merge_claims() { return {blocks(), order()}; }

}  // namespace deltaproof::claims
