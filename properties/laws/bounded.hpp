#pragma once

#include <map>
#include <string>
#include <tuple>

#include "properties/laws/compare.hpp"

namespace deltaproof::laws {

/// Holds values against what a law says of them, each within a bound, and keeps account of what the bounds are worth:
/// a wrong answer is offered to them, too, and where one accepts it throughout a chunk of a head (a state: the whole
/// of it), or is infinite, the law could not have failed there and the verdict is `uninformative`, not passed.
class Bounded {
 public:
  explicit Bounded(Verdict& verdict) : verdict_(verdict) {}

  /// What the values that follow are, as a failure calls them: "one run against two parts".
  void about(std::string what) { what_ = std::move(what); }

  /// |value - expected| <= allowed, or the verdict is `failed`. Under a finite bound a value that is not finite
  /// fails, and so does one that is expected because another run gave it. `wrong` is an answer that the bound has to
  /// reject somewhere in the chunk, unless it is `expected` there.
  void value(const Location& where, double value, double expected, double allowed, double wrong = 0);

  /// o and final_state of a problem's shapes, of any floating type; values without a right answer are left out.
  void outputs(const Problem& problem, const Outputs& expected, const Outputs& allowed, const Outputs& got,
               const About& about = {});

  /// The verdict's outcome, after the last value: unless it has failed, `uninformative` where bounds are infinite or
  /// vacuous.
  void conclude();

 private:
  struct Wrong {
    bool differs = false, rejected = false;
  };
  using Place = std::tuple<std::string, std::string, std::int64_t, std::int64_t, std::int64_t>;

  Verdict& verdict_;
  std::string what_;
  std::int64_t unbounded_ = 0;
  Location first_unbounded_;
  std::map<Place, std::pair<Wrong, Location>> wrongs_;
};

/// `run_bound`, infinite in heads whose exact run leaves the range of the types that hold it (from there on a right
/// kernel has infinities, and what it makes of them is no fault of its own, also where the right answer comes back),
/// and of values that the bound lets leave it. Where it is finite a right kernel's values are.
RunBound bound_in_range(const Problem& problem, const Kernel& kernel, const Outputs& outputs);

/// 0 where a bound is finite, infinite where it is not: for values that must be equal, of runs that are known.
Outputs none_allowed(Outputs bound);

/// |a - b| elementwise, in f64 and rounded upwards: how far two right answers are apart. Shapes alike.
Outputs distance_of(const Outputs& a, const Outputs& b);

}  // namespace deltaproof::laws
