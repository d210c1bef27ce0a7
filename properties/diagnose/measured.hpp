#pragma once

#include <vector>

#include "kernels/kernel.hpp"
#include "properties/accuracy/accuracy.hpp"
#include "properties/accuracy/comparison.hpp"

namespace deltaproof {

/// A block of a run's values (rows: tokens of one head's `o` within a unit, or key channels of one state), what they
/// should be, and how far from that a correct kernel may be.
struct MeasuredBlock {
  ComparedBlock place;  ///< its pointers are null
  Matrix value, expected;
  Matrix allowed;       ///< bound and radius of the reference together; not finite: nothing is known

  /// |value - expected| / allowed; infinite for a value that is not finite, 0 where nothing is allowed nor wrong, and
  /// where nothing is known.
  double ratio(Index i, Index j) const;
  bool is_bad() const;  ///< some ratio is above 1
};

/// A copy of what was compared.
MeasuredBlock measured_block(const ComparedBlock& block);

/// A run held against the right answer, element by element.
struct Measured {
  Verdict verdict;                    ///< of check_accuracy
  std::vector<MeasuredBlock> blocks;  ///< by place: sequence, head, token, tensor
};

/// Judges a run and keeps everything that was compared. Throws what check_accuracy throws.
Measured measure(const Problem& problem, const Kernel& kernel, AccuracyOptions options = {});

/// Where in a token's step, or in a chunk's, a run goes wrong first, as far as outputs show it.
enum class FailureStage {
  none,       ///< nothing is out of bound
  read,       ///< `o` is wrong and the state after it is not
  carry,      ///< a state is wrong and no `o` before it is
  step,       ///< both: decay, solve or values
  selection,  ///< scores of a cache, or what it keeps
};
const char* failure_stage_name(FailureStage stage);

/// The stage in the first chunk, of any head, that has a value out of bound. What comes after a wrong `o` is the next state
/// that was compared: of a run without recorded states the final one.
FailureStage failure_stage(const Measured& measured);

}  // namespace deltaproof
