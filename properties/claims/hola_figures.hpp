#pragma once

#include <string>
#include <vector>

#include "properties/claims/figures.hpp"

/// Statements about printed figures: what follows from them, which is the best, and which that would be needed are not
/// there.
namespace deltaproof::claims {

/// figure("hola", key); a coordinate of Figure 1b stands for itself alone.
Figure hola(const std::string& key);

/// Something worked out from figures, taken as printed and for all numbers that round to them.
struct Derived {
  std::string what;  ///< "27.32 -> 22.92"
  Rational value;
  Range range;
};
Derived change(const Figure& from, const Figure& to);
/// 100 (to - from) / from.
Derived percent_change(const Figure& from, const Figure& to);
/// 100 (to - from), of figures on a scale of 1.
Derived point_change(const Figure& from, const Figure& to);
Derived ratio(const Figure& a, const Figure& b);
/// 100 (from - between) / (from - to): the share of a change that `between` has made.
Derived share_of_change(const Figure& from, const Figure& between, const Figure& to);
Derived exact_number(const std::string& what, const Rational& value);

/// Whether `value` is what is printed (`follows`).
Check is_printed(const Derived& value, const Figure& printed_result);
Check is_printed(const Derived& value, const std::string& printed_result);
/// Whether it lies in a range, whatever the unprinted digits; under a condition if it does for some.
Check lies_in(const Derived& value, const Range& range);

/// A figure against others.
struct Contest {
  Figure subject;
  std::vector<Figure> others;
  bool lower_is_better = false;
};
/// Whether each subject is as good as each of its others, ties as printed included.
Check best_in_all(const std::vector<Contest>& contests);
/// Whether it is in more than half of them.
Check best_in_most(const std::vector<Contest>& contests);

/// A figure that decides a statement: one of figures/hola.json, or one that nobody has published.
struct Needed {
  std::string what;
  std::string key;  ///< empty: by reading, there is none
};
enum class Order { at_most, at_least, same };
struct Comparison {
  Needed left;
  Order order = Order::same;
  Needed right;
};
/// Whether the figures compare so as printed; undecidable if one of them is not published.
Check compared(const Comparison& comparison);

/// Two printed figures may be roundings of one number.
Check one_number(const Figure& a, const Figure& b);

/// A claim about the HOLA paper whose method is arithmetic on its printed figures.
Claim figure_claim(const std::string& id, Voice voice, const std::string& place, const std::string& pages,
                   const std::string& statement, const Check& check, const std::vector<Variant>& variants);

}  // namespace deltaproof::claims
