#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/problem/safetensors.hpp"
#include "reference/rules/hola_options.hpp"
#include "reference/rules/rule.hpp"

namespace deltaproof {

enum class L2Norm {
  none,
  q,
  k,
  both
};  ///< rows divided by sqrt(sum x^2 + eps); `kernel` in files is both
enum class StateLayout { kv, vk };  ///< [.., K, V] or [.., V, K]

/// Options of a problem, from the metadata of its case file.
struct Options {
  Rule rule = Rule::gated_delta;
  double scale = 0;  ///< multiplies the read-out; K^-1/2 if the file does not say
  double eps = 1e-6;
  L2Norm qk_l2norm = L2Norm::none;
  double qk_l2norm_eps = 1e-6;
  StateLayout state_layout = StateLayout::kv;
  std::int64_t chunk_size = 64;
  std::int64_t states_every = 64;  ///< tokens between `chunk_states`; a multiple of chunk_size
  std::string arithmetic = "generic";
  KlaVariant variant = KlaVariant::standard;
  Position position = Position::one;
  double c = 1;  ///< of KlaVariant::learned_scalar
  bool scale_given = false;  ///< `scale` is not the default
  HolaOptions hola = {};
};

/// The rule of the state: that of the problem, or, for `hola`, of the state beside its cache.
const RuleInfo& state_rule(const Options& options);

struct Dimensions {
  std::int64_t B = 0, T = 0, H = 0, HV = 0, K = 0, V = 0;
  std::int64_t N = 0;      ///< sequences: B, or from cu_seqlens
  std::int64_t pool = 0;   ///< rows of the state tensors: N, or P with state_indices
  std::int64_t slots = 0;  ///< M of `gsa`, else 0
  std::int64_t cache = 0;  ///< w of `hola`, else 0
};

/// One sequence: tokens [begin, begin + length) of batch row `batch`.
struct Sequence {
  std::int64_t index = 0;
  std::int64_t batch = 0;
  std::int64_t begin = 0;
  std::int64_t length = 0;
  std::int64_t state_row = 0;    ///< row of initial_state and final_state; -1: padding, not judged
  std::int64_t first_state = 0;  ///< place of its first chunk state on the NC axis of its batch row
  std::int64_t first_block = 0;  ///< hola: the same on the NB axis, of its first block
};

/// What a kernel is asked to compute: rule, options, dimensions, tensors as exact bits.
/// Immutable; made only by `make`, which validates.
class Problem {
 public:
  /// Validates: presence, dtype, rank and dimensions of each tensor the rule uses; HV a multiple of
  /// H; g finite and <= 0; all judged inputs finite (rows outside cu_seqlens and unlisted pool
  /// slots are not read); cu_seqlens from 0 to at most T, non-decreasing, B = 1; state_indices in
  /// [-1, P), no repeats. `name` is the file name used in messages. Throws InputError.
  static Problem make(std::string name, const Metadata& metadata, TensorMap inputs);

  const std::string& name() const { return name_; }
  const Options& options() const { return options_; }
  const Dimensions& dims() const { return dims_; }
  const std::vector<Sequence>& sequences() const { return sequences_; }
  /// nullptr if the problem has no such tensor.
  const Tensor* find(const std::string& tensor) const;
  /// Names of tensors handed in that the rule does not use.
  const std::vector<std::string>& unused() const { return unused_; }
  /// Metadata keys that case files do not have: a misspelt option would otherwise be lost in silence.
  const std::vector<std::string>& unknown_metadata() const { return unknown_metadata_; }
  const TensorMap& tensors() const { return tensors_; }

  /// Other inputs under the same options; validates as `make` does. A default scale follows their K.
  Problem with_inputs(TensorMap inputs) const;
  /// Other inputs under options that were changed in code: `options` are taken as they are, tensors validated.
  Problem with_options(Options options, TensorMap inputs) const;
  /// Other inputs whose values are not validated, only their shapes: to see what a kernel does with a NaN. The
  /// reference must not be given such a problem.
  Problem with_unchecked_values(TensorMap inputs) const;
  /// hola: the problem of the state beside the cache, which no cache changes (rule `gated_delta` or `kla`); else itself.
  Problem state_part() const;
  /// The same problem under another declared arithmetic.
  Problem with_arithmetic(std::string arithmetic) const;
  /// The same problem under another name; leaves this one empty.
  Problem with_name(std::string name) &&;

 private:
  Problem() = default;
  void take(TensorMap inputs, bool check = true);

  std::string name_;
  Options options_;
  Dimensions dims_;
  std::vector<Sequence> sequences_;
  TensorMap tensors_;
  std::vector<std::string> unused_;
  std::vector<std::string> unknown_metadata_;
};

/// Number of chunk states a sequence of `length` tokens has: ceil(length / states_every).
std::int64_t state_count(std::int64_t length, std::int64_t states_every);

}  // namespace deltaproof
