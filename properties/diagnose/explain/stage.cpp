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

// The step at which a kernel makes a wrong part, if both `o` and the state are wrong.
std::string step_of(const WrongPart& part) {
  if (part.stage == "decay" || part.stage == "values") return part.stage;
  if (part.stage == "state read" || part.stage == "carried read" || part.stage == "carried state") return "decay";
  if (part.stage == "write" || part.stage == "residual" || part.stage == "chunk read") return "solve";
  if (part.stage == "writes" || part.stage == "last write" || part.stage == "first write") return "solve";
  return "";
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

void find_read(const JudgedRun& run, const RunMap& map, const FailingChunk& first, const PartEvidence& evidence,
               StageFinding& finding) {
  std::int64_t after = -1;
  for (const MeasuredBlock& block : map.planes()) {
    const ComparedBlock& p = block.place;
    if (!p.is_state || p.sequence != first.sequence || p.head != first.head || p.first_token <= first.token) continue;
    after = after < 0 ? p.first_token : std::min(after, p.first_token);
  }
  if (after < 0) {
    finding.because.push_back(fmt::format("{}: o is wrong from token {} on, and no state after it was compared",
                                          place_text(first), first.token));
    finding.would_tell = "final_state or chunk_states: a right state after the wrong o would leave the read alone";
    say_parts(evidence, false, finding);
    return;
  }
  finding.stage = "read";
  finding.because.push_back(fmt::format("{}: o is wrong from token {} on, the state after {} tokens, the next that was "
                                        "compared, is right", place_text(first), first.token, after));
  if (!run.teacher_forced() && after > (first.chunk + 1) * map.planes().front().place.chunk_size) {
    finding.would_tell = "chunk_states: a wrong state may have decayed away before that one";
  }
  say_parts(evidence, false, finding);
  if (run.cache() != nullptr) {
    finding.stage.clear();
    if (!add_cache_evidence(run, map, finding)) {
      finding.would_tell = "the same run with cache_gate far below 0: o is then the state's alone";
    }
  }
}

void find_carry(const FailingChunk& first, const PartEvidence& evidence, StageFinding& finding) {
  finding.stage = "carry";
  finding.because.push_back(fmt::format("{}: the state after {} tokens is wrong, and o of every token before it is right",
                                        place_text(first), first.state->place.first_token));
  say_parts(evidence, true, finding);
  if (evidence.lone_write >= 0) {
    finding.because.push_back(fmt::format("the error of the state after a chunk lies along the key of one token, at position "
                                          "{}: it is that token's write", evidence.lone_write));
  }
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
    finding.because.push_back(fmt::format("the errors of o and of the state after the chunk follow from one wrong u = b e (in {} "
                                          "of {} failing chunks): what is made of u is right", evidence.same, evidence.chunks));
  } else if (evidence.not_same > 0 && evidence.same == 0) {
    finding.because.push_back(fmt::format("no one wrong u = b e gives the errors of both o and the state after the chunk (in {} "
                                          "of {} failing chunks)", evidence.not_same, evidence.chunks));
  }
}

void find_step(const JudgedRun& run, const std::vector<FailingChunk>& failing, const PartEvidence& evidence,
               StageFinding& finding) {
  finding.because.push_back(fmt::format("{}: o is wrong from token {} on, and so is the state after it",
                                        place_text(failing.front()), failing.front().token));
  say_right_tokens(failing, finding);
  say_right_chunks(run, failing, finding);
  say_parts(evidence, false, finding);
  say_parts(evidence, true, finding);
  say_writes(evidence, finding);
  std::set<std::string> steps;
  for (const WrongPart& part : evidence.parts) {
    if (!part.of_state) steps.insert(step_of(part));
  }
  const bool of_u = evidence.same > 0 && evidence.not_same == 0;
  if (steps.size() == 1) finding.stage = *steps.begin();
  if (finding.stage.empty() && of_u) finding.stage = rule_info(run.state().options().rule).residual ? "solve" : "values";
  if (!finding.stage.empty()) return;
  const bool states = run.outputs().find("chunk_states") != nullptr;
  finding.would_tell = states ? "u = b e of each token, which case files do not hold: right, it leaves decay and read; wrong, "
                                "the solve and what goes into it"
                              : "chunk_states, the state after each chunk: each chunk is then judged by itself";
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
  if (failing.empty()) return finding;
  const bool chunked = rule_info(run.state().options().rule).system == System::update_family;
  const PartEvidence evidence = chunked ? part_evidence(run, failing) : PartEvidence{};
  switch (finding.coarse) {
    case FailureStage::read: find_read(run, map, failing.front(), evidence, finding); break;
    case FailureStage::carry: find_carry(failing.front(), evidence, finding); break;
    case FailureStage::step: find_step(run, failing, evidence, finding); break;
    case FailureStage::selection:
    case FailureStage::none: break;
  }
  return finding;
}

}  // namespace deltaproof
