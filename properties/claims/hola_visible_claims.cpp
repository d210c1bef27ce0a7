#include <algorithm>

#include "properties/claims/hola_chunks.hpp"
#include "properties/claims/hola_parts.hpp"

namespace deltaproof::claims {
namespace {

using ChunkedStatement = Universal<Chunked>;

Check check_of(const ChunkedStatement& statement) {
  return [statement](const Effort& effort) { return decide(statement, chunked_streams(effort)); };
}

const char* const method =
    "exhaustive: all scores 0 to 2 of up to 5 tokens, w to 2, chunks of 1 to 3, smallest first; later scores are "
    "replaced to see what depends on them";

Premise<Chunked> chosen(const std::string& name, const std::vector<Update>& updates) {
  return {name, [updates](const Chunked& stream) {
            return std::find(updates.begin(), updates.end(), stream.update) != updates.end();
          }};
}

Premise<Chunked> at_boundaries() { return chosen("at the end of a chunk", {Update::at_boundaries}); }
Premise<Chunked> at_once() { return chosen("with each token", {Update::at_once}); }

ChunkedStatement causal(const Premise<Chunked>& premise) {
  return {{"queries that see a later token or depend on a later score",
           [](const Chunked& stream) { return number(not_causal(stream)); }},
          Relation::equal,
          {"none", [](const Chunked&) { return number(0); }},
          premise,
          {},
          "The persistent set is of tokens up to the query, and so is the rest of the chunk that it sees."};
}

Claim causality() {
  const Premise<Chunked> of_the_past = chosen(
      "the persistent set is chosen by the scores of tokens up to the query: at the end of a chunk, or with each "
      "token",
      {Update::at_boundaries, Update::at_once});
  ChunkedStatement stated = causal({});
  stated.condition = of_the_past;
  return {
      "hola.causal",
      {"hola", "Section 3.3", "6", Voice::stated},
      "a query sees the persistent entries, its chunk up to itself and the sink: nothing later, and nothing that "
      "depends on it",
      "the source does not say when the persistent set is updated",
      method,
      check_of(stated),
      {{"so it is where the set is chosen by tokens up to the query", Outcome::holds, check_of(causal(of_the_past))},
       {"so it is where the set is chosen with the scores of the whole chunk", Outcome::refuted,
        check_of(causal(chosen("whole chunk", {Update::whole_chunk})))}}};
}

Claim whole_chunk() {
  return {"hola.chunk_selection_causal",
          {"hola", "Section 3.3, on training in chunks", "6", Voice::reading},
          "the top w may be chosen with the scores of the whole chunk, if later positions are masked afterwards",
          "",
          method,
          check_of(causal(chosen("whole chunk, masked", {Update::whole_chunk_cut}))),
          {{"they may be chosen with the scores of earlier chunks", Outcome::holds, check_of(causal(at_boundaries()))},
           {"they may be chosen with those of the whole chunk without a mask", Outcome::refuted,
            check_of(causal(chosen("whole chunk", {Update::whole_chunk})))}}};
}

ChunkedStatement size_bound(const Premise<Chunked>& premise, int less) {
  return {
      {"largest number visible, with the sink", [](const Chunked& stream) { return number(largest_visible(stream)); }},
      Relation::at_most,
      {less == 0 ? "w + C + 1" : "w + C",
       [less](const Chunked& stream) { return number(stream.w + stream.blocks.front() + 1 - less); }},
      premise,
      {},
      "At most w persist, at most C are in the chunk, and there is one sink."};
}

Claim bound() {
  return {"hola.visible_bound",
          {"hola", "Section 3.3; Appendix A", "6, 12", Voice::stated},
          "a query sees at most w + C + 1 entries, whenever the persistent set is updated",
          "",
          method,
          check_of(size_bound({}, 0)),
          {{"it sees no more where the set is updated with every token", Outcome::holds,
            check_of(size_bound(at_once(), 0))},
           {"it sees at most w + C", Outcome::refuted, check_of(size_bound({}, 1))}}};
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
        stream.update = update;
        largest = std::max<std::int64_t>(largest, std::ssize(visible(stream, t)) + 1);
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
          {"hola", "Section 3.3; Appendix A", "6, 12", Voice::stated},
          "with w = 64 and C = 256 the most that a query sees is 321",
          "",
          "exact, on 768 tokens with falling scores, at the last query of each chunk; hola.visible_bound has that "
          "there are never more",
          largest_check({64, 256, 321}),
          {{"it is 320", Outcome::refuted, largest_check({64, 256, 320})},
           {"it is 64", Outcome::refuted, largest_check({64, 256, 64})}}};
}

}  // namespace

std::vector<Claim> hola_visible_claims() { return {causality(), whole_chunk(), bound(), largest()}; }

}  // namespace deltaproof::claims
