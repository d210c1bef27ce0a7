#include "properties/accuracy/answer.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "properties/accuracy/answer_tensors.hpp"
#include "reference/bounds/head_bound.hpp"
#include "reference/problem/input_error.hpp"

namespace deltaproof {
namespace {

// Radius asked of the reference, relative to the largest value of its tensor and head.
constexpr double wanted = 0x1p-40;

using Shape = AnswerTensors::Shape;

AnswerTarget target_of(const HeadAnswer& answer) {
  const auto flat = [](const Matrix& m) {
    const double largest = m.size() == 0 ? 0 : m.cwiseAbs().maxCoeff();
    return Matrix(Matrix::Constant(m.rows(), m.cols(), std::max(wanted * largest, 0x1p-1000)));
  };
  AnswerTarget target;
  target.o = flat(answer.o);
  for (const Matrix& state : answer.states) target.states.push_back(flat(state));
  return target;
}

// What the cache adds to o has bounds of its own, given a kernel's sets: no answer has them.
BoundChoice bound_of(const Problem& problem) {
  if (problem.options().rule != Rule::hola) return choose_bound(problem.options().arithmetic, problem);
  BoundChoice none;
  none.why_none = "the bound of rule hola needs the sets that a kernel read its cache with";
  return none;
}

class FullAnswer {
 public:
  FullAnswer(const Problem& problem, const AccuracyOptions& options)
      : problem_(problem), collector_(problem),
        choice_(bound_of(problem)),
        tensor_core_(find_tensor_core(options.tensor_core)) {
    if (tensor_core_ == nullptr) throw InputError("unknown tensor core '" + options.tensor_core + "'");
    for (const Sequence& s : problem.sequences()) {
      const std::int64_t rows = state_count(s.length, problem.options().states_every);
      chunk_rows_ = std::max(chunk_rows_, s.first_state + rows);
      block_rows_ = std::max(block_rows_, s.first_block + state_count(s.length, problem.options().hola.cache_block));
    }
  }

  Safetensors run() {
    for (const Sequence& s : problem_.sequences()) {
      if (s.state_row < 0) continue;
      for (std::int64_t h = 0; h < problem_.dims().HV; ++h) add_head(s, h);
    }
    Safetensors file;
    file.tensors = collector_.tensors();
    file.metadata = {{"format", "deltaproof.answer/1"},
                     {"case", problem_.name()},
                     {"rule", std::string(rule_info(problem_.options().rule).name)},
                     {"arithmetic", problem_.options().arithmetic},
                     {"state_layout", "kv"},
                     {"precision_bits", std::to_string(bits_)}};
    if (choice_.kind == BoundChoice::Kind::none) file.metadata["bound"] = choice_.why_none;
    if (uncertain_blocks_ > 0) file.metadata["uncertain_blocks"] = std::to_string(uncertain_blocks_);
    return file;
  }

 private:
  void add_head(const Sequence& s, std::int64_t h) {
    const HeadInputs head = head_inputs(problem_, s, h);
    const Options& options = problem_.options();
    const System system = rule_info(options.rule).system;
    if (s.length == 0) {
      add_final(s, h, head.initial_state, Matrix::Zero(head.initial_state.rows(), head.initial_state.cols()));
      return;
    }
    const bool update = system == System::update_family;
    const AnswerRequest request{.every = options.chunk_size, .trace = false, .u = update};
    HeadAnswer answer = answer_double(head, request);
    answer = answer_within(head, request, target_of(answer));
    bits_ = std::max(bits_, answer.bits);
    collector_.tokens("o", s, h, answer.o);
    collector_.tokens("o_radius", s, h, answer.o_radius);
    if (update) {
      collector_.tokens("u", s, h, answer.u);
      collector_.tokens("u_radius", s, h, answer.u_radius);
      collector_.tokens("scores", s, h, answer.u.rowwise().norm());
    }
    if (system == System::hola) add_cache(s, h, answer);
    for (std::size_t n = 0; n < answer.states.size(); ++n) add_state(s, h, answer, n);
    if (choice_.kind != BoundChoice::Kind::none) add_bounds(s, h, head, answer);
  }

  void add_cache(const Sequence& s, std::int64_t h, const HeadAnswer& answer) {
    collector_.per_token("scores", s, h, answer.score);
    collector_.per_token("scores_radius", s, h, answer.score_radius);
    collector_.sets("selected", block_rows_, s, h, answer.sets);
    uncertain_blocks_ += std::ranges::count(answer.certain, false);
  }

  void add_state(const Sequence& s, std::int64_t h, const HeadAnswer& answer, std::size_t n) {
    const Index tokens = answer.boundaries[n];
    const std::int64_t every = problem_.options().states_every;
    const Matrix& state = answer.states[n];
    const Matrix radius = answer.state_radius[n].replicate(state.rows(), 1);
    if (tokens % every == 0 || tokens == s.length) {
      const std::int64_t row = s.batch * chunk_rows_ + s.first_state + (tokens - 1) / every;
      const Shape outer{problem_.dims().B, chunk_rows_};
      collector_.state("chunk_states", outer, row, h, state);
      collector_.state("chunk_states_radius", outer, row, h, radius);
    }
    if (tokens != s.length) return;
    add_final(s, h, state, radius);
    if (!answer.slot_values.empty()) {
      const Matrix& values = answer.slot_values[n];
      const Shape outer{problem_.dims().pool};
      collector_.state("final_slot_values", outer, s.state_row, h, values);
      collector_.state("final_slot_values_radius", outer, s.state_row, h,
                       answer.slot_values_radius[n].replicate(values.rows(), 1));
    }
  }

  void add_final(const Sequence& s, std::int64_t h, const Matrix& state, const Matrix& radius) {
    const bool gsa = rule_info(problem_.options().rule).system == System::gsa;
    const std::string name = gsa ? "final_slot_keys" : "final_state";
    collector_.state(name, {problem_.dims().pool}, s.state_row, h, state);
    collector_.state(name + "_radius", {problem_.dims().pool}, s.state_row, h, radius);
  }

  void add_bounds(const Sequence& s, std::int64_t h, const HeadInputs& head, const HeadAnswer& answer) {
    const HeadBound bound = head_bound(problem_.options().arithmetic, choice_.kind, head, answer,
                                       problem_.options().chunk_size, coarsest_input(problem_), Matrix(),
                                       *tensor_core_, true);
    collector_.tokens("o_bound", s, h, bound.o.sum(head.tokens, head.V));
    for (const Terms::Term& term : bound.o.list()) {
      collector_.tokens("o_bound." + term.name, s, h, term.value);
    }
    if (bound.states.empty()) return;
    const Matrix& state = answer.states.back();
    collector_.state("final_state_bound", {problem_.dims().pool}, s.state_row, h,
                     bound.states.back().sum(state.rows(), state.cols()));
    for (const Terms::Term& term : bound.states.back().list()) {
      collector_.state("final_state_bound." + term.name, {problem_.dims().pool}, s.state_row, h, term.value);
    }
  }

  const Problem& problem_;
  AnswerTensors collector_;
  BoundChoice choice_;
  const TensorCoreModel* tensor_core_;
  std::int64_t chunk_rows_ = 0, block_rows_ = 0;
  std::int64_t uncertain_blocks_ = 0;  // hola: scores that their radii do not tell apart
  int bits_ = 53;
};

}  // namespace

Safetensors full_answer(const Problem& problem, const AccuracyOptions& options) {
  return FullAnswer(problem, options).run();
}

}  // namespace deltaproof
