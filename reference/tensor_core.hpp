#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace deltaproof {

/// Type of the factors of a tensor-core product.
enum class Operand { bf16, f16, tf32 };

std::string_view operand_name(Operand operand);

/// How a dot product is accumulated.
enum class Accumulation {
  aligned,   ///< tensor core: terms aligned to the largest exponent, truncated, added exactly
  fp32_fma,  ///< CUDA cores: fp32 fused multiply-adds, to nearest
  envelope,  ///< none in particular: stands for each of a set, bounds only
};

/// One generation's mma with an fp32 accumulator (docs/tensor-core.md).
struct TensorCoreModel {
  std::string_view name;
  Accumulation accumulation;
  int fraction_bits;  ///< F: bits kept below the largest exponent
  int depth_16;       ///< L: products a pass adds at once, bf16 and f16
  int depth_tf32;     ///< L for tf32; 0: the generation has no tf32
  bool verified;      ///< compared with hardware to the bit, not only published
  std::string_view summary;

  int depth(Operand operand) const { return operand == Operand::tf32 ? depth_tf32 : depth_16; }
};

/// Every model, `any` first.
std::span<const TensorCoreModel> tensor_core_table();
/// nullptr if the name is unknown.
const TensorCoreModel* find_tensor_core(std::string_view name);
/// Throws std::logic_error for an unknown name.
const TensorCoreModel& tensor_core(std::string_view name);

/// c + a . b as the model computes it, to the bit: passes of L products in ascending order, each
/// starting from the last one's result. Elements of bf16 and f16 kind must be exact in that type;
/// those of tf32 are truncated to 10 fraction bits, as the hardware does. Every NaN is 0x7fffffff.
/// a and b have equal length. Throws std::logic_error for `any`, and for a generation without this
/// type of operand.
float tensor_core_dot(const TensorCoreModel& model, std::span<const float> a,
                      std::span<const float> b, float c, Operand operand);

/// A matrix of floats in memory: element (i, j) is data[i row_stride + j column_stride].
template <class Float>
struct StridedMatrix {
  Float* data;
  std::int64_t row_stride;
  std::int64_t column_stride = 1;

  Float& operator()(std::int64_t i, std::int64_t j) const {
    return data[i * row_stride + j * column_stride];
  }
  StridedMatrix transposed() const { return {data, column_stride, row_stride}; }
};

/// C += A B, A m x k, B k x n, C m x n: each element of C gets the bits of `tensor_core_dot` of its
/// row, its column and its old value, one chain over the whole of k in ascending passes of L, in a
/// tenth of the time. C overlaps neither A nor B. Throws as `tensor_core_dot` does.
void tensor_core_product(const TensorCoreModel& model, Operand operand, std::int64_t m,
                         std::int64_t n, std::int64_t k, StridedMatrix<const float> a,
                         StridedMatrix<const float> b, StridedMatrix<float> c);

/// Relative part of the error of `tensor_core_dot` over n products, to full order:
///   |computed - (c + sum a_i b_i)| <= accumulation_error (|c| + sum |a_i b_i|) +
///   accumulation_floor
/// for finite results, a and b as the multiplier sees them (tf32: after truncation). Holds for any
/// order of the products; fp32_rn: also for any association, fused or not. `any`: the largest of
/// ampere, ada, hopper, blackwell, fp32_rn. Infinite where the model cannot do it.
double accumulation_error(const TensorCoreModel& model, Operand operand, std::int64_t n);

/// Absolute part, from subnormal numbers: results below 2^-126, and subnormal factors, which align
/// as if they were normal. `largest` bounds every |a_i| and |b_i|.
double accumulation_floor(const TensorCoreModel& model, Operand operand, std::int64_t n,
                          double largest);

}  // namespace deltaproof
