// What became of one verdict.
#include <cmath>

#include "reports/compare.hpp"

namespace deltaproof {
namespace {

std::int64_t pin_violations(const Verdict& verdict) {
  return verdict.conformity ? verdict.conformity->pin_violations : 0;
}

}  // namespace

int badness(Status status) {
  switch (status) {
    case Status::passed:
      return 0;
    case Status::suspect:
      return 1;
    case Status::uninformative:
    case Status::skipped:
      return 2;
    case Status::nonconforming:
      return 3;
    case Status::failed:
      return 4;
    case Status::error:
      return 5;
  }
  return 5;
}

const char* change_name(Change change) {
  constexpr std::array names{"same", "fixed", "regressed", "new", "gone", "not run"};
  return names[static_cast<std::size_t>(change)];
}

const char* bits_change_name(BitsChange bits) {
  constexpr std::array names{"unchanged", "changed", "unknown"};
  return names[static_cast<std::size_t>(bits)];
}

Change change_of(Status before, Status now) {
  if (before == now) return Change::same;
  if (now == Status::skipped) return Change::not_run;
  if (before == Status::skipped) return Change::added;
  if (badness(now) > badness(before)) return Change::regressed;
  return badness(now) <= badness(Status::suspect) ? Change::fixed : Change::same;
}

bool Compared::is_new_failure() const {
  return change == Change::added && badness(now->status) >= badness(Status::nonconforming);
}

bool Compared::is_new_doubt() const {
  return change == Change::added && now->status != Status::passed && !is_new_failure();
}

bool Compared::is_worse_failure() const {
  if (change != Change::same || now->status != before->status) return false;
  if (badness(now->status) < badness(Status::nonconforming)) return false;
  const bool nearer = now->worst_ratio <= before->worst_ratio || std::isnan(before->worst_ratio);
  return !nearer || now->violations > before->violations || pin_violations(*now) > pin_violations(*before);
}

}  // namespace deltaproof
