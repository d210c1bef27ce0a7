#pragma once

#include <string>

#include "kernels/kernel.hpp"
#include "properties/defects/defect.hpp"

namespace deltaproof {

/// A kernel of a built-in order of roundings, emulated to the bit, that carries a defect: a function of the problem
/// alone, so that it can be put to every check. A kernel with a cache may have a defect in its state path, too, but none
/// of outputs or of whole runs. On a problem of which the defect says nothing it is right, as it is
/// without one. Outputs: o in the inputs' type, final_state in fp32, with a cache chunk_states, scores and selected,
/// too; rows of o of sequences that state_indices skips are zero.
class DefectKernel : public Kernel {
 public:
  /// `defect`: null for none; kept by address. `order`: an arithmetic, "deltaproof-chunk", "deltaproof-recurrent" or
  /// "fla-chunk"; or one of the layers with a cache on the first two, "hola" or "hola_decode". A defect with a place of
  /// its own lies at number `place` of those that `seed` gives.
  DefectKernel(const Defect* defect, std::string order, std::uint64_t seed = 1, std::uint64_t place = 0);

  /// "chunk with gate_shift"; "chunk" without one.
  std::string name() const override;
  std::string arithmetic() const override { return arithmetic_; }
  /// What the kernel itself does not compute or what cannot be emulated, and "chunk with gate_shift: says nothing
  /// here: there is no decay".
  std::string refusal(const Problem& problem) const override;
  Outputs run(const Problem& problem) const override;
  /// False where even without the defect a score is no number, so that a kernel with a cache ends in an error: of writes
  /// that overflow fp16, or fp32 when they are squared. There is nothing to hold a run with the defect against.
  bool has_scores(const Problem& problem) const;

 private:
  std::string refusal_without_defect(const Problem& problem) const;
  Outputs run_with(const Fault& fault, const Problem& problem) const;
  Outputs run_with(const Fault& fault, const HolaFault& of_cache, const Problem& problem) const;
  Declared declared_for(const Problem& problem) const;

  const Defect* defect_;
  std::string arithmetic_, kernel_;
  std::uint64_t seed_, place_;
};

}  // namespace deltaproof
