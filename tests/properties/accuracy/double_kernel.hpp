#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "kernels/kernel.hpp"

namespace deltaproof {

/// Mistakes that kernels of the update family are known for.
enum class Defect {
  none,
  decay_twice_at_chunk_end,  ///< the last token of each chunk decays the state once more
  undecayed_residual,        ///< e = v - S_{t-1}^T k: the state before its decay
  carry_dropped,             ///< the state is zero at the start of each sequence's second chunk
  key_channel_dropped,       ///< channel 0 is missing from S~^T k
  read_before_write,         ///< o_t is read from the decayed state
  last_write_skipped,        ///< the last token of a sequence writes nothing
};

const std::vector<Defect>& all_defects();  ///< without `none`
const char* defect_name(Defect defect);

/// A plain token recurrence in double, every output rounded once to its stored type: arithmetic
/// `fp64`. Its own text, column by column and with key channels summed from the last to the first,
/// so that it shares neither code nor rounding errors with the reference. Rules of the update
/// family.
class DoubleKernel : public Kernel {
 public:
  explicit DoubleKernel(Defect defect = Defect::none, Dtype o = Dtype::bf16,
                        Dtype state = Dtype::f32)
      : defect_(defect), o_(o), state_(state) {}
  std::string name() const override {
    return std::string("double recurrence, ") + defect_name(defect_);
  }
  std::string arithmetic() const override { return "fp64"; }
  Outputs run(const Problem& problem) const override;

 private:
  Defect defect_;
  Dtype o_, state_;
};

/// Where a defect can first be seen: {sequence, token}. `problem` has a sequence of two chunks for
/// carry_dropped.
std::pair<std::int64_t, std::int64_t> first_affected(Defect defect, const Problem& problem);

/// Whether the rule has what the defect spoils: a decay, a residual.
bool applies(Defect defect, const Problem& problem);

}  // namespace deltaproof
