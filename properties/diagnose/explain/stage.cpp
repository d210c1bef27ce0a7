#include "properties/diagnose/explain/stage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "properties/diagnose/explain/stage_parts.hpp"
#include "reports/text.hpp"

namespace deltaproof {
namespace {

// More failing chunks say nothing new.
constexpr std::size_t most_chunks = 64;

// The steps of a rule that make what a token reads and writes.
std::set<std::string> steps_of(const JudgedRun& run) {
  const RuleInfo& rule = rule_info(run.state().options().rule);
  std::set<std::string> steps{"values"};
  if (rule.decay != Decay::none && (!rule.optional_decay || run.state().find("g") != nullptr)) steps.insert("decay");
  if (rule.residual) steps.insert("solve");
  return steps;
}

// The stages at which a kernel makes a part. A factor of a part may be a decay that it should have, or should not.
std::set<std::string> makers_of(const WrongPart& part) {
  if (part.stage == "decay" || part.stage == "values" || part.stage == "cache read") return {part.stage};
  if (part.stage == "state read" || part.stage == "carried read") return {"carry", "decay", "read"};
  if (part.stage == "residual") return {"decay", "solve"};
  if (part.stage == "write") return {"decay", "solve", "values"};
  if (part.stage == "chunk read") return {"decay", "read", "solve", "values"};
  return {"carry", "values", "read"};  // all of it
}

std::set<std::string> makers_of(const PartEvidence& evidence) {
  std::set<std::string> makers;
  for (const WrongPart& part : evidence.parts) {
    if (!part.of_state) makers.merge(makers_of(part));
  }
  return makers;
}

// What the makers of the wrong parts leave: not the steps that the rule does not have; all of its steps where there are none.
std::set<std::string> left_of(const JudgedRun& run, std::set<std::string> makers) {
  const std::set<std::string> steps = steps_of(run);
  for (const char* step : {"decay", "solve"}) {
    if (!steps.contains(step)) makers.erase(step);
  }
  return makers.empty() ? steps : makers;
}

void settle(std::set<std::string> left, StageFinding& finding) {
  if (left.size() == 1) {
    finding.stage = *left.begin();
  } else {
    finding.candidates.assign(left.begin(), left.end());
  }
}

std::string factor_text(const WrongPart& part) {
  if (part.low == part.high) return number_text(part.low, 4);
  return fmt::format("{} to {}", number_text(part.low, 4), number_text(part.high, 4));
}

std::string sentence_of(const WrongPart& part) {
  return fmt::format("the error of {} is {} times {} (in {} of {} failing chunks)",
                     part.of_state ? "the state after a chunk" : "a chunk's first wrong token", factor_text(part), part.name,
                     part.chunks, part.of);
}

void say_parts(const PartEvidence& evidence, bool of_state, StageFinding& finding) {
  for (const WrongPart& part : evidence.parts) {
    if (part.of_state != of_state) continue;
    finding.because.push_back(sentence_of(part));
    finding.parts.push_back(part);
  }
}

std::string place_text(const FailingChunk& chunk) {
  return fmt::format("sequence {}, head {}", chunk.sequence, chunk.head);
}

// `o` of a chunk's last token against the state after it, which a right kernel reads it of.
void say_ends(const PartEvidence& evidence, StageFinding& finding) {
  if (evidence.same_state > 0 && evidence.other_state == 0) {
    finding.because.push_back(fmt::format("o of a chunk's last token is what a right kernel reads of the state that was recorded "
                                          "after it (in {} failing chunks): what is wrong was wrong before both", evidence.same_state));
  } else if (evidence.other_state > 0 && evidence.same_state == 0) {
    finding.because.push_back(fmt::format("o of a chunk's last token is not what a right kernel reads of the state that was "
                                          "recorded after it (in {} failing chunks)", evidence.other_state));
  }
}

std::int64_t next_state(const RunMap& map, const FailingChunk& failing) {
  std::int64_t after = -1;
  for (const MeasuredBlock& block : map.planes()) {
    const ComparedBlock& p = block.place;
    if (!p.is_state || p.sequence != failing.sequence || p.head != failing.head || p.first_token <= failing.token) continue;
    after = after < 0 ? p.first_token : std::min(after, p.first_token);
  }
  return after;
}

// Of a wrong `o` and a right state: whether the state would show what else may have gone wrong.
void find_read(const JudgedRun& run, const RunMap& map, const FailingChunk& first, const PartEvidence& evidence,
               StageFinding& finding) {
  const std::int64_t after = next_state(map, first);
  finding.because.push_back(
      after < 0 ? fmt::format("{}: o is wrong from token {} on, and no state after it was compared", place_text(first), first.token)
                : fmt::format("{}: o is wrong from token {} on, the state after {} tokens, the next that was compared, is right",
                              place_text(first), first.token, after));
  say_ends(evidence, finding);
  say_parts(evidence, false, finding);
  const bool proved = evidence.other_state > 0 || evidence.shown > 0;
  if (proved && evidence.same_state == 0) {
    finding.stage = "read";
    if (evidence.other_state == 0) {
      finding.because.push_back(fmt::format("a write as wrong as o would have shown in the state after the chunk (in {} of {} "
                                            "failing chunks)", evidence.shown, evidence.chunks));
    }
    return;
  }
  std::set<std::string> left = left_of(run, makers_of(evidence));
  left.insert("read");
  settle(std::move(left), finding);
  if (first.state != nullptr) return;  // the state after the chunk is there already
  finding.would_tell = "chunk_states, the state after each chunk, in fp32: what is wrong there has been wrong before the read";
}

void find_cache_read(const JudgedRun& run, const RunMap& map, const FailingChunk& first, const PartEvidence& evidence,
                     StageFinding& finding) {
  finding.because.push_back(fmt::format("{}: o is wrong from token {} on", place_text(first), first.token));
  say_parts(evidence, false, finding);
  if (add_cache_evidence(run, map, finding)) return;
  finding.candidates = {"cache read", "read"};
  finding.would_tell = "the same run with cache_gate far below 0: o is then the state's alone";
}

void find_carry(const FailingChunk& first, const PartEvidence& evidence, StageFinding& finding) {
  finding.because.push_back(fmt::format("{}: the state after {} tokens is wrong, and {}", place_text(first),
                                        first.state->place.first_token,
                                        first.o == nullptr ? "no o of the tokens before it was compared"
                                                           : "o of every token before it is right"));
  say_ends(evidence, finding);
  say_parts(evidence, true, finding);
  if (evidence.lone_write >= 0) {
    finding.because.push_back(fmt::format("the error of the state after a chunk lies along the key of one token, at position "
                                          "{}: it is that token's write", evidence.lone_write));
  }
  if (evidence.other_state > 0 && evidence.same_state == 0) {
    finding.stage = "carry";
    return;
  }
  finding.candidates = {"carry", "decay", "solve", "values"};
  finding.would_tell = first.o == nullptr ? "o: what is wrong before the state shows there, too"
                                          : "o in more bits: what is wrong before the state shows there, too";
}

// Of fewer failing chunks that something is right at their start may be chance.
constexpr std::size_t enough_chunks = 4;

// Tokens of the failing chunks that are right before the first wrong one.
void say_right_tokens(const std::vector<FailingChunk>& failing, StageFinding& finding) {
  std::int64_t fewest = -1;
  for (const FailingChunk& chunk : failing) {
    if (chunk.token < 0) continue;
    const std::int64_t position = chunk.token % chunk.o->place.chunk_size;
    fewest = fewest < 0 ? position : std::min(fewest, position);
  }
  if (fewest <= 0) return;
  std::string sentence = fewest == 1 ? "the first token of every failing chunk is right"
                                     : fmt::format("the first {} tokens of every failing chunk are right", fewest);
  if (failing.size() >= enough_chunks) sentence += ": what goes wrong needs tokens of the same chunk before it";
  finding.because.push_back(std::move(sentence));
}

// Chunks that begin with a zero state.
void say_right_chunks(const JudgedRun& run, const std::vector<FailingChunk>& failing, StageFinding& finding) {
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> first;
  for (const FailingChunk& chunk : failing) first.try_emplace({chunk.sequence, chunk.head}, chunk.chunk);
  const bool second = std::all_of(first.begin(), first.end(), [](const auto& f) { return f.second == 1; });
  if (!second || failing.size() < enough_chunks || run.problem().find("initial_state") != nullptr) return;
  finding.because.push_back("the first chunk, which begins with a zero state, is right, the second wrong: what goes wrong needs "
                            "a state before the chunk");
}

void say_writes(const PartEvidence& evidence, StageFinding& finding) {
  if (evidence.same > 0 && evidence.not_same == 0) {
    finding.because.push_back(fmt::format("one wrong u = b e could give the errors of both o and the state after the chunk (in {} "
                                          "of {} failing chunks)", evidence.same, evidence.chunks));
  } else if (evidence.not_same > 0 && evidence.same == 0) {
    finding.because.push_back(fmt::format("no one wrong u = b e gives the errors of both o and the state after the chunk (in {} "
                                          "of {} failing chunks)", evidence.not_same, evidence.chunks));
  }
}

// What the first token after a zero state does not need: a decay, a carried state, other tokens. A kernel may decay it yet, or
// begin with the state of something else.
void find_first_token(const JudgedRun& run, const PartEvidence& evidence, StageFinding& finding) {
  std::set<std::string> left = steps_of(run);
  const bool decays = left.contains("decay"), solves = left.contains("solve");
  const char* others = "";
  if (evidence.same > 0 && evidence.not_same == 0) {
    left.erase("decay");
  } else {
    others = decays ? "; or something decays it, or the kernel did not begin with zero" : "; or the kernel did not begin with zero";
    left.insert("carry");
  }
  finding.because.push_back(fmt::format("the first token after a zero state is wrong, which needs no decay and no other token: what "
                                        "it writes is wrong, b, v or k{}{}", solves ? ", or the diagonal of the solve" : "", others));
  settle(std::move(left), finding);
}

void find_step(const JudgedRun& run, const std::vector<FailingChunk>& failing, const PartEvidence& evidence,
               StageFinding& finding) {
  finding.because.push_back(fmt::format("{}: o is wrong from token {} on, and so is the state after it",
                                        place_text(failing.front()), failing.front().token));
  say_right_tokens(failing, finding);
  say_right_chunks(run, failing, finding);
  say_ends(evidence, finding);
  say_parts(evidence, false, finding);
  say_parts(evidence, true, finding);
  say_writes(evidence, finding);
  if (evidence.from_zero) return find_first_token(run, evidence, finding);
  const std::set<std::string> makers = makers_of(evidence);
  std::set<std::string> left = left_of(run, makers);
  left.erase("read");
  if (left.empty()) left = steps_of(run);
  // The first token of a chunk needs nothing but the state before it.
  const bool at_start = std::all_of(failing.begin(), failing.end(), [](const FailingChunk& chunk) {
    return chunk.token >= 0 && chunk.token % chunk.o->place.chunk_size == 0;
  });
  if (at_start && (left.contains("decay") || makers.empty())) left.insert("carry");
  if (makers.empty()) {
    finding.candidates.assign(left.begin(), left.end());  // also if it is one: nothing shows that it is that
  } else {
    settle(std::move(left), finding);
  }
  if (!finding.stage.empty()) return;
  // Of sequences of one chunk they are the final state.
  const bool one_chunk = std::all_of(failing.begin(), failing.end(), [&](const FailingChunk& chunk) {
    return run.problem().sequences()[static_cast<std::size_t>(chunk.sequence)].length <= run.problem().options().chunk_size;
  });
  const bool states = one_chunk || run.outputs().find("chunk_states") != nullptr;
  finding.would_tell = states ? "u = b e of each token, which case files do not hold: right, it leaves decay and carry; wrong, "
                                "the solve and what goes into it"
                              : "chunk_states, the state after each chunk, in fp32: each chunk is then judged by itself";
}

// A sequence without tokens hands its initial state on: there is no other step.
void find_empty_sequence(const RunMap& map, StageFinding& finding) {
  for (const MeasuredBlock& block : map.planes()) {
    if (!block.place.is_state || block.place.first_token != 0 || !block.is_bad()) continue;
    finding.stage = "carry";
    finding.because.push_back(fmt::format("sequence {}, head {}: the state of a sequence without tokens is wrong, which is its "
                                          "initial one", block.place.sequence, block.place.head));
    return;
  }
}

}  // namespace

StageFinding stage_of(const JudgedRun& run, const RunMap& map) {
  StageFinding finding;
  finding.coarse = failure_stage(run.measured());
  if (finding.coarse == FailureStage::selection) {
    finding.stage = "selection";
    finding.because.push_back(run.verdict().reason);
    return finding;
  }
  const std::vector<FailingChunk> failing = failing_chunks(run, map, most_chunks);
  if (failing.empty()) return find_empty_sequence(map, finding), finding;
  const bool chunked = rule_info(run.state().options().rule).system == System::update_family;
  const PartEvidence evidence = chunked ? part_evidence(run, failing) : PartEvidence{};
  switch (finding.coarse) {
    case FailureStage::read:
      if (run.cache() != nullptr) {
        find_cache_read(run, map, failing.front(), evidence, finding);
      } else {
        find_read(run, map, failing.front(), evidence, finding);
      }
      break;
    case FailureStage::carry: find_carry(failing.front(), evidence, finding); break;
    case FailureStage::step: find_step(run, failing, evidence, finding); break;
    case FailureStage::selection:
    case FailureStage::none: break;
  }
  return finding;
}

}  // namespace deltaproof
