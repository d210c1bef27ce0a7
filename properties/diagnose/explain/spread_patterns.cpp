#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "properties/diagnose/explain/spread.hpp"

namespace deltaproof {
namespace {

using Head = std::pair<std::int64_t, std::int64_t>;  // sequence, head

struct HeadTokens {
  std::set<std::int64_t> bad, judged;
};
using TokensOfHeads = std::map<Head, HeadTokens>;

TokensOfHeads tokens_of(const TensorSpread& spread, const RunMap& run) {
  TokensOfHeads heads;
  for (const MeasuredBlock& block : run.planes()) {
    if (block.place.tensor != spread.tensor) continue;
    HeadTokens& head = heads[{block.place.sequence, block.place.head}];
    for (Index i = 0; i < block.value.rows(); ++i) {
      bool bad = false, judged = false;
      for (Index j = 0; j < block.value.cols(); ++j) {
        judged = judged || is_judged(block, i, j);
        bad = bad || block.ratio(i, j) > 1;
      }
      const std::int64_t token = place_of(block, i, 0).token;
      if (judged) head.judged.insert(token);
      if (bad) head.bad.insert(token);
    }
  }
  return heads;
}

std::int64_t length_of(const Problem& problem, std::int64_t sequence) {
  return problem.sequences()[static_cast<std::size_t>(sequence)].length;
}

template <class Holds>
bool all_bad(const TokensOfHeads& heads, const Holds& holds) {
  for (const auto& [head, tokens] : heads) {
    for (const std::int64_t token : tokens.bad) {
      if (!holds(head, token)) return false;
    }
  }
  return true;
}

// How the wrong tokens of each head lie in its sequence.
void add_runs(const TokensOfHeads& heads, std::vector<std::string>& patterns) {
  std::int64_t failing = 0, single = 0, suffix = 0, whole = 0;
  for (const auto& [head, tokens] : heads) {
    if (tokens.bad.empty()) continue;
    ++failing;
    single += tokens.bad.size() == 1;
    const auto from = static_cast<std::size_t>(std::distance(tokens.judged.lower_bound(*tokens.bad.begin()), tokens.judged.end()));
    suffix += from == tokens.bad.size();
    whole += tokens.bad.size() == tokens.judged.size();
  }
  if (failing == 0) return;
  if (whole == failing) return;  // the axes say so
  if (single == failing) {
    patterns.push_back(failing == 1 ? "one token, and none after it" : "one token of each head that is wrong, and none after it");
  } else if (suffix == failing) {
    patterns.push_back(failing == 1 ? "every token from the first wrong one on" : "in each head every token from its first wrong one on");
  }
}

void add_chunk_places(const TensorSpread& spread, const TokensOfHeads& heads, const Problem& problem,
                      std::vector<std::string>& patterns) {
  const std::int64_t C = problem.options().chunk_size;
  const AxisSpread* chunks = spread.find("chunk");
  const AxisSpread* positions = spread.find("position");
  if (positions == nullptr || positions->judged.size() < 2) return;
  const char* which = chunks->bad.size() == chunks->judged.size() ? "every chunk" : "a chunk";
  if (all_bad(heads, [&](const Head& head, std::int64_t token) {
        return token % C == C - 1 || token + 1 == length_of(problem, head.first);
      })) {
    patterns.push_back(fmt::format("only the last token of {}", which));
  }
  if (positions->bad == std::vector<std::int64_t>{0}) patterns.push_back(fmt::format("only the first token of {}", which));
  if (positions->bad.front() > 0 && positions->bad.back() + 1 == C && positions->bad.size() > 1 &&
      static_cast<std::int64_t>(positions->bad.size()) == C - positions->bad.front()) {
    patterns.push_back(fmt::format("the first {} of a chunk are right", positions->bad.front() == 1
                                       ? std::string("token") : fmt::format("{} tokens", positions->bad.front())));
  }
}

void add_tail(const TensorSpread& spread, const TokensOfHeads& heads, const Problem& problem,
              std::vector<std::string>& patterns) {
  const std::int64_t C = problem.options().chunk_size;
  const auto in_tail = [&](const Head& head, std::int64_t token) {
    const std::int64_t length = length_of(problem, head.first), chunk = (spread.is_state ? token - 1 : token) / C;
    return length % C != 0 && chunk == length / C;
  };
  // Where nothing else was judged it says nothing: the final states of sequences that all end in a partial chunk.
  const bool others = std::any_of(heads.begin(), heads.end(), [&](const auto& head) {
    const auto& judged = head.second.judged;
    return std::any_of(judged.begin(), judged.end(), [&](std::int64_t token) { return !in_tail(head.first, token); });
  });
  if (others && all_bad(heads, in_tail)) patterns.push_back("only the tail: the last, partial chunk of a sequence");
}

// Value head i reads key head i / (HV / H).
void add_key_heads(const TensorSpread& spread, const Problem& problem, std::vector<std::string>& patterns) {
  const std::int64_t group = problem.dims().HV / std::max<std::int64_t>(problem.dims().H, 1);
  const std::vector<std::int64_t>& heads = spread.find("head")->bad;
  if (group < 2 || static_cast<std::int64_t>(heads.size()) == problem.dims().HV) return;
  std::map<std::int64_t, std::int64_t> of_key;
  for (const std::int64_t head : heads) ++of_key[head / group];
  const bool whole = std::all_of(of_key.begin(), of_key.end(), [&](const auto& k) { return k.second == group; });
  if (whole) {
    std::string names;
    for (const auto& [key, count] : of_key) names += fmt::format("{}{}", names.empty() ? "" : ", ", key);
    patterns.push_back(fmt::format("all value heads of key head {} and no other", names));
  }
  if (std::none_of(heads.begin(), heads.end(), [&](std::int64_t head) { return head % group == 0; })) {
    patterns.push_back("the first value head of every key head is right");
  }
}

void add_chunk_from(const TensorSpread& spread, std::vector<std::string>& patterns) {
  const AxisSpread* chunks = spread.find("chunk");
  if (chunks->judged.size() < 2 || chunks->judged.front() != 0 || chunks->bad.front() == 0) return;
  if (chunks->bad.size() + 1 == chunks->judged.size()) patterns.push_back("every chunk but the first");
}

}  // namespace

std::vector<std::string> spread_patterns(const TensorSpread& spread, const RunMap& run, const Problem& problem) {
  std::vector<std::string> patterns;
  const TokensOfHeads heads = tokens_of(spread, run);
  if (!spread.is_state) {
    add_runs(heads, patterns);
    add_chunk_places(spread, heads, problem, patterns);
  }
  add_chunk_from(spread, patterns);
  add_tail(spread, heads, problem, patterns);
  add_key_heads(spread, problem, patterns);
  return patterns;
}

}  // namespace deltaproof
