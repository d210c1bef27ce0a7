#include "properties/diagnose/hunt/hunt.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "properties/in_parallel.hpp"
#include "properties/diagnose/hunt/proposal.hpp"

namespace deltaproof {
namespace {

constexpr std::int64_t batch = HuntState::batch;

bool stopped(const HuntRun& run) { return run.stop && run.stop(); }

// Evaluates candidates number `first` and up, `count` of them, or the first ones if it is stopped.
std::vector<Evaluated> evaluated(std::int64_t first, std::int64_t count, const Kernel& kernel, const HuntRun& run,
                                 const std::function<Candidate(std::int64_t)>& candidate_of) {
  std::vector<std::optional<Evaluated>> all(static_cast<std::size_t>(count));
  in_parallel(all.size(), run.threads, [&](std::size_t i) {
    if (stopped(run)) return;
    Candidate candidate = candidate_of(first + static_cast<std::int64_t>(i));
    Evaluation result = evaluate(candidate, kernel);
    all[i] = Evaluated{std::move(candidate), std::move(result)};
  });
  std::vector<Evaluated> done;
  for (std::optional<Evaluated>& each : all) {
    if (!each) break;
    done.push_back(std::move(*each));
  }
  return done;
}

void measure_typical(HuntState& state, const HuntSpace& space, const Kernel& kernel, const HuntRun& run) {
  const auto candidate = [&](std::int64_t number) { return typical_candidate(state, space, number); };
  while (state.typical_problems < typical_problems && !stopped(run)) {
    const std::int64_t count = std::min(batch, typical_problems - state.typical_problems);
    for (const Evaluated& each : evaluated(state.typical_problems, count, kernel, run, candidate)) {
      state.take_typical(each);
    }
    if (run.checkpoint) run.checkpoint(state);
  }
}

// What is left of the present batch, as far as the run goes.
void evaluate_batch(HuntState& state, const HuntSpace& space, const Kernel& kernel, const HuntRun& run) {
  const auto known = static_cast<std::int64_t>(state.pending.size());
  const std::int64_t last = std::min(state.evaluations + batch, run.evaluations);
  const auto candidate = [&](std::int64_t number) { return proposed(state, space, kernel, number); };
  for (Evaluated& each :
       evaluated(state.evaluations + known, last - state.evaluations - known, kernel, run, candidate)) {
    state.pending.push_back(std::move(each));
  }
  if (static_cast<std::int64_t>(state.pending.size()) == batch) state = state.settled();
  if (run.checkpoint) run.checkpoint(state);
}

}  // namespace

HuntState hunt(HuntState state, const HuntSpace& space, const Kernel& kernel, const HuntRun& run) {
  measure_typical(state, space, kernel, run);
  while (!stopped(run) &&
         state.evaluations + static_cast<std::int64_t>(state.pending.size()) < run.evaluations) {
    evaluate_batch(state, space, kernel, run);
  }
  return state;
}

}  // namespace deltaproof
