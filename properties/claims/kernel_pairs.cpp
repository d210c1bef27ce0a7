#include "properties/claims/kernel_pairs.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "kernels/stepwise.hpp"
#include "properties/accuracy/emulated_outputs.hpp"
#include "properties/claims/kernel_problems.hpp"

namespace deltaproof::claims {
namespace {

constexpr const char* families[] = {"typical", "weak_decay", "strong_decay", "near_parallel"};
constexpr std::int64_t lengths[] = {2, 3, 5, 15, 16, 17, 18, 31, 32, 33, 40, 48};

// The first tokens; without an initial state if the problem has none.
Problem first_tokens(const Problem& problem, std::int64_t count) {
  Problem cut = tokens_of(problem, 0, count, initial_states(problem));
  if (problem.find("initial_state") != nullptr) return cut;
  TensorMap inputs = cut.tensors();
  inputs.erase("initial_state");
  return cut.with_inputs(std::move(inputs));
}

// Of the tokens before `count` of a run.
Tensor rows_before(const Problem& problem, const Tensor& o, std::int64_t count) {
  Tensor rows = o;
  rows.shape[1] = count;
  rows.bytes.resize(o.bytes.size() / static_cast<std::size_t>(problem.dims().T) * static_cast<std::size_t>(count));
  return rows;
}

struct Difference {
  ProblemSpec spec;
  std::int64_t at = 0;
  std::string shows;
};

// The first value of a different bit pattern; -0 is 0.
std::string difference_of(const Pair& pair) {
  for (const auto& [name, expected] : pair.expected.tensors) {
    const std::vector<double> one = expected.values(), other = pair.got.tensors.at(name).values();
    for (std::size_t i = 0; i < one.size(); ++i) {
      if (one[i] == other[i]) continue;
      return fmt::format("element {} of {} is {:.9g} in one run and {:.9g} in the other", i, name, one[i], other[i]);
    }
  }
  return {};
}

}  // namespace

Run kernel(const std::string& arithmetic) {
  return [arithmetic](const Problem& problem) { return emulated(arithmetic, problem); };
}

MakePair split(const Run& run, Dtype handed_on) {
  return [run, handed_on](const Problem& problem, std::int64_t at) {
    const Outputs before = run(first_tokens(problem, at));
    const Tensor& state = before.tensors.at("final_state");
    const Tensor kept = Tensor::from(handed_on, state.shape, state.values());
    const std::int64_t rest = problem.dims().T - at;
    const Outputs after = run(tokens_of(problem, at, rest, Tensor::from(Dtype::f32, state.shape, kept.values())));
    Pair pair{run(problem), after};
    pair.got.tensors["o"] = pair.expected.tensors.at("o");
    put_tokens(before.tensors.at("o"), problem, 0, at, pair.got.tensors["o"]);
    put_tokens(after.tensors.at("o"), problem, at, rest, pair.got.tensors["o"]);
    return pair;
  };
}

MakePair prefix(const Run& run) {
  return [run](const Problem& problem, std::int64_t at) {
    Pair pair;
    pair.expected.tensors["o"] = rows_before(problem, run(problem).tensors.at("o"), at);
    pair.got.tensors["o"] = run(first_tokens(problem, at)).tensors.at("o");
    return pair;
  };
}

// `short_by` tokens less than the state is said to be after.
MakePair prefix_state(const std::string& arithmetic, std::int64_t short_by) {
  return [arithmetic, short_by](const Problem& problem, std::int64_t at) {
    const Declared declared = built_in(arithmetic, problem.options().rule).value();
    const Outputs whole = emulated_outputs(problem, declared, true);
    const Tensor& states = whole.tensors.at("chunk_states");
    const auto size = static_cast<std::ptrdiff_t>(states.bytes.size()) / states.shape[1];
    Tensor state = whole.tensors.at("final_state");
    const auto first = states.bytes.begin() + size * (at / claim_chunk - 1);
    state.bytes.assign(first, first + size);
    Pair pair;
    pair.expected.tensors["final_state"] = state;
    pair.got.tensors["final_state"] =
        emulated_outputs(first_tokens(problem, at - short_by), declared, false).tensors.at("final_state");
    return pair;
  };
}

MakePair repeated(const Run& run) {
  return [run](const Problem& problem, std::int64_t at) {
    Pair pair{run(problem), {}};
    run(first_tokens(problem, at));  // something else in between
    pair.got = run(problem);
    return pair;
  };
}

MakePair of_two(const Run& one, const Run& other) {
  return [one, other](const Problem& problem, std::int64_t) { return Pair{one(problem), other(problem)}; };
}

Check same_bits_check(const MakePair& make, const WantedToken& wanted, bool initial_state) {
  return [=](const Effort& effort) {
    Result result;
    std::optional<Difference> smallest;
    std::int64_t different = 0;
    for (const std::int64_t tokens : lengths) {
      for (const char* family : families) {
        const ProblemSpec spec = row_of(tokens, family, effort.seed, initial_state);
        const Problem problem = problem_of(spec);
        for (std::int64_t at = 1; at < tokens; ++at) {
          if (!wanted(at)) continue;
          ++result.cases;
          const std::string shows = difference_of(make(problem, at));
          if (shows.empty()) continue;
          ++different;
          if (!smallest) smallest = {spec, at, shows};
        }
      }
    }
    result.numbers = {{"pairs of runs that differ", fmt::format("{} of {}", different, result.cases)}};
    result.outcome = smallest ? Outcome::refuted : Outcome::holds;
    result.finding = fmt::format("{} of {} pairs of runs differ in a bit", different, result.cases);
    if (smallest) {
      result.counterexample = {{{"problem", to_text(smallest->spec)}, {"token", std::to_string(smallest->at)}},
                               smallest->shows};
    }
    return result;
  };
}

}  // namespace deltaproof::claims
