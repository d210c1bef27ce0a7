#include "cli/explanations.hpp"

#include <fmt/format.h>

#include <exception>
#include <new>
#include <string_view>

#include "cli/progress.hpp"
#include "properties/diagnose/explain/explanation.hpp"

namespace deltaproof::cli {
namespace {

using Clock = std::chrono::steady_clock;

/// Ends an explanation from where it tells its progress.
struct OutOfTime : std::exception {};

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

}  // namespace

bool Explanations::concerns(const Verdict& verdict) const {
  const bool wrong = verdict.status == Status::failed || verdict.status == Status::nonconforming;
  return wanted_ && wrong && verdict.property == "accuracy";
}

void Explanations::explain(const Problem& problem, const std::function<Outputs()>& outputs,
                           const std::optional<Declared>& declared, const std::string& command, Verdict& verdict) {
  if (!concerns(verdict)) return;
  const auto left_out = [&](const std::string& why) {
    verdict.notes.push_back(fmt::format("not explained: {}; to have it, run {}", why, command));
  };
  if (explained_ == limits_.most) return left_out(fmt::format("{} before it are, a report has no more", limits_.most));
  if (spent_ >= limits_.time) {
    return left_out(fmt::format("the {:g} s for the explanations of a report are over", limits_.time.count()));
  }
  Progress progress(1);
  progress.start(0, "explaining " + verdict.case_name);
  const Clock::time_point begin = Clock::now();
  ExplainOptions options;
  options.tensor_core = tensor_core_;
  options.progress = [&](double share) {
    if (Clock::now() - begin + spent_ > limits_.time) throw OutOfTime();
    progress.update(share);
  };
  try {
    verdict.explained = lines_of(text_of(deltaproof::explain(problem, outputs(), declared, options)));
    ++explained_;
  } catch (const OutOfTime&) {
    left_out(fmt::format("it took longer than was left of the {:g} s for the explanations of a report",
                         limits_.time.count()));
  } catch (const std::bad_alloc&) {
    left_out("it ran out of memory");
  } catch (const std::exception& error) {
    left_out(fmt::format("it broke off ({})", error.what()));
  }
  spent_ += Clock::now() - begin;
}

}  // namespace deltaproof::cli
