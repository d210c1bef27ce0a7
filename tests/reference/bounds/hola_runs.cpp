#include "tests/reference/bounds/hola_runs.hpp"

#include "properties/accuracy/conformity.hpp"
#include "properties/regimes/families.hpp"
#include "reference/arithmetic/built_in.hpp"
#include "reference/bounds/score_bound.hpp"

namespace deltaproof {

Matrix HolaRun::scores() const {
  Matrix values(kernel.inputs.tokens, 1);
  for (Index t = 0; t < values.rows(); ++t) {
    values(t, 0) = static_cast<double>(kernel.scores[static_cast<std::size_t>(t)]);
  }
  return values;
}

HolaRun run_hola(const HolaRunSpec& spec, std::uint64_t seed) {
  const Problem drawn = regime_problem(*find_regime(spec.regime), Rule::hola,
                                       {.tokens = spec.tokens,
                                        .K = spec.K,
                                        .V = spec.V,
                                        .initial_state = seed % 2 == 0,
                                        .input = spec.input,
                                        .chunk = spec.chunk,
                                        .state_rule = spec.state_rule,
                                        .cache_size = spec.w,
                                        .cache_block = spec.block},
                                       seed);
  Options options = drawn.options();
  options.hola.score = spec.score;
  options.chunk_size = options.states_every = spec.chunk;
  options.arithmetic = spec.arithmetic;
  const Problem problem = drawn.with_options(options, drawn.tensors()), part = problem.state_part();
  const Sequence& sequence = problem.sequences()[0];
  HolaRun run;
  run.kernel.inputs = head_inputs(problem, sequence, 0);
  const Resolved resolved = resolve_for(part, Outputs{}, *built_in(spec.arithmetic, spec.state_rule));
  run.state = head_inputs(part, sequence, 0);
  run.kernel.state = emulate(resolved, run.state, spec.chunk, part.find("initial_state") != nullptr);
  run.kernel.scores = hola_scores(run.kernel);
  run.kernel.rows = hola_rows(run.kernel);
  // The chunk kernel stores rows that it normalises in their type.
  run.state.normalised_in_fp32 = spec.arithmetic == std::string_view("deltaproof-recurrent") || spec.input == Dtype::f32;
  run.answer = answer_mpfr(run.state, {.every = spec.chunk, .u = true, .e = true}, 200);
  const BoundChoice choice = choose_bound(spec.arithmetic, part);
  run.bound = head_bound(spec.arithmetic, choice.kind, run.state, run.answer, spec.chunk, dtype_format(spec.input),
                         Matrix(), tensor_core("any"), false, needed_for(spec.score));
  run.exact = answer_mpfr(run.kernel.inputs, {}, 200);
  return run;
}

}  // namespace deltaproof
