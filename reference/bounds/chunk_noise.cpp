#include "reference/bounds/chunk_noise.hpp"

#include "reference/bounds/chunk_bound.hpp"
#include "reference/bounds/noise_parts.hpp"

namespace deltaproof {
namespace {

// The same family with nothing rounded below fp32, with or without the errors of its sums.
ChunkFormats without_roundings(ChunkFormats f, bool exact_sums) {
  f.exact_sums = exact_sums;
  for (Rounding* point : {&f.operand, &f.value, &f.normalised, &f.product, &f.key_beta, &f.key_beta_undecayed, &f.L, &f.T,
                          &f.rv, &f.rw, &f.u, &f.w, &f.w_decayed, &f.state_copy, &f.v_new, &f.v_scaled, &f.k_scaled,
                          &f.q_scaled, &f.gram_operand, &f.P, &f.merge}) {
    *point = not_rounded;
  }
  return f;
}

double condition_of_solve(const ExactChunk& x) {
  if (x.T.size() == 0) return 1;
  const Matrix M = Matrix::Identity(x.L.rows(), x.L.cols()) + x.L;
  return (x.T.cwiseAbs() * M.cwiseAbs()).rowwise().sum().maxCoeff();
}

}  // namespace

std::string no_noise(const ChunkFormats& f, const RuleInfo& rule) {
  if (f.fp32_products) {
    return "nothing is rounded to a type narrower than fp32 with fp32 inputs, and no other error is modelled as random";
  }
  if (f.dot_operand == Operand::tf32) {
    return "fp32 operands are truncated to TF32 in every product, a bias that is not modelled; PIN is sharp there";
  }
  if (rule.decay == Decay::per_channel) {
    return "decayed rows are truncated to TF32 in Gram products with a decay per channel, a bias that is not modelled";
  }
  return {};
}

ChunkNoise chunk_noise(const ChunkInput& in, const ChunkFormats& formats, const TensorCoreModel& tensor_core) {
  ChunkNoise noise;
  const LocalBound worst = chunk_bound(in, without_roundings(formats, true), tensor_core, false);
  const Index C = in.k.rows(), K = in.k.cols(), V = in.v.cols();
  noise.o.worst = worst.o.sum(C, V);
  noise.state.worst = worst.state.sum(K, V) +
                      worst.generator.cwiseAbs().transpose() * worst.generator_error.sum(worst.generator.rows(), V);
  const ChunkFormats no_roundings = without_roundings(formats, false);
  const Chunk chunk = prepare_chunk(in, formats, tensor_core, false);
  const Chunk in_fp32 = prepare_chunk(in, no_roundings, tensor_core, false);
  NoiseParts parts{chunk, in_fp32, formats, exact_chunk(chunk), noise};
  noise.condition = condition_of_solve(parts.x);
  add_value_noise(parts);
  add_output_noise(parts);
  add_fp32_noise(parts);
  return noise;
}

}  // namespace deltaproof
