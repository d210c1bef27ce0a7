#include "reference/bounds/head_bound.hpp"

#include <algorithm>

#include "reference/bounds/adjoint.hpp"
#include "reference/bounds/chunk_bound.hpp"
#include "reference/bounds/chunk_formats.hpp"
#include "reference/bounds/fp64_bound.hpp"
#include "reference/bounds/token_bound.hpp"

namespace deltaproof {
namespace {

// The evaluation of a bound in double loses relative 2^-53 times small integers on quantities that the bound
// itself charges 2^-24 or more for (docs/bounds.md, 'Evaluation'); this factor is far above that.
constexpr double evaluation = 1 + 0x1p-20;

Matrix state_at(const HeadInputs& run, const HeadAnswer& answer, Index chunk) {
  return chunk == 0 ? run.initial_state : answer.states[static_cast<std::size_t>(chunk - 1)];
}

// Terms of chunks of C tokens, below each other.
Terms rows_together(const std::vector<Terms>& chunks, const HeadInputs& run, Index C, bool apart) {
  Terms together(apart);
  for (std::size_t n = 0; n < chunks.size(); ++n) {
    for (const Terms::Term& term : chunks[n].list()) {
      Matrix all = Matrix::Zero(run.tokens, run.V);
      all.middleRows(static_cast<Index>(n) * C, term.value.rows()) = evaluation * term.value;
      together.add(term.name, all);
    }
  }
  return together;
}

HeadBound chunked_bound(std::string_view arithmetic, BoundChoice::Kind kind, const HeadInputs& run,
                        const HeadAnswer& answer, Index C, const Format& input,
                        const Matrix& initial_error, const TensorCoreModel& tensor_core, bool apart,
                        WrittenBound written) {
  const Index chunks = (run.tokens + C - 1) / C;
  const auto tokens_of = [&](Index n) { return std::min(C, run.tokens - n * C); };
  std::optional<ChunkFormats> formats;
  if (kind == BoundChoice::Kind::chunk) formats = formats_of(arithmetic, run, input, C);
  const auto local = [&](Index n, const Matrix& state_error) {
    const Matrix state = state_at(run, answer, n);
    const HeadInputs slice = run.slice(n * C, tokens_of(n), state);
    const ChunkInput in = chunk_input(slice, state, state_error);
    return formats ? chunk_bound(in, *formats, tensor_core, apart, written)
                   : token_bound(slice, in, TokenRounding{}, apart, written);
  };
  RunBound bound = adjoint_bound(chunks, run.K, run.V, initial_error, tokens_of, local, apart);
  HeadBound result;
  result.o = rows_together(bound.o, run, C, apart);
  if (written != WrittenBound::none) result.u = rows_together(bound.u, run, C, apart);
  for (Index n = 0; n < chunks; ++n) {
    Terms& state = bound.state[static_cast<std::size_t>(n)];
    state.scale(evaluation);
    result.states.push_back(std::move(state));
  }
  return result;
}

bool is_token_recurrence(std::string_view name) {
  return name == "fla-recurrent" || name == "deltaproof-recurrent";
}

// Inputs that a kernel of this arithmetic would have to round when it loads them, which no bound charges.
std::string unbounded_inputs(std::string_view name, const Problem& problem) {
  for (const char* tensor : {"q", "k", "v", "g", "beta", "eta"}) {
    const Tensor* found = problem.find(tensor);
    if (found != nullptr && found->dtype == Dtype::f64) {
      return std::string(tensor) + " is stored in f64, which " + std::string(name) +
             " kernels round to fp32: record the tensor that the kernel was given";
    }
  }
  if (is_token_recurrence(name)) return {};  // loads any narrower type exactly
  const Tensor* q = problem.find("q");
  for (const char* tensor : {"k", "v"}) {
    const Tensor* found = problem.find(tensor);
    if (q != nullptr && found != nullptr && found->dtype != q->dtype) {
      return std::string("q and ") + tensor + " have different types, " +
             std::string(dtype_name(q->dtype)) + " and " + std::string(dtype_name(found->dtype)) +
             ": no bound is proved for chunk kernels that convert one";
    }
  }
  return {};
}

}  // namespace

BoundChoice choose_bound(std::string_view name, const Problem& problem) {
  const RuleInfo& rule = rule_info(problem.options().rule);
  const Format& input = coarsest_input(problem);
  BoundChoice choice;
  choice.assumed = name == "generic";
  if (name == "fp64") {
    choice.kind = BoundChoice::Kind::fp64;
    choice.exact_states = false;
    return choice;
  }
  choice.why_none = unbounded_inputs(name, problem);
  if (!choice.why_none.empty()) return choice;
  if (is_token_recurrence(name) && rule.system == System::update_family) {
    choice.kind = BoundChoice::Kind::token;
  } else if (chunk_formats(name, rule, input, problem.options().chunk_size)) {
    choice.kind = BoundChoice::Kind::chunk;
  } else {
    choice.why_none = "no bound is proved for arithmetic " + std::string(name) + " with rule " +
                      std::string(rule.name) + " and " + std::string(input.name) + " inputs";
  }
  return choice;
}

ChunkFormats formats_of(std::string_view arithmetic, const HeadInputs& run, const Format& input, Index chunk_size) {
  const RuleInfo& rule = rule_info(run.options.rule);
  ChunkFormats f = chunk_formats(arithmetic, rule, input, chunk_size).value();
  const bool products_in_16_bits = run.write_in_16_bits && input.significant_bits < formats::f32.significant_bits;
  const bool rounds_k_beta = arithmetic != "deltaproof-chunk";  // which keeps k b in fp32
  if (products_in_16_bits && rule.decay != Decay::none && rounds_k_beta) {
    f.key_beta_undecayed = f.rw;  // k b has the type of its factors (docs/loc.md, 5)
  }
  return f;
}

const Format& coarsest_input(const Problem& problem) {
  const Format* coarsest = &formats::f64;
  for (const char* name : {"q", "k", "v"}) {
    const Tensor* tensor = problem.find(name);
    if (tensor == nullptr) continue;
    const Format& format = dtype_format(tensor->dtype);
    if (format.significant_bits < coarsest->significant_bits) coarsest = &format;
  }
  return *coarsest;
}

HeadBound head_bound(std::string_view arithmetic, BoundChoice::Kind kind, const HeadInputs& run,
                     const HeadAnswer& answer, Index block, const Format& input,
                     const Matrix& initial_error, const TensorCoreModel& tensor_core, bool apart,
                     WrittenBound written) {
  if (kind == BoundChoice::Kind::fp64) return fp64_bound(run, answer.boundaries, written);
  return chunked_bound(arithmetic, kind, run, answer, block, input, initial_error, tensor_core, apart, written);
}

}  // namespace deltaproof
