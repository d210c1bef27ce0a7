#pragma once

#include <filesystem>
#include <list>
#include <string>
#include <string_view>

namespace deltaproof {

/// Files that are written beside their final names and then take them together.
class PendingFiles {
 public:
  explicit PendingFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}
  /// Removes what has not been committed.
  ~PendingFiles();
  PendingFiles(const PendingFiles&) = delete;
  PendingFiles& operator=(const PendingFiles&) = delete;

  /// Throws ReportError; what has the name now stays as it is.
  void add(const std::string& name, std::string_view content);
  /// All get their names. Throws ReportError if one cannot: if it is the first, nothing has changed; else all are
  /// removed, for some of them beside others of an earlier run would be a report of no run.
  void commit();

 private:
  struct File {
    std::filesystem::path target;
    std::string pending;  ///< empty: it has its name
  };
  void remove_all();

  std::filesystem::path folder_;
  std::list<File> files_;
};

}  // namespace deltaproof
