#pragma once

#include <filesystem>
#include <list>
#include <optional>
#include <string>
#include <string_view>

#include "reports/held_signals.hpp"

namespace deltaproof {

/// Files that are written beside their final names and then take them together. From the first of them to the end of
/// the commit a signal waits that would end the process.
class PendingFiles {
 public:
  explicit PendingFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}
  /// Removes what has not been committed.
  ~PendingFiles();
  PendingFiles(const PendingFiles&) = delete;
  PendingFiles& operator=(const PendingFiles&) = delete;

  /// Throws ReportError; what has the name now stays as it is. What processes that were killed left of this name goes.
  void add(const std::string& name, std::string_view content);
  /// All get their names, the first one last: until the others are there it is missing, so that even where the process
  /// is killed it stands beside none of another run. Throws ReportError if one cannot: if it is the first, nothing has
  /// changed; else all are removed, for some of them beside others of an earlier run would be a report of no run.
  void commit();

 private:
  struct File {
    std::filesystem::path target;
    std::string pending;  ///< empty: it has its name
  };
  void take_name(File& file);
  void remove_all();

  std::filesystem::path folder_;
  std::list<File> files_;
  std::string former_;  ///< where the file is that had the name of the first one, or ""
  std::optional<HeldSignals> held_;
};

}  // namespace deltaproof
