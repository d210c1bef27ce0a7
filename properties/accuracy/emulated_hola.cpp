#include "properties/accuracy/emulated_hola.hpp"

#include <algorithm>
#include <utility>

#include "properties/accuracy/conformity.hpp"
#include "reference/arithmetic/run_text.hpp"
#include "reference/problem/schema.hpp"

namespace deltaproof {
namespace {

// A faulty run of the state may have other rows than the sequence: those beyond are lost, those missing are zeros.
void fit(MatrixF& rows, Index tokens) {
  if (rows.rows() == tokens || rows.cols() == 0) return;
  const Index had = rows.rows();
  rows.conservativeResize(tokens, Eigen::NoChange);
  if (had < tokens) rows.bottomRows(tokens - had).setZero();
}

std::vector<HolaHead> heads_of(const Problem& problem, const HolaFault& fault, const RunHead& state) {
  std::vector<HolaHead> heads;
  for (const Sequence& sequence : problem.sequences()) {
    if (sequence.state_row < 0) continue;
    for (std::int64_t h = 0; h < problem.dims().HV; ++h) {
      HolaHead& head = heads.emplace_back();
      head.sequence = sequence.index, head.head = h;
      head.inputs = head_inputs(problem, sequence, h);
      if (fault.inputs) fault.inputs(problem, sequence, h, head.inputs);
      head.state = state(sequence, h);
      for (MatrixF* rows : {&head.state.o, &head.state.written, &head.state.residual}) fit(*rows, sequence.length);
      head.scores = hola_scores(head);
      if (fault.scores) fault.scores(head, head.scores);
      refuse_nan_score(head);
      head.rows = hola_rows(head);
    }
  }
  return heads;
}

void choose_wrongly(const HolaFault& fault, std::vector<HolaHead>& heads) {
  if (!fault.rows) return;
  std::vector<CacheSets> wrong;
  for (const HolaHead& head : heads) fault.rows(heads, head, wrong.emplace_back(head.rows));
  for (std::size_t i = 0; i < heads.size(); ++i) heads[i].rows = std::move(wrong[i]);
}

Tensor scores_of(const Problem& problem, const std::vector<HolaHead>& heads) {
  const Dimensions& d = problem.dims();
  std::vector<double> values(static_cast<std::size_t>(d.B * d.T * d.HV));
  for (const HolaHead& head : heads) {
    const Sequence& s = problem.sequences()[static_cast<std::size_t>(head.sequence)];
    for (std::int64_t t = 0; t < s.length; ++t) {
      const std::int64_t at = (s.batch * d.T + s.begin + t) * d.HV + head.head;
      values[static_cast<std::size_t>(at)] = static_cast<double>(head.scores[static_cast<std::size_t>(t)]);
    }
  }
  return Tensor::from(Dtype::f32, {d.B, d.T, d.HV}, values);
}

Tensor selected_of(const Problem& problem, const std::vector<HolaHead>& heads) {
  const Dimensions& d = problem.dims();
  const std::int64_t blocks = part_rows(problem, problem.options().hola.cache_block);
  std::vector<std::int32_t> values(static_cast<std::size_t>(d.B * blocks * d.HV * d.cache), -1);
  for (const HolaHead& head : heads) {
    const Sequence& s = problem.sequences()[static_cast<std::size_t>(head.sequence)];
    for (std::size_t n = 0; n < head.rows.size(); ++n) {
      const std::int64_t row = s.batch * blocks + s.first_block + static_cast<std::int64_t>(n);
      const auto to = values.begin() + (row * d.HV + head.head) * d.cache;
      const auto kept = std::min(std::ssize(head.rows[n]), d.cache);
      std::transform(head.rows[n].begin(), head.rows[n].begin() + kept, to,
                     [](Index token) { return static_cast<std::int32_t>(token); });
    }
  }
  const auto bytes = std::as_bytes(std::span(values));
  return {Dtype::i32, {d.B, blocks, d.HV, d.cache}, {bytes.begin(), bytes.end()}};
}

}  // namespace

RunHead hola_state(const Problem& state_part, const Declared& declared, const HolaFault& fault) {
  const Bits bits(resolve_for(state_part, Outputs{}, declared));
  return [&state_part, &fault, bits](const Sequence& sequence, std::int64_t head) {
    const auto read = [&](Index, const TextInput<Bits>& in) {
      TextOutput<Bits> out = run_text(bits, in);
      if (fault.written) out.written = fault.written(bits, in);
      return out;
    };
    return emulate_with(bits, head_inputs(state_part, sequence, head), state_part.options().chunk_size,
                        state_part.find("initial_state") != nullptr, read);
  };
}

Outputs emulated_hola(const Problem& problem, const HolaFault& fault, const RunHead& state, bool with_states) {
  std::vector<HolaHead> heads = heads_of(problem, fault, state);
  choose_wrongly(fault, heads);
  const Format& stored = dtype_format(problem.find("q")->dtype);
  const auto finished = [&](const Sequence& sequence, std::int64_t head) {
    const auto at = std::ranges::find_if(
        heads, [&](const HolaHead& each) { return each.sequence == sequence.index && each.head == head; });
    Emulation run = at->state;
    run.o = hola_outputs(*at, stored, fault);
    return run;
  };
  Outputs outputs = assembled_outputs(problem, finished, with_states);
  outputs.tensors["scores"] = scores_of(problem, heads);
  outputs.tensors["selected"] = selected_of(problem, heads);
  return outputs;
}

Outputs emulated_hola(const Problem& problem, const Declared& declared, bool with_states) {
  const Problem part = problem.state_part();
  const HolaFault none;
  return emulated_hola(problem, none, hola_state(part, declared, none), with_states);
}

}  // namespace deltaproof
