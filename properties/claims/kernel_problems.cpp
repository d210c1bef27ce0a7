#include "properties/claims/kernel_problems.hpp"

#include "properties/accuracy/emulated_outputs.hpp"
#include "properties/defects/published_baseline.hpp"
#include "reference/arithmetic/declared.hpp"
#include "reference/oracle/answer.hpp"

namespace deltaproof::claims {
namespace {

void append(JudgedValues& to, const Matrix& right, const Matrix& baseline, Index row) {
  for (Index column = 0; column < right.cols(); ++column) {
    to.reference.push_back(right(row, column));
    to.baseline.push_back(baseline(row, column));
  }
}

}  // namespace

ProblemSpec row_of(std::int64_t tokens, const std::string& regime, std::uint64_t seed, bool initial_state) {
  ProblemSpec spec;
  spec.regime = regime;
  spec.seed = seed;
  spec.options = {{"rule", "gated_delta"}, {"chunk_size", std::to_string(claim_chunk)},
                  {"arithmetic", "deltaproof-chunk"}};
  spec.shape.tokens = tokens, spec.shape.K = 16, spec.shape.V = 16;
  spec.shape.initial_state = initial_state;
  return spec;
}

Outputs emulated(const std::string& arithmetic, const Problem& problem) {
  return emulated_outputs(problem, built_in(arithmetic, problem.options().rule).value(), false);
}

// The rows of o of all heads of a token lie together, the states of a head do.
Drawn::Drawn(const ProblemSpec& from) : spec(from), problem(problem_of(from)) {
  const Sequence& sequence = problem.sequences().front();
  const Format& format = dtype_format(problem.find("q")->dtype);
  std::vector<HeadAnswer> right;
  std::vector<BaselineRun> baseline;
  for (std::int64_t head = 0; head < problem.dims().HV; ++head) {
    const HeadInputs inputs = head_inputs(problem, sequence, head);
    right.push_back(answer_double(inputs, {}));
    baseline.push_back(baseline_run(inputs, format));
  }
  o.input = state.input = problem.find("q")->dtype;
  for (Index token = 0; token < sequence.length; ++token) {
    for (std::size_t head = 0; head < right.size(); ++head) append(o, right[head].o, baseline[head].o, token);
  }
  for (std::size_t head = 0; head < right.size(); ++head) {
    for (Index row = 0; row < problem.dims().K; ++row) {
      append(state, right[head].states.back(), baseline[head].state, row);
    }
  }
}

bool accept_both(const Accepts& accepts, const Drawn& on, const Outputs& outputs) {
  JudgedValues o = on.o, state = on.state;
  o.run = outputs.tensors.at("o").values();
  state.run = outputs.tensors.at("final_state").values();
  return accepts(o) && accepts(state);
}

}  // namespace deltaproof::claims
