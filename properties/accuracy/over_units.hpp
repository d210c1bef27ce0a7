#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "properties/accuracy/units.hpp"

namespace deltaproof {

/// Judges units on several threads and merges what was found, in the order of the units: the result does not depend
/// on the number of threads. Rethrows what a unit threw.
///   Result judge(const Unit&, const HeadInputs&)   on any thread
///   HeadInputs head_of(const Unit&)                 the inputs of the unit's head, whole sequence
///   void merge(Result&, const Result&)              one at a time
template <class Result>
class OverUnits {
 public:
  using Judge = std::function<Result(const Unit&, const HeadInputs&)>;
  using HeadOf = std::function<HeadInputs(const Unit&)>;
  using Merge = std::function<void(Result&, const Result&)>;

  OverUnits(const std::vector<Unit>& units, HeadOf head_of, Judge judge, Merge merge)
      : units_(units), head_of_(std::move(head_of)), judge_(std::move(judge)), merge_(std::move(merge)) {}

  /// `threads` 0: all cores. `progress` is called with the share done.
  Result run(int threads, const std::function<void(double)>& progress = {}) {
    const int wanted = threads > 0 ? threads : static_cast<int>(std::thread::hardware_concurrency());
    const auto count = std::min<std::size_t>(static_cast<std::size_t>(std::max(1, wanted)), units_.size());
    progress_ = progress;
    std::vector<std::thread> others;
    for (std::size_t i = 1; i < count; ++i) others.emplace_back([this] { work(); });
    work();
    for (std::thread& thread : others) thread.join();
    if (failure_) std::rethrow_exception(failure_);
    return std::move(total_);
  }

 private:
  // Each thread keeps the inputs of the head it is at.
  void work() try {
    HeadInputs head;
    const Unit* of = nullptr;
    while (true) {
      const std::size_t i = next_++;
      if (i >= units_.size() || stopped_) return;
      const Unit& unit = units_[i];
      if (of == nullptr || of->sequence != unit.sequence || of->head != unit.head) {
        head = head_of_(unit);
        of = &unit;
      }
      Result result = judge_(unit, head);
      const std::lock_guard lock(mutex_);
      waiting_.emplace(i, std::move(result));
      for (auto next = waiting_.begin(); next != waiting_.end() && next->first == merged_; ++merged_) {
        merge_(total_, next->second);
        next = waiting_.erase(next);
      }
      ++done_;
      if (progress_) progress_(static_cast<double>(done_) / static_cast<double>(units_.size()));
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
    stopped_ = true;
  }

  const std::vector<Unit>& units_;
  HeadOf head_of_;
  Judge judge_;
  Merge merge_;
  std::function<void(double)> progress_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
  std::size_t done_ = 0;
  std::map<std::size_t, Result> waiting_;  // for a unit before them
  std::size_t merged_ = 0;
  Result total_;
  std::exception_ptr failure_;
};

}  // namespace deltaproof
