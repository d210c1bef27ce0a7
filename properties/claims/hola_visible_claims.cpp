#include <algorithm>

#include "properties/claims/hola_parts.hpp"
#include "properties/claims/hola_streams.hpp"

namespace deltaproof::claims {
namespace {

/// When the persistent set takes in a token. The source leaves it open: the first two are possible.
enum class Update {
  at_boundaries,    ///< at the end of its chunk
  at_once,          ///< with the token
  whole_chunk,      ///< with the first token of its chunk, by the scores of all of the chunk
  whole_chunk_cut,  ///< so, and later positions are masked afterwards
};

/// Scores, w, and the chunk size in blocks[0].
using Chunked = Stream;

/// What the query at `t` sees, without the sink.
Positions visible(const Chunked& stream, int t, Update update) {
  const int chunk = stream.blocks.front(), begin = t / chunk * chunk;
  const int end = std::min(begin + chunk, static_cast<int>(stream.scores.size()));
  const int until = update == Update::at_boundaries ? begin : update == Update::at_once ? t + 1 : end;
  Stream seen = stream;
  seen.scores.resize(static_cast<std::size_t>(until));
  Positions positions = top(seen);
  if (update == Update::whole_chunk_cut) std::erase_if(positions, [&](int position) { return position > t; });
  for (int position = begin; position <= t; ++position) positions.push_back(position);
  std::sort(positions.begin(), positions.end());
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  return positions;
}

/// Queries that see a later token, or whose set depends on a later score.
std::int64_t not_causal(const Chunked& stream, Update update) {
  std::int64_t count = 0;
  for (int t = 0; t < static_cast<int>(stream.scores.size()); ++t) {
    const Positions seen = visible(stream, t, update);
    bool wrong = !seen.empty() && seen.back() > t;
    for (const int later : {0, 9}) {
      Chunked other = stream;
      std::fill(other.scores.begin() + t + 1, other.scores.end(), later);
      wrong = wrong || visible(other, t, update) != seen;
    }
    count += wrong;
  }
  return count;
}

/// Up to 5 tokens with scores 0 to 2, w to 2, chunks of 1 to 3: smallest first.
std::vector<Chunked> chunked_streams(const Effort& effort) {
  std::vector<Chunked> streams;
  for (Stream& each : streams_in_blocks(effort)) {
    if (each.blocks.size() > 1 || each.w > 2) continue;
    for (int chunk = 1; chunk <= 3; ++chunk) {
      each.blocks = {chunk};
      streams.push_back(each);
    }
  }
  return streams;
}

using ChunkedStatement = Universal<Chunked>;

Check check_of(const ChunkedStatement& statement) {
  return [statement](const Effort& effort) { return decide(statement, chunked_streams(effort)); };
}

const char* const method =
    "exhaustive: all scores 0 to 2 of up to 5 tokens, w to 2, chunks of 1 to 3, smallest first; later scores are "
    "replaced to see "
    "what depends on them. \"order\" has no meaning here, \"blocks\" is the chunk size";

ChunkedStatement causal(Update update) {
  return {{"queries that see a later token or depend on a later score",
           [update](const Chunked& stream) { return number(not_causal(stream, update)); }},
          Relation::equal,
          {"none", [](const Chunked&) { return number(0); }},
          {},
          {},
          "The persistent set is of tokens up to the query, and so is the rest of the chunk that it sees."};
}

Claim causality() {
  return {"hola.causal",
          {"hola", "Section 3.3", "6"},
          "A query sees the persistent entries, its chunk up to itself and the sink: nothing later, and nothing that "
          "depends on it.",
          "the persistent set is updated at the end of a chunk",
          method,
          check_of(causal(Update::at_boundaries)),
          {{"So it is where the set is updated with every token.", Outcome::holds, check_of(causal(Update::at_once))},
           {"So it is where the set is chosen with the scores of the whole chunk.", Outcome::refuted,
            check_of(causal(Update::whole_chunk))}}};
}

Claim whole_chunk() {
  return {"hola.chunk_selection_causal",
          {"hola", "Section 3.3, on training in chunks", "6"},
          "The top w may be chosen with the scores of the whole chunk, if later positions are masked afterwards.",
          "",
          method,
          check_of(causal(Update::whole_chunk_cut)),
          {{"They may be chosen with the scores of earlier chunks.", Outcome::holds,
            check_of(causal(Update::at_boundaries))},
           {"They may be chosen with those of the whole chunk without a mask.", Outcome::refuted,
            check_of(causal(Update::whole_chunk))}}};
}

std::int64_t largest_visible(const Chunked& stream, Update update) {
  std::int64_t largest = 0;
  for (int t = 0; t < static_cast<int>(stream.scores.size()); ++t) {
    largest = std::max<std::int64_t>(largest, std::ssize(visible(stream, t, update)) + 1);
  }
  return largest;
}

ChunkedStatement size_bound(Update update, int less) {
  return {{"largest number visible, with the sink",
           [update](const Chunked& stream) { return number(largest_visible(stream, update)); }},
          Relation::at_most,
          {less == 0 ? "w + C + 1" : "w + C",
           [less](const Chunked& stream) { return number(stream.w + stream.blocks.front() + 1 - less); }},
          {},
          {},
          "At most w persist, at most C are in the chunk, and there is one sink."};
}

Claim bound() {
  return {"hola.visible_bound",
          {"hola", "Section 3.3; Appendix A", "6, 12"},
          "A query sees at most w + C + 1 entries.",
          "",
          method,
          check_of(size_bound(Update::at_boundaries, 0)),
          {{"So it is where the set is updated with every token.", Outcome::holds,
            check_of(size_bound(Update::at_once, 0))},
           {"It sees at most w + C.", Outcome::refuted, check_of(size_bound(Update::at_boundaries, 1))}}};
}

struct Largest {
  int w, chunk;
  std::int64_t stated;
};

Check largest_check(const Largest& statement) {
  return [statement](const Effort&) {
    Chunked stream;
    stream.w = statement.w;
    stream.blocks = {statement.chunk};
    // Early scores are the highest: the persistent set and the last chunk have nothing in common.
    for (int t = 3 * statement.chunk; t > 0; --t) stream.scores.push_back(t);
    Result result;
    std::int64_t largest = 0;
    for (const int t : {statement.chunk - 1, 2 * statement.chunk - 1, 3 * statement.chunk - 1}) {
      for (const Update update : {Update::at_boundaries, Update::at_once}) {
        largest = std::max<std::int64_t>(largest, std::ssize(visible(stream, t, update)) + 1);
        ++result.cases;
      }
    }
    result.numbers = {{"w", std::to_string(statement.w)},
                      {"C", std::to_string(statement.chunk)},
                      {"largest", std::to_string(largest)}};
    result.outcome = largest == statement.stated ? Outcome::holds : Outcome::refuted;
    result.finding =
        fmt::format("The last query of a chunk of {} sees {} entries when the {} persistent ones are older.",
                    statement.chunk, largest, statement.w);
    if (largest != statement.stated) {
      result.counterexample =
          Counterexample{{{"w", std::to_string(statement.w)}, {"C", std::to_string(statement.chunk)}},
                         fmt::format("{} are visible, not {}", largest, statement.stated)};
    }
    return result;
  };
}

Claim largest() {
  return {"hola.visible_321",
          {"hola", "Section 3.3; Appendix A", "6, 12"},
          "With w = 64 and C = 256 the most that a query sees is 321.",
          "",
          "exact, on 768 tokens with falling scores, at the last query of each chunk; hola.visible_bound has that "
          "there are never more",
          largest_check({64, 256, 321}),
          {{"It is 320.", Outcome::refuted, largest_check({64, 256, 320})},
           {"It is 64.", Outcome::refuted, largest_check({64, 256, 64})}}};
}

}  // namespace

std::vector<Claim> hola_visible_claims() { return {causality(), whole_chunk(), bound(), largest()}; }

}  // namespace deltaproof::claims
