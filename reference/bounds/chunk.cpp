#include "reference/bounds/chunk.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace deltaproof {
namespace {

// Rows as the kernel loads them: exact, or normalised by itself in fp32 and perhaps rounded.
Approximate stored(const Matrix& x, const Matrix& error, bool normalised, const Chunk& c) {
  if (!normalised) return error.size() == 0 ? exactly(x) : Approximate{x, error};
  const Approximate in_fp32{x, c.in.normalise_error * x.cwiseAbs()};
  return c.in.normalised_in_fp32 ? in_fp32 : rounded(in_fp32, c.f.normalised);
}

// What a dot over n products may lose.
DotError dot_error(const ChunkFormats& f, const TensorCoreModel& model, Operand operand, Index n) {
  if (f.exact_sums) return DotError(0);
  const bool in_fp32 = f.fp32_products && operand == Operand::tf32;
  const TensorCoreModel& used = in_fp32 ? tensor_core("fp32_rn") : model;
  double relative = accumulation_error(used, operand, n);
  if (operand == Operand::tf32) {
    // Kernels with fp32 inputs do some products, such as T b v, by fused multiply-adds instead.
    relative = std::max(relative, accumulation_error(tensor_core("fp32_rn"), operand, n));
  }
  return DotError(relative, accumulation_floor(used, operand, n, 1));
}

// The same of the products that merge the blocks of an inverse.
DotError merge_error(const ChunkFormats& f, const TensorCoreModel& model, Index n) {
  const bool in_fp32 = f.inverse == ChunkFormats::Inverse::merged_in_fp32;
  return dot_error(f, in_fp32 ? tensor_core("fp32_rn") : model, Operand::tf32, n);
}

}  // namespace

Approximate rounded_scaled(Approximate x, const Rounding& rounding, ChunkFormats::Scale where, double scale) {
  if (rounding.mode == Rounding::Mode::exact) {
    // In fp32: among subnormal numbers a product with the scale loses up to a step of 2^-149.
    if (where == ChunkFormats::Scale::either && scale != 0) {
      x.error.array() += (x.size().array() > 0).cast<double>() * (0x1p-149 / std::abs(scale));
    }
    return x;
  }
  if (where == ChunkFormats::Scale::output || scale == 0) return rounded(std::move(x), rounding);
  const Matrix size = x.size();
  const Matrix scaled =
      rounding.error(Matrix(size * (std::abs(scale) * (1 + u32)))) / std::abs(scale) + u32 * size;
  x.error += where == ChunkFormats::Scale::query ? scaled : scaled.cwiseMax(rounding.error(size));
  return x;
}

Chunk prepare_chunk(const ChunkInput& in, const ChunkFormats& f, const TensorCoreModel& model,
                    bool apart) {
  Chunk c(in, f, apart);
  const auto accumulation = [&model, &f](Operand operand, Index n) { return dot_error(f, model, operand, n); };
  c.acc_K = accumulation(f.dot_operand, c.K);
  c.acc_C = accumulation(f.dot_operand, c.C);
  c.acc_merge = merge_error(f, model, std::max<Index>(48, c.C));
  if (!f.exact_sums) c.acc_merge.relative += 3 * u32;
  GateRounding gates = f.gates;
  gates.log_error = in.g_error;
  if (f.exact_sums) gates.scan_depth = -1;  // neither the scan nor the product with log2 e
  c.from_start = decay_from_start(in.decay, gates);
  c.to_end = decay_to_end(in.decay, gates);
  c.k_stored = stored(in.k, in.k_error, in.k_normalised, c);
  c.k = rounded(c.k_stored, f.operand);
  c.q = rounded(stored(in.q, in.q_error, in.q_normalised, c), f.operand);
  if (!in.per_channel) c.q = rounded_scaled(std::move(c.q), f.q_scaled, f.scale, in.scale);
  const double stored_keys = in.normalised_in_fp32 ? 0 : unit_roundoff(f.normalised.format);
  c.b = {in.b, in.b_error_with(in.normalise_error + stored_keys) * in.b.cwiseAbs()};
  c.q_decayed = hadamard(c.q, c.from_start, u32);
  if (in.per_channel || f.product.mode != Rounding::Mode::exact) {
    c.q_decayed = rounded_scaled(std::move(c.q_decayed), f.q_scaled, f.scale, in.scale);
  }
  c.k_decayed = hadamard(c.k_stored, c.from_start, u32);
  const bool early_beta = f.key_beta.mode != Rounding::Mode::exact;
  const Approximate left =
      early_beta ? rounded(hadamard(c.k_stored, c.b, u32), f.key_beta) : c.k;
  c.grams = in.per_channel
                ? per_channel_grams(c.q, c.k, left, in.decay, f, in.scale, accumulation(f.gram_dot, c.K))
                : scalar_decay_grams(c.q, c.k, left, decay_between(in.decay, gates), f.product, c.acc_K);
  if (!early_beta) c.grams.keys = hadamard(c.grams.keys, c.b, u32);
  c.grams.keys = rounded(std::move(c.grams.keys), f.L);
  c.state_size = in.state_size();
  c.state_copy = {in.state, f.state_copy.error(c.state_size), in.state_error};
  return c;
}

}  // namespace deltaproof
