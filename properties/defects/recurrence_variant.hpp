#pragma once

#include "properties/defects/defect.hpp"

namespace deltaproof {

/// How a token's step may be put together wrongly; as it stands it is right.
struct RecurrenceVariant {
  bool decays_after_write = false;       ///< alpha (S + b k e^T), e against S
  bool residual_of_undecayed = false;    ///< e = v - S^T k
  bool residual_of_key_before = false;   ///< e = v - S~^T k_{t-1}; of a chunk's first token its own key
  bool reads_before_write = false;       ///< o = S~^T q
  bool reads_undecayed = false;          ///< o = (S + b k e^T)^T q
};

/// Tokens one after the other as deltaproof_recurrent.hpp computes them, S~ = alpha S, e = v - S~^T k,
/// S = S~ + b k e^T, o = scale S^T q, with what the variant changes.
TextOutput<Bits> recurrence(const Bits& bits, const TextInput<Bits>& in, const RecurrenceVariant& variant);

namespace faults {
/// In kernels without chunks.
MakeFault recurrence_with(RecurrenceVariant variant);
}  // namespace faults

}  // namespace deltaproof
