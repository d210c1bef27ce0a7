#include "reference/arithmetic/emulate.hpp"

#include <algorithm>

#include "reference/arithmetic/formed.hpp"
#include "reference/arithmetic/run_text.hpp"

namespace deltaproof {
namespace {

MatrixF rows_of(const Bits& r, const Matrix& stored, bool normalise, double eps, Point point) {
  const MatrixF x = r.given(stored);
  return normalise ? r.round(normalised_rows(x, eps, r.declared().norm_sum), point) : x;
}

void keep_rows(MatrixF& all, const MatrixF& rows, Index begin, Index tokens) {
  if (rows.size() == 0) return;
  all.conservativeResize(tokens, rows.cols());
  all.middleRows(begin, rows.rows()) = rows;
}

}  // namespace

std::string no_emulation(const Declared& declared, const Options& options) {
  const TensorCoreModel& core = tensor_core(declared.mma);
  if (core.accumulation == Accumulation::aligned && core.depth(Operand::tf32) == 0) {
    return "tensor core " + declared.mma + " has neither TF32 nor bf16, in which the declared order multiplies";
  }
  if (declared.lanes == Lanes::any) return "lanes any: the order of the sums is not declared";
  return no_formed_write(declared, options);
}

std::string no_emulation(const Declared& declared, const Problem& problem) {
  const std::string why = no_emulation(declared, problem.options());
  if (!why.empty() || declared.text != "fla-recurrent" || declared.lanes != Lanes::by_initial_state) return why;
  const Rule rule = problem.options().rule;
  const bool recorded = rule == Rule::gated_delta ||
                        (rule == Rule::delta && problem.find("initial_state") != nullptr);
  if (recorded && problem.dims().V >= 8) return {};
  return "the layout of fla-recurrent is known for rule gated_delta, and for delta with an initial state, from 8 "
         "value channels on; declare lanes to have another emulated";
}

Emulation emulate(const Resolved& resolved, const HeadInputs& run, Index chunk, bool state_was_given) {
  const Bits bits(resolved);
  return emulate_with(bits, run, chunk, state_was_given,
                      [&](Index, const TextInput<Bits>& in) { return run_text(bits, in); });
}

Emulation emulate_with(const Bits& r, const HeadInputs& run, Index chunk, bool state_was_given,
                       const ReadChunk& read) {
  const Resolved& resolved = r.resolved();
  const double eps = run.options.qk_l2norm_eps;
  const MatrixF q = rows_of(r, run.q, resolved.normalises_q, eps, Point::q);
  const MatrixF k = rows_of(r, run.k, resolved.normalises_k, eps, Point::k);
  const MatrixF v = r.given(run.v);
  const MatrixF g = run.g.size() == 0 ? r.zero(run.tokens, 1) : r.given(run.g);
  const MatrixF beta = write_coefficients(r, run.options, k, run.write);
  Emulation result;
  result.o.resize(run.tokens, run.V);
  MatrixF state = r.given(run.initial_state);
  for (Index begin = 0; begin < run.tokens; begin += chunk) {
    const Index n = std::min(chunk, run.tokens - begin);
    TextInput<Bits> in;
    in.q = q.middleRows(begin, n);
    in.k = k.middleRows(begin, n);
    in.v = v.middleRows(begin, n);
    in.g = g.middleRows(begin, n);
    in.beta = beta.middleRows(begin, n);
    in.state = state;
    in.scale = r.constant(run.options.scale);
    in.state_was_given = state_was_given;
    in.residual = rule_info(run.options.rule).residual;
    TextOutput<Bits> out = read(begin / chunk, in);
    result.o.middleRows(begin, n) = out.o;
    keep_rows(result.written, out.written, begin, run.tokens);
    keep_rows(result.residual, out.residual, begin, run.tokens);
    state = out.state;
    result.states.push_back(std::move(out.state));
  }
  return result;
}

}  // namespace deltaproof
