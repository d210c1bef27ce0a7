#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "correct_run.hpp"
#include "reference/verdict.hpp"

namespace deltaproof::campaign {

/// Whether a correct kernel must not get this status. `uninformative` is allowed: it says nothing of the kernel.
bool is_alarm(Status status);
/// The same of a verdict: also where the probabilistic tier found something that did not change the status.
bool is_alarm(const Verdict& verdict);

/// Counts of a campaign's verdicts; the order of the runs does not matter.
class Tally {
 public:
  void add(const CorrectRun& run, const Verdict& verdict);

  std::int64_t runs() const;
  std::int64_t alarms() const;

  /// The tables of docs/false-alarms.md, in Markdown.
  std::string markdown() const;

 private:
  struct Count {
    std::int64_t passed = 0, uninformative = 0, alarms = 0;
  };
  struct Row {
    std::array<Count, judged_as_count> by_judged_as = {};
    double ratio = 0;                   // largest error over its bound
    std::int64_t judged_by_chance = 0;  // runs on which the probabilistic tier was on
    double sigma = 0;                   // their largest error, in units of what the tier allows

    void add(const Row& other);
    Count total() const;
  };
  using Rows = std::map<std::string, Row>;

  Rows regimes_, kernels_;
  std::map<std::string, std::array<std::int64_t, judged_as_count>> reasons_;  // of uninformative ones

  static std::string table(const std::string& heading, const Rows& rows);
  std::string reasons_table() const;
};

}  // namespace deltaproof::campaign
