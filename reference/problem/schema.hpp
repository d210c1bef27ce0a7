#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reference/problem/problem.hpp"

namespace deltaproof {

/// Extent of a tensor's axis, by the letters of docs/semantics.md.
enum class Axis { B, T, H, HV, K, V, M, N, N_plus_1, pool, NC, NB, w };

/// A tensor of a case, as its rule wants it.
struct TensorSpec {
  std::string name;
  std::vector<Axis> axes;
  bool required = true;
  bool integer = false;
};

/// Tensors that the rule reads under these options.
std::vector<TensorSpec> input_specs(const Options& options);
/// Tensors that a kernel returns under this rule and that are judged; `o` first.
std::vector<TensorSpec> output_specs(const Options& options);

/// Rows of an axis that counts parts of `tokens` of each sequence: NC of chunk states (`states_every`), NB of selected
/// sets (`cache_block`).
std::int64_t part_rows(const Problem& problem, std::int64_t tokens);

/// Extents of the axes that `part_rows` counts.
struct PartRows {
  std::int64_t NC = 0, NB = 0;
};

/// Refuses a tensor of the wrong kind of dtype.
void check_dtype(const std::string& file, const TensorSpec& spec, const Tensor& tensor);
/// Refuses a tensor whose rank is not that of `spec`.
void check_rank(const std::string& file, const TensorSpec& spec, const Tensor& tensor);
/// Refuses a tensor whose shape is not that of `spec`.
void check_shape(const std::string& file, const TensorSpec& spec, const Tensor& tensor,
                 const Dimensions& dims, PartRows rows = {});

}  // namespace deltaproof
