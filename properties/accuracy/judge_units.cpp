#include "properties/accuracy/judge_units.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

namespace deltaproof {
namespace {

// Each thread keeps the inputs of the head it is at.
class Judges {
 public:
  Judges(const JudgeContext& context, const std::vector<Unit>& units, const AccuracyOptions& options,
         Rows rows)
      : context_(context), units_(units), options_(options), rows_(rows) {}

  UnitResult run() {
    const int wanted = options_.threads > 0 ? options_.threads
                                            : static_cast<int>(std::thread::hardware_concurrency());
    const auto count = std::min<std::size_t>(static_cast<std::size_t>(std::max(1, wanted)), units_.size());
    std::vector<std::thread> threads;
    for (std::size_t i = 1; i < count; ++i) threads.emplace_back([this] { work(); });
    work();
    for (std::thread& thread : threads) thread.join();
    if (failure_) std::rethrow_exception(failure_);
    return std::move(total_);
  }

 private:
  void work() try {
    HeadInputs head;
    const Unit* of = nullptr;
    while (true) {
      const std::size_t i = next_++;
      if (i >= units_.size() || stopped_) return;
      const Unit& unit = units_[i];
      if (of == nullptr || of->sequence != unit.sequence || of->head != unit.head) {
        head = with_rows(head_inputs(context_.problem, *unit.sequence, unit.head), rows_,
                         coarsest_input(context_.problem));
        of = &unit;
      }
      const UnitResult result = judge_unit(context_, unit, head);
      const std::lock_guard lock(mutex_);
      total_.comparison.merge(result.comparison);
      total_.bits = std::max(total_.bits, result.bits);
      ++done_;
      if (options_.progress) {
        options_.progress(static_cast<double>(done_) / static_cast<double>(units_.size()));
      }
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
    stopped_ = true;
  }

  const JudgeContext& context_;
  const std::vector<Unit>& units_;
  const AccuracyOptions& options_;
  Rows rows_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
  std::size_t done_ = 0;
  UnitResult total_;
  std::exception_ptr failure_;
};

}  // namespace

UnitResult judge_units(const JudgeContext& context, const std::vector<Unit>& units,
                       const AccuracyOptions& options, Rows rows) {
  return Judges(context, units, options, rows).run();
}

}  // namespace deltaproof
