#include "reference/arithmetic/pin.hpp"

#include <algorithm>
#include <cmath>

#include "reference/arithmetic/formed.hpp"
#include "reference/arithmetic/run_text.hpp"
#include "reference/bounds/chunk_input.hpp"

namespace deltaproof {
namespace {

// What double loses in the exact rows and coefficients that `chunk_input` forms.
constexpr double formed = 0x1p-48;

SetBlock rows_of(const Sets& r, const Matrix& exact, bool normalised, double relative, Point point) {
  if (!normalised) return r.given(exact);
  const Matrix radius = exact.unaryExpr([relative](double x) {
    return x == 0 ? 0 : (relative + formed) * std::abs(x) + 0x1p-149;  // and the step of subnormal products
  });
  return r.round(r.given(exact, radius), point);
}

SetBlock part_of(const Sets& r, const SetBlock& a, Index begin, Index count) {
  return r.part(a, begin, 0, count, a.cols());
}

// b as the kernel has it: stored, formed as declared, or formed within the errors of docs/loc.md, 5.
SetBlock write_of(const Sets& r, const HeadInputs& run, const ChunkInput& exact, const SetBlock& k) {
  const bool declared = forms_write(run.options) && no_formed_write(r.declared(), run.options).empty();
  if (declared) return write_coefficients(r, run.options, k, run.write);
  const double key_error = r.resolved().normalises_k ? exact.normalise_error : 0;
  const double error = exact.b_error > 0 ? exact.b_error_with(key_error) + formed : 0;
  return r.given(exact.b, error * exact.b.cwiseAbs());
}

}  // namespace

std::string no_pin(const Declared&, const Options& options) {
  if (options.rule == Rule::kla && options.variant == KlaVariant::single_gate) {
    return "variant single_gate forms its decay in the kernel, in an order that is not declared";
  }
  return {};
}

PinnedRun pin(const Resolved& resolved, const TensorCoreModel& tensor_core, const HeadInputs& run, Index chunk,
              const Matrix& state_error, bool state_was_given) {
  const Sets r(resolved, tensor_core);
  const ChunkInput exact = chunk_input(run, run.initial_state, {});
  const SetBlock q = rows_of(r, exact.q, resolved.normalises_q, exact.normalise_error, Point::q);
  const SetBlock k = rows_of(r, exact.k, resolved.normalises_k, exact.normalise_error, Point::k);
  const SetBlock v = r.given(run.v);
  const SetBlock g = run.g.size() == 0 ? r.zero(run.tokens, 1) : r.given(run.g);
  const SetBlock beta = write_of(r, run, exact, k);
  PinnedRun result;
  result.o = r.zero(run.tokens, run.V);
  SetBlock state = r.given(run.initial_state);
  if (state_error.size() != 0) state.radius = state_error;
  for (Index begin = 0; begin < run.tokens; begin += chunk) {
    const Index n = std::min(chunk, run.tokens - begin);
    TextInput<Sets> in{part_of(r, q, begin, n), part_of(r, k, begin, n), part_of(r, v, begin, n),
                       part_of(r, g, begin, n), part_of(r, beta, begin, n), state,
                       r.constant(run.options.scale), state_was_given,
                       rule_info(run.options.rule).residual};
    TextOutput<Sets> out = run_text(r, in);
    r.place(result.o, begin, 0, out.o);
    state = out.state;
    result.states.push_back(std::move(out.state));
  }
  return result;
}

}  // namespace deltaproof
