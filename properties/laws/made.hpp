#pragma once

#include <functional>
#include <vector>

#include "properties/regimes/generator.hpp"
#include "reference/problem/problem.hpp"

namespace deltaproof::laws {

/// A problem with the sizes, types, sequences and layout of another, to be given values by a law: options and inputs
/// together, until `problem` validates them.
struct Made {
  const Problem& of;
  Options options;
  TensorMap inputs;

  explicit Made(const Problem& problem) : of(problem), options(problem.options()), inputs(problem.tensors()) {}

  /// The tensor with every value the same, or drawn; one that is absent stays so.
  void fill(const char* name, double value);
  void fill(const char* name, const std::function<double()>& value);
  /// Every judged state drawn, in f32; there is one then if there was none.
  void fill_states(const std::function<double()>& value);
  /// beta or eta, whichever the rule has.
  void fill_writes(const std::function<double()>& value);
  /// Another rule with the write coefficients of this one: beta and eta change names; g of a rule without it is zero.
  void set_rule(Rule rule);
  Problem problem() const { return of.with_options(options, inputs); }
};

/// A row of length exactly 1 in every floating type: 4^m entries of +-2^-m, the rest zero; m is the largest with
/// 4^m <= min(K, 4^most_m).
std::vector<double> unit_row(std::int64_t K, int most_m, Generator& draw);

}  // namespace deltaproof::laws
