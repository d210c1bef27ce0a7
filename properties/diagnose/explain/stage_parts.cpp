#include "properties/diagnose/explain/stage_parts.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "properties/accuracy/read_parts.hpp"

namespace deltaproof {
namespace {

// Of the chunks in which a part could be held against the error, so many must agree.
constexpr double nearly_all = 0.9;

class Tally {
 public:
  void add(bool of_state, const ErrorPart& part, const PartFit& fit) {
    WrongPart& tally = parts_[{of_state, part.name}];
    if (tally.of++ == 0) {
      tally = {part.name, part.stage, of_state, 0, 1, std::numeric_limits<double>::infinity(),
               -std::numeric_limits<double>::infinity()};
    }
    if (!fit.fits) return;
    ++tally.chunks;
    tally.low = std::min(tally.low, fit.factor);
    tally.high = std::max(tally.high, fit.factor);
  }
  std::vector<WrongPart> holding() const {
    std::vector<WrongPart> holding;
    for (const auto& [key, part] : parts_) {
      const auto chunks = static_cast<double>(part.chunks), of = static_cast<double>(part.of);
      if (part.chunks > 0 && chunks >= nearly_all * of) holding.push_back(part);
    }
    return holding;
  }

 private:
  std::map<std::pair<bool, std::string>, WrongPart> parts_;
};

Location place(const FailingChunk& failing) {
  Location where;
  where.sequence = failing.sequence, where.head = failing.head;
  const bool by_state = failing.token < 0;
  where.token = by_state ? failing.state->place.first_token : failing.token;
  where.row = by_state ? 0 : -1;
  return where;
}

Matrix error_of(const MeasuredBlock& block) { return block.value - block.expected; }

void add_token(const JudgedRun& run, const FailingChunk& failing, const ChunkTerms& terms, Tally& tally) {
  const Index t = failing.token;
  const Matrix error = failing.o->value.row(t) - failing.o->expected.row(t), allowed = failing.o->allowed.row(t);
  std::vector<ErrorPart> parts = parts_of_token(terms, t - terms.begin);
  if (run.cache() != nullptr) {
    const Sequence& sequence = run.problem().sequences()[static_cast<std::size_t>(failing.sequence)];
    parts.push_back({"what the cache adds", "cache read", run.cache()->reads().of(sequence, failing.head)->value.row(t)});
  }
  for (const ErrorPart& part : parts) tally.add(false, part, fit_part(error, part.value, allowed));
}

void add_state(const FailingChunk& failing, const ChunkTerms& terms, Tally& tally, std::vector<Index>& lone) {
  const Matrix error = error_of(*failing.state);
  for (const ErrorPart& part : parts_of_state(terms)) {
    tally.add(true, part, fit_part(error, part.value, failing.state->allowed));
  }
  lone.push_back(error.allFinite() ? lone_write(terms, error, failing.state->allowed) : -1);
}

SameWrites same_writes(const FailingChunk& failing, const ChunkTerms& terms) {
  const Index C = terms.tokens();
  const auto rows = [&](const Matrix& all) { return Matrix(all.middleRows(terms.begin, C)); };
  const Matrix o_error = rows(error_of(*failing.o)), state_error = error_of(*failing.state);
  const Matrix o_allowed = rows(failing.o->allowed);
  const bool known = o_error.allFinite() && state_error.allFinite() && o_allowed.allFinite();
  if (!known || failing.state->place.first_token != terms.begin + C) return SameWrites::unknown;
  return same_writes(terms, o_error, o_allowed, state_error, failing.state->allowed);
}

// How `o` of the chunk's last token and the state after it go together.
void add_ends(const FailingChunk& failing, const ChunkTerms& terms, PartEvidence& evidence) {
  const Index end = terms.begin + terms.tokens();
  if (failing.state == nullptr || failing.o == nullptr || failing.state->place.first_token != end) return;
  const MeasuredBlock &o = *failing.o, &state = *failing.state;
  const auto row = [](const Matrix& all, Index t) { return Matrix(all.row(t)); };
  if (o.allowed.row(end - 1).allFinite()) {
    const SameState same = same_state(terms, row(error_of(o), end - 1), row(o.allowed, end - 1), error_of(state));
    evidence.same_state += same == SameState::yes;
    evidence.other_state += same == SameState::no;
  }
  if (failing.token < 0 || failing.state_is_bad) return;
  evidence.shown += shows_in_state(terms, failing.token - terms.begin, row(error_of(o), failing.token), state.allowed);
}

}  // namespace

PartEvidence part_evidence(const JudgedRun& run, const std::vector<FailingChunk>& failing) {
  PartEvidence evidence;
  Tally tally;
  std::vector<Index> lone;
  for (const FailingChunk& chunk : failing) {
    const std::optional<ChunkTerms> terms = run.chunk_at(place(chunk));
    if (!terms) continue;
    ++evidence.chunks;
    if (run.cache() == nullptr) add_ends(chunk, *terms, evidence);
    evidence.from_zero = evidence.from_zero || (chunk.token == terms->begin && terms->before.isZero(0));
    if (chunk.token >= 0) add_token(run, chunk, *terms, tally);
    if (chunk.state_is_bad) add_state(chunk, *terms, tally, lone);
    if (chunk.token < 0 || !chunk.state_is_bad || run.cache() != nullptr) continue;
    const SameWrites same = same_writes(chunk, *terms);
    evidence.same += same == SameWrites::yes;
    evidence.not_same += same == SameWrites::no;
  }
  evidence.parts = tally.holding();
  if (!lone.empty() && std::all_of(lone.begin(), lone.end(), [&](Index t) { return t == lone.front(); })) {
    evidence.lone_write = lone.front();
  }
  return evidence;
}

}  // namespace deltaproof
