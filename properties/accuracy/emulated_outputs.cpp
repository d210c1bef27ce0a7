#include "properties/accuracy/emulated_outputs.hpp"

#include <algorithm>
#include <vector>

#include "properties/accuracy/conformity.hpp"
#include "properties/accuracy/emulated_hola.hpp"
#include "properties/accuracy/over_units.hpp"
#include "reference/problem/head.hpp"
#include "reference/problem/schema.hpp"

namespace deltaproof {
namespace {

// Values of one tensor of states, [rows, HV, K, V] or [rows, HV, V, K].
class StateValues {
 public:
  StateValues(const Problem& problem, std::int64_t rows)
      : d_(problem.dims()),
        transposed_(problem.options().state_layout == StateLayout::vk),
        values_(static_cast<std::size_t>(rows * d_.HV * d_.K * d_.V)) {}

  void write(std::int64_t row, std::int64_t head, const MatrixF& state) {
    const Matrix kept = transposed_ ? Matrix(state.transpose().cast<double>()) : Matrix(state.cast<double>());
    std::copy_n(kept.data(), kept.size(), values_.begin() + (row * d_.HV + head) * kept.size());
  }

  Tensor tensor(std::vector<std::int64_t> rows) const {
    rows.insert(rows.end(), {d_.HV, transposed_ ? d_.V : d_.K, transposed_ ? d_.K : d_.V});
    return Tensor::from(Dtype::f32, std::move(rows), values_);
  }

 private:
  const Dimensions& d_;
  bool transposed_;
  std::vector<double> values_;
};

class Assembly {
 public:
  explicit Assembly(const Problem& problem)
      : problem_(problem),
        d_(problem.dims()),
        rows_(part_rows(problem, problem.options().states_every)),
        o_(static_cast<std::size_t>(d_.B * d_.T * d_.HV * d_.V)),
        final_(problem, d_.pool),
        states_(problem, d_.B * rows_) {}

  // Different heads may be added at once: each has places of its own.
  void add(const Sequence& s, std::int64_t head, const Emulation& run) {
    for (Index t = 0; t < s.length; ++t) {
      const std::int64_t at = ((s.batch * d_.T + s.begin + t) * d_.HV + head) * d_.V;
      for (Index c = 0; c < d_.V; ++c) o_[static_cast<std::size_t>(at + c)] = static_cast<double>(run.o(t, c));
    }
    if (run.states.empty()) return;
    final_.write(s.state_row, head, run.states.back());
    const std::int64_t every = problem_.options().states_every, chunk = problem_.options().chunk_size;
    for (std::int64_t n = 0; n < state_count(s.length, every); ++n) {
      const std::int64_t token = std::min((n + 1) * every, s.length);
      const auto after = static_cast<std::size_t>((token + chunk - 1) / chunk - 1);
      states_.write(s.batch * rows_ + s.first_state + n, head, run.states[after]);
    }
  }

  Outputs outputs(bool with_states) const {
    Outputs outputs;
    outputs.tensors["o"] = Tensor::from(problem_.find("q")->dtype, {d_.B, d_.T, d_.HV, d_.V}, o_);
    outputs.tensors["final_state"] = final_.tensor({d_.pool});
    keep_other_states(outputs.tensors["final_state"]);
    if (with_states) outputs.tensors["chunk_states"] = states_.tensor({d_.B, rows_});
    return outputs;
  }

 private:
  // A state that no token changes stays, bit for bit: of an empty sequence, of a row of the pool that no sequence has.
  void keep_other_states(Tensor& final_state) const {
    const Tensor* initial = problem_.find("initial_state");
    if (initial == nullptr) return;
    std::vector<bool> changed(static_cast<std::size_t>(d_.pool));
    for (const Sequence& s : problem_.sequences()) {
      if (s.state_row >= 0 && s.length > 0) changed[static_cast<std::size_t>(s.state_row)] = true;
    }
    const Tensor before =
        initial->dtype == Dtype::f32 ? *initial : Tensor::from(Dtype::f32, initial->shape, initial->values());
    const std::size_t bytes = changed.empty() ? 0 : before.bytes.size() / changed.size();
    for (std::size_t row = 0; row < changed.size(); ++row) {
      if (!changed[row]) std::copy_n(before.bytes.data() + row * bytes, bytes, final_state.bytes.data() + row * bytes);
    }
  }

  const Problem& problem_;
  const Dimensions& d_;
  std::int64_t rows_;
  std::vector<double> o_;
  StateValues final_, states_;
};

}  // namespace

Outputs assembled_outputs(const Problem& problem, const RunHead& run, bool with_states) {
  Assembly assembly(problem);
  for (const Sequence& sequence : problem.sequences()) {
    if (sequence.state_row < 0) continue;
    for (std::int64_t head = 0; head < problem.dims().HV; ++head) assembly.add(sequence, head, run(sequence, head));
  }
  return assembly.outputs(with_states);
}

Outputs emulated_outputs(const Problem& problem, const Declared& declared, bool with_states) {
  if (problem.options().rule == Rule::hola) return emulated_hola(problem, declared, with_states);
  const Resolved resolved = resolve_for(problem, Outputs{}, declared);
  const auto run = [&](const Sequence& sequence, std::int64_t head) {
    return emulate(resolved, head_inputs(problem, sequence, head), problem.options().chunk_size,
                   problem.find("initial_state") != nullptr);
  };
  return assembled_outputs(problem, run, with_states);
}

Outputs emulated_outputs(const Problem& problem, bool with_states) {
  return emulated_outputs(problem, built_in(problem.options().arithmetic, state_rule(problem.options()).rule).value(),
                          with_states);
}

Tensor emulated_states(const Problem& problem, const Resolved& resolved, int threads) {
  std::vector<Unit> heads;
  for (const Sequence& sequence : problem.sequences()) {
    if (sequence.state_row < 0) continue;
    for (std::int64_t head = 0; head < problem.dims().HV; ++head) {
      heads.push_back({&sequence, head, 0, sequence.length, -1});
    }
  }
  Assembly assembly(problem);
  struct Nothing {};
  const auto head_of = [&](const Unit& unit) { return head_inputs(problem, *unit.sequence, unit.head); };
  const auto judge = [&](const Unit& unit, const HeadInputs& head) {
    const bool given = problem.find("initial_state") != nullptr;
    assembly.add(*unit.sequence, unit.head, emulate(resolved, head, problem.options().chunk_size, given));
    return Nothing{};
  };
  OverUnits<Nothing>(heads, head_of, judge, [](Nothing&, const Nothing&) {}).run(threads);
  return assembly.outputs(true).tensors.at("chunk_states");
}

}  // namespace deltaproof
