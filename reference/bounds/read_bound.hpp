#pragma once

#include <string_view>

#include "reference/bounds/approximate.hpp"
#include "reference/bounds/terms.hpp"
#include "reference/problem/head.hpp"
#include "reference/rules/cache_sets.hpp"
#include "reference/tensor_core.hpp"

namespace deltaproof {

/// The coarsest formats in which a kernel reads HOLA's cache (docs/read-bound.md, 2): q~, k~ formed in `u`, dots, softmax
/// (running maximum or two passes) and sums in `u` in any order.
struct ReadFormats {
  double u = u32;
  double exp_error = 0x1p-21;     ///< relative error of an exponential, its argument given
  double division_error = u32;
  double smallest = 0x1p-126;     ///< below it, results may be flushed
  double largest = 0x1p126;       ///< sums above it may overflow: nothing is known
  double shift_error =
      0;  ///< relative error of logits and their maximum, where log2 e is multiplied in before they meet
  Rounding rows = not_rounded;    ///< q~ and k~ as operands, and before gamma is multiplied in
  Rounding logit = not_rounded;   ///< each dot
  Rounding weight = not_rounded;  ///< each weight, normalised or not
  Rounding value = not_rounded;   ///< v as operand
  Rounding read = not_rounded;    ///< the read, the gate and their product
  Rounding state = not_rounded;   ///< the state's o, before the read is added
  DotError over_K = 0;            ///< what a tensor core loses in a dot over K channels beyond sums in `u`
  DotError over_entries = 0;      ///< the same over w + C entries
  /// The order of the built-in kernels: the running maximum starts at the sink's logit, the cache is read before the
  /// block, its tokens in order, each by one fused multiply-add.
  bool built_in_order = false;
};

/// Formats of the arithmetic `name` for q, k, v stored in `input` and o stored in `output`.
ReadFormats read_formats(std::string_view name, const HeadInputs& hola_head, const Format& input,
                         const Format& output, const TensorCoreModel& tensor_core);

/// tokens x V: how far what a kernel adds to the state's o, sigmoid(cache_gate) o_cache, may be from the exact value,
/// for the tokens of one whole sequence (rule `hola`, from its first token) whose queries see `sets`.
Terms read_bound(const HeadInputs& hola_head, const CacheSets& sets, const ReadFormats& formats, bool apart);

/// What adding the read to the state's o costs besides, before the last rounding: |o_state| + its bound and
/// |sigmoid(gate) o_cache| + its bound are at most `state` and `read`.
Matrix sum_bound(const Matrix& state, const Matrix& read, const ReadFormats& formats);

}  // namespace deltaproof
