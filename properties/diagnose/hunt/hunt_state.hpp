#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "properties/diagnose/hunt/archive.hpp"
#include "properties/diagnose/hunt/evaluation.hpp"

namespace deltaproof {

/// What makes two searches the same one: a search goes on from a state only if all of this is equal.
struct HuntIdentity {
  std::string kernel, sources;  ///< hash of the kernel's sources
  std::string device = "host";
  std::uint64_t seed = 0;
  std::string rule, dtype, objective;  ///< what it is confined to; empty: all
  bool operator==(const HuntIdentity&) const = default;
};

/// The values of an objective on problems of the family `typical`, of one type of inputs.
struct TypicalValues {
  std::int64_t problems = 0;
  double sum = 0, largest = 0;
  double mean() const { return problems == 0 ? 0 : sum / static_cast<double>(problems); }
};

/// A run with a verdict that no correct kernel should have.
struct Finding {
  Candidate candidate;
  Status status = Status::failed;
  std::string reason;
  std::int64_t evaluation = 0;
};

/// One evaluated candidate, not yet part of the rest.
struct Evaluated {
  Candidate candidate;
  Evaluation result;
};

/// A search so far. What is proposed next depends on it, the identity and the number of the evaluation alone.
struct HuntState {
  /// Candidates that are proposed from one state. Part of what is searched: another number is another search.
  static constexpr std::int64_t batch = 32;
  static constexpr std::size_t kept_findings_per_kind = 1;  ///< of a status and a cell; more are counted

  HuntIdentity identity;
  std::int64_t evaluations = 0;  ///< that are part of the archives
  std::array<Archive, objectives.size()> archives;
  std::vector<Finding> findings;
  std::map<std::string, std::int64_t> statuses;  ///< how many evaluations ended so
  std::array<std::map<std::string, TypicalValues>, objectives.size()> typical;  ///< by type of inputs
  std::int64_t typical_problems = 0;
  /// The first ones of a batch that was not finished: they become part of the archives with the rest of it.
  std::vector<Evaluated> pending;

  /// Takes the result of evaluation number `evaluations`.
  void take(const Evaluated& evaluated);
  void take_typical(const Evaluated& evaluated);
  /// The same with what is pending: what a report is about.
  HuntState settled() const;
  /// Of an objective and type.
  const TypicalValues* typical_of(Objective objective, Dtype type) const;
};

}  // namespace deltaproof
