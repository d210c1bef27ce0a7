#include "cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "reports/text.hpp"

namespace deltaproof::cli {

Progress::Progress(std::size_t cases) : terminal_(isatty(STDERR_FILENO) == 1), cases_(cases) {}

void Progress::start(std::size_t index, const std::string& case_name) {
  if (!terminal_) return;
  const std::lock_guard lock(mutex_);
  label_ = fmt::format("[{}/{}] {}", index + 1, cases_, printable(case_name).substr(0, 50));
  percent_ = -1;
  draw(0);
}

void Progress::update(double share) {
  if (!terminal_) return;
  const std::lock_guard lock(mutex_);
  draw(static_cast<int>(100 * std::clamp(share, 0.0, 1.0)));
}

void Progress::draw(int percent) {
  if (percent <= percent_) return;
  percent_ = percent;
  const std::string line = fmt::format("{} {:3}%", label_, percent);
  fmt::print(stderr, "\r{:<{}}", line, drawn_);
  std::fflush(stderr);
  drawn_ = std::max(drawn_, line.size());
}

void Progress::clear() {
  const std::lock_guard lock(mutex_);
  if (!terminal_ || drawn_ == 0) return;
  fmt::print(stderr, "\r{:{}}\r", "", drawn_);
  std::fflush(stderr);
  drawn_ = 0;
}

}  // namespace deltaproof::cli
