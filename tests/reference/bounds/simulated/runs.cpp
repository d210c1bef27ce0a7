#include "tests/reference/bounds/simulated/runs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "properties/regimes/families.hpp"

namespace deltaproof::simulated {

void Tally::add(const Matrix& value, const Matrix& exact, const Matrix& exact_radius,
                const Matrix& bound, const std::string& place) {
  for (Index i = 0; i < value.rows(); ++i) {
    for (Index j = 0; j < value.cols(); ++j) {
      ++values;
      const double allowed = bound(i, j) + exact_radius(i, j);
      if (!(allowed < std::numeric_limits<double>::infinity())) {
        ++unbounded;
        unbounded_at = place;
        continue;
      }
      const double error = std::abs(value(i, j) - exact(i, j));
      if (!(error <= allowed)) ++violations;
      const double ratio = error == 0 ? 0 : error / allowed;
      if (!(ratio <= worst)) {
        worst = ratio;
        where = place + " (" + std::to_string(i) + ", " + std::to_string(j) + ")";
      }
    }
  }
}

void Tally::merge(const Tally& other) {
  values += other.values;
  violations += other.violations;
  unbounded += other.unbounded;
  if (other.unbounded > 0) unbounded_at += other.unbounded_at + "; ";
  if (!(other.worst <= worst)) {
    worst = other.worst;
    where = other.where;
  }
}

ChunkRunner runner(const ChunkKernel& kernel) {
  return [kernel](const HeadInputs& slice) {
    const ChunkInput in = chunk_input(slice, slice.initial_state, Matrix());
    Rounder round(kernel.roundings);
    const Matrix g = slice.g.size() == 0 ? Matrix(Matrix::Zero(slice.tokens, 1)) : slice.g;
    return run_chunk(kernel, round, in, g);
  };
}

namespace {

Matrix spread(const RowVector& radius, Index rows) { return radius.replicate(rows, 1); }

void compare(const HeadInputs& run, const Judged& judged, const Matrix& o,
             const std::vector<Matrix>& states, const std::string& place, Tally& tally) {
  const AnswerRequest request{.every = run.options.chunk_size, .trace = true, .u = false};
  HeadAnswer answer = answer_double(run, request);
  const HeadBound bound = head_bound(judged.arithmetic, judged.kind, run, answer, request.every,
                                     judged.input, Matrix(), *judged.tensor_core, false);
  tally.add(o, answer.o, answer.o_radius, bound.o.sum(run.tokens, run.V) / judged.shrink,
            place + " o");
  for (std::size_t n = 0; n < states.size(); ++n) {
    tally.add(states[n], answer.states[n], spread(answer.state_radius[n], run.K),
              bound.states[n].sum(run.K, run.V) / judged.shrink,
              place + " state " + std::to_string(n));
  }
}

}  // namespace

RunTally judge(const ChunkRunner& run, const HeadInputs& head, const Judged& judged,
               const std::string& place) {
  RunTally tally;
  const Index C = head.options.chunk_size;
  Matrix state = head.initial_state, o(head.tokens, head.V);
  std::vector<Matrix> states;
  for (Index begin = 0; begin < head.tokens; begin += C) {
    const Index count = std::min(C, head.tokens - begin);
    const HeadInputs slice = head.slice(begin, count, state);
    const ChunkOutput out = run(slice);
    compare(slice, judged, out.o, {out.state}, place + ", chunk " + std::to_string(begin / C),
            tally.local);
    o.middleRows(begin, count) = out.o;
    state = out.state;
    states.push_back(state);
  }
  compare(head, judged, o, states, place + ", whole run", tally.whole);
  return tally;
}

HeadInputs regime_inputs(std::string_view regime, Rule rule, const Format& input, Index tokens,
                         Index K, Index V, Index chunk, std::uint64_t seed) {
  RegimeShape shape{.tokens = tokens, .K = K, .V = V, .initial_state = seed != 1};
  const Regime& family = *find_regime(regime);
  const bool beyond_f16 = family.keys == KeyGeometry::huge || family.keys == KeyGeometry::extreme;
  if (beyond_f16 && input == formats::f16) shape.input = Dtype::f16;
  HeadInputs head = regime_head(family, rule, shape, seed);
  head.options.chunk_size = chunk;
  head.options.scale = static_cast<float>(head.options.scale);
  if (input == formats::bf16) return head;
  for (Matrix* m : {&head.q, &head.k, &head.v}) {
    *m = m->unaryExpr([&](double x) { return round_to_nearest_even(input, x * 1.01234567); });
  }
  return head;
}

}  // namespace deltaproof::simulated
