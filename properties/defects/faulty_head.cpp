#include "properties/defects/faulty_head.hpp"

#include "properties/accuracy/conformity.hpp"
#include "properties/defects/faulty_bits.hpp"
#include "reference/arithmetic/run_text.hpp"

namespace deltaproof {
namespace {

// A fault may take the normalisation of rows out of the kernel.
Resolved resolved_for(const Problem& problem, const Declared& declared, const HeadInputs& run, const HeadPart& part) {
  Resolved resolved = resolve_for(problem, Outputs{}, declared);
  if (part.stored) resolved.stored = *part.stored;
  const L2Norm norm = run.options.qk_l2norm;
  if (norm == problem.options().qk_l2norm) return resolved;
  resolved.normalises_q = norm == L2Norm::q || norm == L2Norm::both;
  resolved.normalises_k = norm == L2Norm::k || norm == L2Norm::both;
  return resolved;
}

// Rows that the kernel would have normalised, and that the fault made itself, are stored as the kernel's.
void round_rows(const Bits& bits, const Resolved& right, HeadInputs& run) {
  const auto round = [&](Matrix& rows, Point point) { rows = bits.round(bits.given(rows), point).cast<double>(); };
  if (right.normalises_q && !bits.resolved().normalises_q) round(run.q, Point::q);
  if (right.normalises_k && !bits.resolved().normalises_k) round(run.k, Point::k);
}

}  // namespace

Emulation run_head(const Fault& fault, const Problem& problem, const Declared& declared, const Sequence& sequence,
                   std::int64_t head, const Emulation* right, const HeadPart& part) {
  const bool elsewhere = (fault.head >= 0 && fault.head != head) ||
                         (fault.sequence >= 0 && fault.sequence != sequence.index) || !is_in(fault, declared);
  if (elsewhere && right != nullptr) return *right;
  const Fault none;
  const Fault& here = elsewhere ? none : fault;
  Declared changed = declared;
  if (here.declaration) here.declaration(changed);
  const HeadInputs stored = head_inputs(problem, sequence, head);
  HeadInputs run = stored;
  if (here.run_inputs) here.run_inputs(problem, sequence, head, run);
  const Bits bits(resolved_for(problem, changed, run, part));
  round_rows(bits, resolve_for(problem, Outputs{}, changed), run);
  const Index size = problem.options().chunk_size;
  std::vector<MatrixF> states{bits.given(run.initial_state)};
  const auto read = [&](Index chunk, const TextInput<Bits>& left) -> TextOutput<Bits> {
    TextInput<Bits> in = left;
    const auto known = [&](Index n) { return part.known_state ? part.known_state(n) : std::nullopt; };
    if (std::optional<MatrixF> entering = known(chunk)) states.back() = in.state = *entering;
    if (chunk < part.first || chunk >= part.end) {
      const MatrixF after = known(chunk + 1).value_or(in.state);
      if (here.entering) states.push_back(after);
      return {MatrixF::Zero(in.v.rows(), in.v.cols()), after, {}, {}};
    }
    if (here.chunk >= 0 && chunk < here.chunk && right != nullptr) {
      return {right->o.middleRows(chunk * size, in.k.rows()), right->states[static_cast<std::size_t>(chunk)]};
    }
    if (here.chunk >= 0 && chunk != here.chunk) return run_text(bits, in);
    ChunkStep step{bits, in};
    if (here.entering) step.in.state = here.entering(states);
    TextOutput<Bits> out = read_chunk(here, step);
    if (here.entering) states.push_back(out.state);
    return out;
  };
  Emulation made = emulate_with(bits, run, size, problem.find("initial_state") != nullptr, read);
  if (here.kept) here.kept(stored, made);
  return made;
}

}  // namespace deltaproof
