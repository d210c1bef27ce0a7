#pragma once

#include <optional>

#include "reference/arithmetic/declared.hpp"
#include "reference/tensor_core.hpp"

namespace deltaproof {

/// A declaration applied to one type of inputs: what each point rounds to and how each dot multiplies.
struct Resolved {
  Declared declared;
  Format input = formats::bf16;   ///< of q, k and v
  Format stored = formats::bf16;  ///< of the output tensor
  bool normalises_q = false, normalises_k = false;  ///< the kernel makes these rows itself
  bool beta_in_f32 = false;                         ///< b is stored in fp32

  /// Nothing: the value stays in fp32.
  std::optional<Format> format(Point point) const;
  PointMode mode(Point point) const { return declared[point].mode; }

  /// Type of the factors of a product's dots; nothing: fp32, in an ascending chain of fma. Factors of 16 bits
  /// are multiplied as they are, others in TF32, which drops their low bits.
  std::optional<Operand> operand(Product product) const;

 private:
  Format factor(Point point) const;
};

/// A declaration applied to inputs of type `input`. Throws std::logic_error for an unknown text.
Resolved resolve(const Declared& declared, const Format& input, const Format& stored, bool normalises_q,
                 bool normalises_k, bool beta_in_f32 = false);

}  // namespace deltaproof
