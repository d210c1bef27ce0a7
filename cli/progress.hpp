#pragma once

#include <cstddef>
#include <mutex>
#include <string>

namespace deltaproof::cli {

/// A line on standard error that says how far the run is; silent unless that is a terminal.
class Progress {
 public:
  explicit Progress(std::size_t cases);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void start(std::size_t index, const std::string& case_name);
  /// Share done of the present case, from any thread.
  void update(double share);
  void clear();

 private:
  void draw(int percent);

  std::mutex mutex_;
  bool terminal_;
  std::size_t cases_;
  std::string label_;
  std::size_t drawn_ = 0;  ///< columns on screen
  int percent_ = -1;
};

}  // namespace deltaproof::cli
