#include "tests/reference/arithmetic/recording.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <ostream>
#include <stdexcept>

#include "reference/arithmetic/emulate.hpp"
#include "reference/bounds/head_bound.hpp"
#include "reference/bounds/rounding.hpp"
#include "reference/problem/case_file.hpp"

namespace deltaproof::arithmetic_tests {
namespace {

std::filesystem::path folder() { return std::filesystem::path(DELTAPROOF_SOURCE_DIR) / "golden" / "recorded"; }

// Recorded values are fp32 numbers or narrower, held in double.
Index unequal(const MatrixF& emulated, const Matrix& recorded) {
  if (emulated.rows() != recorded.rows() || emulated.cols() != recorded.cols()) return recorded.size();
  Index count = 0;
  for (Index i = 0; i < emulated.size(); ++i) {
    const auto word = std::bit_cast<std::uint32_t>(static_cast<float>(recorded.data()[i]));
    if (std::bit_cast<std::uint32_t>(emulated.data()[i]) != word) ++count;
  }
  return count;
}

RecordedHead recorded_head(const CaseFile& file, const Sequence& sequence, Index h) {
  const Problem& problem = file.problem;
  RecordedHead head{head_inputs(problem, sequence, h), output_rows(*file.outputs->find("o"), problem, sequence, h),
                    {}, std::nullopt};
  if (const Tensor* states = file.outputs->find("chunk_states")) {
    // Rows of [B, NC, HV, ..] as one axis.
    const Index first = sequence.batch * states->shape[1] + sequence.first_state;
    const Index count = state_count(sequence.length, problem.options().states_every);
    for (Index n = 0; n < count; ++n) head.states.push_back(state_of(*states, problem, first + n, h));
  }
  if (const Tensor* last = file.outputs->find("final_state")) {
    head.final_state = state_of(*last, problem, sequence.state_row, h);
  }
  return head;
}

}  // namespace

Unequal& Unequal::operator+=(const Unequal& other) {
  o += other.o;
  states += other.states;
  return *this;
}

std::ostream& operator<<(std::ostream& out, const Unequal& counts) {
  return out << counts.o << " of o, " << counts.states << " of the states";
}

Resolved Recording::resolved(const Declared& as) const {
  const L2Norm rows = options.qk_l2norm;
  const bool q = rows == L2Norm::both || rows == L2Norm::q, k = rows == L2Norm::both || rows == L2Norm::k;
  return resolve(as, input, stored, q, k, beta_in_f32);
}

Recording read_recording(const std::string& name) {
  const CaseFile file = read_case(folder() / (name + ".safetensors"));
  const Problem& problem = file.problem;
  Recording recording;
  recording.name = name;
  recording.options = problem.options();
  recording.declared = built_in(problem.options().arithmetic, problem.options().rule);
  recording.input = coarsest_input(problem);
  recording.stored = dtype_format(file.outputs->find("o")->dtype);
  const Tensor* beta = problem.find("beta");
  recording.beta_in_f32 = beta == nullptr || beta->dtype == Dtype::f32;
  recording.state_was_given = problem.find("initial_state") != nullptr;
  for (const Sequence& sequence : problem.sequences()) {
    for (Index h = 0; h < problem.dims().HV; ++h) recording.heads.push_back(recorded_head(file, sequence, h));
  }
  return recording;
}

std::vector<std::string> recordings_with_text() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder())) {
    if (entry.path().extension() != ".safetensors") continue;
    const Options options = read_case(entry.path()).problem.options();
    if (built_in(options.arithmetic, options.rule)) names.push_back(entry.path().stem());
  }
  std::sort(names.begin(), names.end());
  return names;
}

Declared changed(Declared declared, const Change& change) {
  for (const Choice& choice : choices_of(declared.text)) {
    if (choice.section != change.section || choice.name != change.name) continue;
    choice.set(declared, change.value);
    return declared;
  }
  throw std::logic_error("text " + declared.text + " makes no choice named " + change.name);
}

Unequal unequal_in_full_run(const Recording& recording, const Declared& declared) {
  const Resolved resolved = recording.resolved(declared);
  const Index chunk = recording.options.chunk_size, every = recording.options.states_every / chunk;
  Unequal total;
  for (const RecordedHead& head : recording.heads) {
    const Emulation run = emulate(resolved, head.inputs, chunk, recording.state_was_given);
    total.o += unequal(run.o, head.o);
    const auto chunks = static_cast<Index>(run.states.size());
    for (std::size_t n = 0; n < head.states.size(); ++n) {
      const Index last = std::min((static_cast<Index>(n) + 1) * every, chunks) - 1;
      total.states += unequal(run.states[static_cast<std::size_t>(last)], head.states[n]);
    }
    const bool ends_with_final = !head.states.empty() && head.final_state == head.states.back();
    if (head.final_state && !ends_with_final) total.states += unequal(run.states.back(), *head.final_state);
  }
  return total;
}

Unequal unequal_by_chunk(const Recording& recording, const Declared& declared) {
  const Resolved resolved = recording.resolved(declared);
  const Index every = recording.options.states_every;
  Unequal total;
  for (const RecordedHead& head : recording.heads) {
    Matrix state = head.inputs.initial_state;
    for (std::size_t n = 0; n < head.states.size(); ++n) {
      const Index begin = static_cast<Index>(n) * every;
      const Index count = std::min(every, head.inputs.tokens - begin);
      const Emulation run = emulate(resolved, head.inputs.slice(begin, count, state), recording.options.chunk_size,
                                    recording.state_was_given);
      state = head.states[n];
      total += {unequal(run.o, head.o.middleRows(begin, count)), unequal(run.states.back(), state)};
    }
  }
  return total;
}

}  // namespace deltaproof::arithmetic_tests
