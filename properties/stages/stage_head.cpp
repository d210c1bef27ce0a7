#include "properties/stages/stage_head.hpp"

#include <cmath>

namespace deltaproof {
namespace {

// Rows of one sequence and head of a tensor [B, T, heads, width]; zeros if there is none.
Matrix rows_of(const Tensor& tensor, const StageSequence& sequence, std::int64_t heads, std::int64_t head, Index width) {
  Matrix rows = Matrix::Zero(sequence.length, width);
  if (tensor.shape.empty()) return rows;
  for (Index t = 0; t < rows.rows(); ++t) {
    for (Index i = 0; i < width; ++i) rows(t, i) = tensor.value(((sequence.first + t) * heads + head) * width + i);
  }
  return rows;
}

HeadInputs blank_head(const StageShape& d, const StageSequence& sequence) {
  HeadInputs inputs;
  inputs.options.rule = Rule::hola;
  inputs.options.scale = 1;
  inputs.tokens = sequence.length, inputs.K = d.K, inputs.V = d.V;
  inputs.q = Matrix::Zero(sequence.length, d.K);
  inputs.g = Matrix::Zero(sequence.length, 1);
  inputs.initial_state = Matrix::Zero(d.K, d.V);
  inputs.sink = 0;
  return inputs;
}

void set_coefficient(const ScoresInput& input, Options& options) {
  options.hola.state_rule = input.coefficient == Coefficient::given ? Rule::gated_delta : Rule::kla;
  options.variant = input.coefficient == Coefficient::key_norm_only    ? KlaVariant::key_norm_only
                    : input.coefficient == Coefficient::learned_scalar ? KlaVariant::learned_scalar
                                                                       : KlaVariant::standard;
  options.eps = double{input.eps}, options.c = double{input.c};
  options.qk_l2norm = input.normalise_k ? L2Norm::k : L2Norm::none;
  options.qk_l2norm_eps = double{input.l2norm_eps};
}

CacheScore cache_score_of(CallScore score) {
  switch (score) {
    case CallScore::beta_e: return CacheScore::beta_e;
    case CallScore::write_norm: return CacheScore::write_norm;
    case CallScore::e: return CacheScore::e;
    case CallScore::beta_v: return CacheScore::beta_v;
    case CallScore::recency: break;
  }
  return CacheScore::recency;
}

Matrix gamma_of(const Tensor& gamma, std::int64_t head, Index K) {
  Matrix row(1, K);
  for (Index i = 0; i < K; ++i) row(0, i) = gamma.value(head * K + i);
  return row;
}

}  // namespace

HeadInputs head_of(const ScoresInput& input, const StageSequence& sequence, std::int64_t head) {
  const StageShape& d = input.shape;
  HeadInputs inputs = blank_head(d, sequence);
  set_coefficient(input, inputs.options);
  inputs.options.hola.score = cache_score_of(input.score);
  inputs.k = rows_of(input.k, sequence, d.H, head / (d.HV / d.H), d.K);
  inputs.v = rows_of(input.v, sequence, d.HV, head, d.V);
  inputs.write = rows_of(input.write, sequence, d.HV, head, 1);
  inputs.normalised_in_fp32 = true;
  return inputs;
}

HeadInputs head_of(const ReadInput& input, const StageSequence& sequence, std::int64_t head) {
  const StageShape& d = input.shape;
  HeadInputs inputs = blank_head(d, sequence);
  HolaOptions& options = inputs.options.hola;
  options.cache_size = input.w, options.cache_block = input.C;
  options.read = input.read == CallRead::l2 ? CacheRead::l2 : CacheRead::rmsnorm;
  // The tau of which the call's logit scale, tau / sqrt(K) in fp32, is made.
  options.tau = double{input.logit_scale} * std::sqrt(static_cast<double>(d.K));
  options.read_eps = double{input.read_eps};
  inputs.options.qk_l2norm_eps = double{input.l2norm_eps};
  const std::int64_t key_head = head / (d.HV / d.H);
  inputs.q = rows_of(input.q, sequence, d.H, key_head, d.K);
  inputs.k = rows_of(input.k, sequence, d.H, key_head, d.K);
  inputs.v = rows_of(input.v, sequence, d.HV, head, d.V);
  inputs.sink = input.sink.value(head);
  inputs.cache_gate = input.gate.value(head);
  if (input.read == CallRead::l2) return inputs;
  inputs.gamma_q = gamma_of(input.gamma_q, head, d.K);
  inputs.gamma_k = gamma_of(input.gamma_k, head, d.K);
  return inputs;
}

Matrix written_of(const ScoresInput& input, const StageSequence& sequence, std::int64_t head) {
  Matrix rows(sequence.length, input.shape.V);
  for (Index t = 0; t < rows.rows(); ++t) {
    for (Index c = 0; c < rows.cols(); ++c) {
      rows(t, c) =
          double{input.u[static_cast<std::size_t>(((sequence.first + t) * input.shape.HV + head) * rows.cols() + c)]};
    }
  }
  return rows;
}

std::vector<Index> row_of(const ReadInput& input, const StageSequence& sequence, std::int64_t n, std::int64_t head) {
  std::vector<Index> tokens;
  const std::size_t first = set_place(input.shape, sequence, n, head, input.w);
  for (std::size_t i = 0; i < static_cast<std::size_t>(input.w); ++i) {
    if (input.selected[first + i] >= 0) tokens.push_back(input.selected[first + i]);
  }
  return tokens;
}

}  // namespace deltaproof
