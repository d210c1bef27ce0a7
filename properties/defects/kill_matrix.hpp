#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "properties/defects/defect.hpp"
#include "properties/defects/kill_judgement.hpp"
#include "properties/regimes/families.hpp"

namespace deltaproof {

/// What one rule makes of a defect on the problems of one regime.
struct RuleCount {
  int judged = 0;   ///< problems on which it says something, and nothing against the undamaged kernel
  int killed = 0;   ///< of them
  int useless = 0;  ///< others: it rejects the undamaged kernel, too

  bool applies() const { return judged > 0; }
};

/// A defect on one regime.
struct MatrixCell {
  int problems = 0;              ///< that the defect says something of
  int unchanged = 0;             ///< of them: no bit of the outputs is another than without it
  std::string why_not;           ///< of the first problem that it says nothing of
  std::string property;          ///< that killed it first, or ""
  std::vector<RuleCount> rules;  ///< of matrix_rules()

  bool killed_by_ours() const;
};

/// A defect in every regime. `defect` is null for an undamaged kernel, whose cells count the published rules'
/// rejections as kills.
struct MatrixRow {
  const Defect* defect = nullptr;
  std::string kernel;             ///< that it is put into
  std::vector<MatrixCell> cells;  ///< one a regime

  std::string id() const;
  /// Regimes in which the rule says something of it, and in which it kills it.
  int applicable(std::size_t rule) const;
  int killed(std::size_t rule) const;
  bool killed_by_ours() const;
  /// A control, or an edit that changes no bit of any run: nothing is wrong with it.
  bool should_survive() const;
};

struct KillMatrix {
  std::string kernel;  ///< that defects are put into, as asked for
  std::uint64_t seed = 0;
  std::vector<const Regime*> regimes;
  std::vector<MatrixRow> rows;  ///< the undamaged kernels, then the defects as asked for

  /// Defects that should be killed and that no rule of ours kills in any regime.
  std::vector<const MatrixRow*> survivors() const;
  /// Rows with nothing wrong that a rule of ours kills.
  std::vector<const MatrixRow*> false_alarms() const;
};

/// Why a defect survives all our rules, in words.
std::string why_survived(const MatrixRow& row);
/// Which of our rules kill it, and where: "properties (split) on typical; PIN on resets".
std::string kills_of(const KillMatrix& matrix, const MatrixRow& row);

/// Kernels, emulated, that defects are put into: "chunk", "recurrent", and "fla-chunk", that of
/// flash-linear-attention, for defects of an order of roundings that the built-in ones do not have; "hola" and
/// "hola_decode" for those of a cache.
std::span<const std::string_view> matrix_kernels();

struct MatrixOptions {
  /// Of matrix_kernels(). A defect that has no place in it on any problem is put into the first that has one.
  std::string kernel = "chunk";
  std::vector<const Defect*> defects;
  std::vector<const Regime*> regimes;
  std::uint64_t seed = 0;                           ///< of problems, and of places of defects
  int threads = 0;                                  ///< 0: all cores
  std::function<void(double share)> progress = {};  ///< called with the share done, one call at a time
};

/// Judges each defect on the problems of each regime (properties/defects/matrix_problems.hpp) by every rule. A cell
/// does not depend on what else is asked for, or on threads. Throws std::invalid_argument for another kernel.
KillMatrix kill_matrix(const MatrixOptions& options);

/// All of the catalogue, and all families of inputs.
std::vector<const Defect*> all_defects();
std::vector<const Regime*> all_regimes();

}  // namespace deltaproof
