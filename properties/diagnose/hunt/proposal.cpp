#include "properties/diagnose/hunt/proposal.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "properties/diagnose/hunt/domain.hpp"
#include "properties/diagnose/hunt/entry_draws.hpp"
#include "reference/problem/input_error.hpp"

namespace deltaproof {
namespace {

constexpr int tries = 8;  // to draw a problem that the kernel computes
constexpr std::size_t most_entries = 12;
constexpr std::uint64_t stream = 0x68756e74;

template <class List>
const auto& among(const List& list, Generator& g) {
  return *std::next(list.begin(), g.integer(0, static_cast<int>(list.size()) - 1));
}

Candidate restarted(const HuntState& state, const HuntSpace& space, Generator& g) {
  const Regime& regime = among(regimes(), g);
  const auto index = static_cast<std::uint64_t>(g.integer(0, 1 << 20));
  Candidate candidate{drawn_spec(space, regime, state.identity.seed, index), {}};
  for (int changes = g.integer(0, 2); changes > 0; --changes) {
    candidate.entries.push_back(drawn_entry_move(candidate.spec, g));
  }
  return candidate;
}

const Worst& parent(const HuntState& state, Objective objective, Generator& g) {
  const auto& cells = state.archives[static_cast<std::size_t>(objective)].cells();
  if (g.integer(0, 1) == 0) return among(among(cells, g).second, g);
  // The worst of all, whatever its rule and type.
  const Worst* worst = nullptr;
  const auto rank = [&](const Worst& each) {
    return rank_value(objective, each.value, each.candidate.spec.shape.input);
  };
  for (const auto& [name, cell] : cells) {
    if (worst == nullptr || rank(cell.front()) > rank(*worst)) worst = &cell.front();
  }
  return *worst;
}

void change_entries(Candidate& candidate, Generator& g) {
  std::vector<EntryMove>& entries = candidate.entries;
  if (!entries.empty() && (entries.size() == most_entries || g.integer(0, 4) == 0)) {
    entries.erase(entries.begin() + g.integer(0, static_cast<int>(entries.size()) - 1));
    return;
  }
  const int at = g.integer(0, static_cast<int>(entries.size()));
  entries.insert(entries.begin() + at, drawn_entry_move(candidate.spec, g));
}

Candidate changed(const HuntState& state, const HuntSpace& space, Objective objective, Generator& g) {
  Candidate candidate = parent(state, objective, g).candidate;
  // One in eight has the entries of another.
  if (g.integer(0, 7) == 0) candidate.entries = parent(state, objective, g).candidate.entries;
  constexpr int moves[] = {1, 1, 2, 3};
  for (int left = moves[g.integer(0, 3)]; left > 0; --left) {
    if (g.integer(0, 9) < 4) {
      candidate.spec = moved_spec(space, std::move(candidate.spec), g);
    } else {
      change_entries(candidate, g);
    }
  }
  return candidate;
}

bool is_wanted(const Candidate& candidate, const Kernel& kernel) try {
  const Problem problem = problem_of(candidate);
  return kernel.refusal(problem).empty() && in_domain(problem);
} catch (const InputError&) {
  return false;
}

}  // namespace

Candidate proposed(const HuntState& state, const HuntSpace& space, const Kernel& kernel, std::int64_t number) {
  Generator g(state.identity.seed, {stream, static_cast<std::uint64_t>(number)});
  const std::vector<Objective> wanted = objectives_of(state.identity);
  const Objective objective = wanted[static_cast<std::size_t>(number) % wanted.size()];
  const bool known = !state.archives[static_cast<std::size_t>(objective)].empty();
  for (int left = tries; left > 0; --left) {
    const bool anew = !known || g.integer(0, 3) == 0;
    Candidate candidate = anew ? restarted(state, space, g) : changed(state, space, objective, g);
    if (is_wanted(candidate, kernel)) return candidate;
  }
  return typical_candidate(state, space, number);
}

Candidate typical_candidate(const HuntState& state, const HuntSpace& space, std::int64_t number) {
  return {drawn_spec(space, *find_regime("typical"), state.identity.seed, static_cast<std::uint64_t>(number)), {}};
}

std::vector<Objective> objectives_of(const HuntIdentity& identity) {
  if (const std::optional<Objective> one = find_objective(identity.objective)) return {*one};
  return {objectives.begin(), objectives.end()};
}

}  // namespace deltaproof
