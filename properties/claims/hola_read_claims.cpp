#include <algorithm>

#include "properties/claims/hola_parts.hpp"
#include "properties/claims/hola_reads.hpp"

namespace deltaproof::claims {
namespace {

using Statement = Universal<Read>;

Check check_of(const Statement& statement) {
  return [statement](const Effort& effort) { return decide(statement, reads(effort)); };
}

const char* const method =
    "exact rational arithmetic with base 4 in place of e and whole logits, so that every weight is exact: up to 2 "
    "entries "
    "exhaustively, then 150 random reads of up to 5; the argument in the finding is the proof";

Claim kernel_regression() {
  const Statement stated{
      {"softmax attention", [](const Read& read) { return row(softmax(read)); }},
      Relation::equal,
      {"kernel regression", [](const Read& read) { return row(regression(read, exponential, false)); }},
      {},
      {},
      "Weights over their sum: a common factor, of the largest logit, cancels."};
  Statement other = stated, same_norm = stated;
  other.right = same_norm.right = {"regression with a Gaussian kernel",
                                   [](const Read& read) { return row(regression(read, gaussian, false)); }};
  same_norm.premise = {"keys of one norm", [](const Read& read) {
                         return std::all_of(read.keys.begin(), read.keys.end(), [&](const RationalVector& key) {
                           return squared_norm(key) == squared_norm(read.keys.front());
                         });
                       }};
  return {"hola.kernel_regression",
          {"hola", "Section 3.2, Eq. (4)", "5"},
          "Softmax attention is the Nadaraya-Watson regression with an exponential kernel.",
          "",
          method,
          check_of(stated),
          {{"It is the one with a Gaussian kernel, whatever the norms of the keys.", Outcome::refuted, check_of(other)},
           {"It is that too where all keys have one norm.", Outcome::holds, check_of(same_norm)}}};
}

Claim full_attention() {
  const Statement stated{
      {"Eq. (3) without the state, all entries visible", [](const Read& read) { return output(read, 0, 1, false); }},
      Relation::equal,
      {"softmax attention", [](const Read& read) { return row(softmax(read)); }},
      {},
      {},
      "By Eq. (4)."};
  Statement with_sink = stated, with_state = stated;
  with_sink.left = {"the same with a null sink", [](const Read& read) { return output(read, 0, 1, true); }};
  with_state.left = {"Eq. (3) with the state, all entries visible",
                     [](const Read& read) { return output(read, 1, 1, false); }};
  return {"hola.full_attention_limit",
          {"hola", "Section 3.2, Eqs. (3)-(4)", "5"},
          "With the state off and the whole prefix visible the read is full attention.",
          "no null sink",
          method,
          check_of(stated),
          {{"So it is with a null sink.", Outcome::refuted, check_of(with_sink)},
           {"So it is with the state on.", Outcome::refuted, check_of(with_state)}}};
}

Quantity<Read> state_read() {
  return {"output with the state only", [](const Read& read) { return row(transposed_times(read.state, read.query)); }};
}

Claim closed_gate() {
  const Statement stated{{"output of Eq. (3)", [](const Read& read) { return output(read, 1, read.gate, true); }},
                         Relation::equal,
                         state_read(),
                         {"lambda = 0", [](const Read& read) { return read.gate == 0; }},
                         {},
                         "The second term of Eq. (3) is gone."};
  Statement open = stated;
  open.premise = {"lambda > 0", [](const Read& read) { return read.gate > 0; }};
  return {"hola.closed_gate",
          {"hola", "Section 3.2, Eq. (3)", "5"},
          "With a closed gate the read is that of the recurrent model.",
          "lambda = 0",
          method,
          check_of(stated),
          {{"So it is with an open gate.", Outcome::refuted, check_of(open)}}};
}

Claim no_persistent() {
  const Statement stated{{"output of Eq. (3) without persistent entries",
                          [](const Read& read) { return output(read, 1, read.gate, true, read.persistent); }},
                         Relation::equal,
                         state_read(),
                         {},
                         {"nothing of the chunk is visible either, or the gate is closed",
                          [](const Read& read) { return read.gate == 0 || read.persistent == read.keys.size(); }},
                         "The sink alone reads 0."};
  Statement corrected = stated, chunk = stated;
  corrected.premise = stated.condition;
  chunk.premise = {"the chunk is visible", [](const Read& read) { return read.persistent < read.keys.size(); }};
  corrected.condition = chunk.condition = {};
  return {"hola.no_persistent_entries",
          {"hola", "Sections 3.2-3.3", "5-6"},
          "With w = 0 the read is that of the recurrent model.",
          "",
          method,
          check_of(stated),
          {{"It is where nothing of the chunk is visible, or the gate is closed.", Outcome::holds, check_of(corrected)},
           {"It is where the chunk is visible and w = 0.", Outcome::refuted, check_of(chunk)}}};
}

/// That an entry whose key is the query is seen.
bool stored(const Read& read) { return std::find(read.keys.begin(), read.keys.end(), read.query) != read.keys.end(); }

Claim exact_recall() {
  const Statement stated{{"cache read", [](const Read& read) { return row(regression(read, exponential, false)); }},
                         Relation::equal,
                         {"value stored under the query",
                          [](const Read& read) {
                            return row(read.values[static_cast<std::size_t>(
                                std::find(read.keys.begin(), read.keys.end(), read.query) - read.keys.begin())]);
                          }},
                         {"an entry's key is the query", stored},
                         {},
                         "One weight is 1."};
  Statement alone = stated, two = stated;
  alone.premise = {"it is the only entry", [](const Read& read) { return stored(read) && read.keys.size() == 1; }};
  two.premise = {"it is one of two", [](const Read& read) { return stored(read) && read.keys.size() == 2; }};
  return {"hola.exact_recall",
          {"hola", "Abstract; Sections 3.2 and 5", "1, 5, 10"},
          "Being stored exactly, a value is read exactly by the query that equals its key.",
          "",
          method,
          check_of(stated),
          {{"It is where it is the only entry and there is no sink.", Outcome::holds, check_of(alone)},
           {"It is among two.", Outcome::refuted, check_of(two)}}};
}

}  // namespace

std::vector<Claim> hola_read_claims() {
  return {kernel_regression(), full_attention(), closed_gate(), no_persistent(), exact_recall()};
}

}  // namespace deltaproof::claims
