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
          {"hola", "Section 3.2, Eq. (4)", "5", Voice::stated},
          "softmax attention is the Nadaraya-Watson regression with an exponential kernel",
          "",
          method,
          check_of(stated),
          {{"it is the one with a Gaussian kernel, whatever the norms of the keys", Outcome::refuted, check_of(other)},
           {"it is that too where all keys have one norm", Outcome::holds, check_of(same_norm)}}};
}

/// A read with the null sink of Section 3.3, or without it.
struct SinkRead {
  Read read;
  bool sink = false;
};

std::vector<Named> inputs_of(const SinkRead& instance) {
  std::vector<Named> inputs = inputs_of(instance.read);
  inputs.push_back({"null sink", instance.sink ? "yes" : "no"});
  return inputs;
}

Check with_and_without_sink(const Universal<SinkRead>& statement) {
  return [statement](const Effort& effort) {
    std::vector<SinkRead> all;
    for (const Read& read : reads(effort)) {
      all.push_back({read, false});
      all.push_back({read, true});
    }
    return decide(statement, all);
  };
}

Claim full_attention() {
  const auto read_with = [](int state) {
    return [state](const SinkRead& instance) { return output(instance.read, state, 1, instance.sink); };
  };
  const Premise<SinkRead> no_sink{"no null sink", [](const SinkRead& instance) { return !instance.sink; }};
  const Universal<SinkRead> stated{{"Eq. (3) without the state, all entries visible", read_with(0)},
                                   Relation::equal,
                                   {"softmax attention", [](const SinkRead& each) { return row(softmax(each.read)); }},
                                   {},
                                   no_sink,
                                   "By Eq. (4)."};
  Universal<SinkRead> corrected = stated, with_sink = stated, with_state = stated;
  corrected.premise = with_state.premise = no_sink;
  with_sink.premise = {"with a null sink", [](const SinkRead& instance) { return instance.sink; }};
  with_state.left = {"Eq. (3) with the state, all entries visible", read_with(1)};
  corrected.condition = with_sink.condition = with_state.condition = {};
  return {"hola.full_attention_limit",
          {"hola", "Section 3.2, Eqs. (3)-(4)", "5", Voice::stated},
          "with the state off and the whole prefix visible the read is full attention",
          "the read of Section 3.3 has a null sink beside the entries",
          method,
          with_and_without_sink(stated),
          {{"it is without a null sink", Outcome::holds, with_and_without_sink(corrected)},
           {"it is with a null sink", Outcome::refuted, with_and_without_sink(with_sink)},
           {"it is with the state on", Outcome::refuted, with_and_without_sink(with_state)}}};
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
          {"hola", "Section 3.2, Eq. (3)", "5", Voice::stated},
          "with a closed gate the read is that of the recurrent model",
          "lambda = 0",
          method,
          check_of(stated),
          {{"so it is with an open gate", Outcome::refuted, check_of(open)}}};
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
          {"hola", "Sections 3.2-3.3", "5-6", Voice::reading},
          "with w = 0 the read is that of the recurrent model",
          "",
          method,
          check_of(stated),
          {{"it is where nothing of the chunk is visible, or the gate is closed", Outcome::holds, check_of(corrected)},
           {"it is where the chunk is visible and w = 0", Outcome::refuted, check_of(chunk)}}};
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
  return {
      "hola.exact_recall",
      {"hola", "Abstract; Sections 3.2 and 5", "1, 5, 10", Voice::reading},
      "being stored exactly, a value is read exactly by the query that equals its key",
      "",
      method,
      noting(check_of(stated),
             "The source says no such thing: \"exact\" is of what is stored, and Section 5 has it as a limitation that "
             "recall is not perfect."),
      {{"it is where it is the only entry and there is no sink", Outcome::holds, check_of(alone)},
       {"it is among two", Outcome::refuted, check_of(two)}}};
}

}  // namespace

std::vector<Claim> hola_read_claims() {
  return {kernel_regression(), full_attention(), closed_gate(), no_persistent(), exact_recall()};
}

}  // namespace deltaproof::claims
