#pragma once

#include <string>

#include "reference/arithmetic/bits.hpp"
#include "reference/arithmetic/sets.hpp"
#include "reference/problem/problem.hpp"

namespace deltaproof {

/// Whether the kernels of a rule form b themselves, from |k|^2 (docs/semantics.md): kla and longhorn_exact.
bool forms_write(const Options& options);

/// Why the bits of b are not known although the kernel forms it; empty if they are, or it does not.
std::string no_formed_write(const Declared& declared, const Options& options);

/// b of a token with stored gate w and n = |k|^2, in fp32 as the built-in kernels form it; w itself under other rules.
float formed_write(const Options& options, float w, float n);

/// Rows x / sqrt(|x|^2 + eps) in fp32: IEEE root, 1 / root, product. Where the order of |x|^2 is not declared, a
/// chain of fma stands for it: no recording tells the orders apart (docs/arithmetic.md, 6).
MatrixF normalised_rows(const MatrixF& x, double eps, NormSum order);

/// b of each token, C x 1, from the keys as the kernel uses them (C x K) and the stored beta or eta (C x 1, or empty:
/// ones). What `no_formed_write` refuses is taken as stored.
MatrixF write_coefficients(const Bits& r, const Options& options, const MatrixF& keys, const Matrix& write);

/// The same for keys in sets: |k|^2 summed in any order. Only for what `no_formed_write` does not refuse.
SetBlock write_coefficients(const Sets& r, const Options& options, const SetBlock& keys, const Matrix& write);

}  // namespace deltaproof
