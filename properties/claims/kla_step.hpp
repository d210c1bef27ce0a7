#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "properties/claims/claim.hpp"
#include "properties/claims/exact.hpp"

/// One token of one head, exactly: S~ = alpha S, e = v - S~^T k, S+ = S~ + beta k e^T.
namespace deltaproof::claims {

struct Step {
  RationalMatrix before;  ///< S, dk x dv
  Rational decay = 1;     ///< alpha
  RationalVector k, v;
  Rational eta = 1, eps = 0;
};

/// S~.
RationalMatrix base(const Step& step);
/// v - S^T k of any state.
RationalVector residual(const RationalMatrix& state, const Step& step);
/// |S^T k - v|^2 / 2 of any state.
Rational loss(const RationalMatrix& state, const Step& step);
/// eta / (|k|^2 + eps); none where that divides by zero.
std::optional<Rational> coefficient(const Step& step);
/// S~ + beta k e^T, e of S~.
RationalMatrix written(const RationalMatrix& base, const Step& step, const Rational& beta);

/// What the steps of a search are made of.
struct StepRanges {
  std::vector<Rational> decay{1}, eta{1}, eps{0};
  bool zero_keys = false;
};

/// In the order of size: every step of a small grid, steps with entries from 1e-30 to 1e30, random
/// ones; up to 4 x 3.
std::vector<Step> steps(const Effort& effort, const StepRanges& ranges);

/// Every point of a grid for dk = 2, dv = 1: S and v in {0, 1}, k_i in {-1, 0, 1, 2}, eta in {0,
/// 1}. A polynomial whose degree is at most 1 in S_i, v and eta each and at most 3 in k_i each is 0
/// if it is 0 at all of these points.
std::vector<Step> proof_grid();

/// The values that a statement is about: a decay, S state, k, v, n eta, b eta as a coefficient, e
/// epsilon.
std::vector<Named> inputs_of(const Step& step, std::string_view letters);

}  // namespace deltaproof::claims
