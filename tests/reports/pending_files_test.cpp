#include "reports/pending_files.hpp"

#include "tests/reports/report_folder.hpp"

namespace deltaproof {
namespace {

using Written = std::map<std::string, std::string>;

class PendingFilesTest : public ReportFolder {
 protected:
  /// A folder stands where `name` would go, since the files were added: a rename onto it fails.
  void commit_with_folder_at(const std::string& name) {
    PendingFiles files(folder_);
    for (const char* each : {"a", "b", "c"}) files.add(each, "new");
    fs::remove(folder_ / name);
    fs::create_directories(folder_ / name / "in the way");
    EXPECT_NE(refused([&] { files.commit(); }).find(name), std::string::npos);
  }
  void write_earlier() {
    for (const char* each : {"a", "b", "c"}) write(folder_ / each, "old");
  }
};

TEST_F(PendingFilesTest, NothingIsThereBeforeTheCommitAndAllAfterIt) {
  write(folder_ / "a", "old");
  PendingFiles files(folder_);
  files.add("a", "1");
  files.add("b", "2");
  EXPECT_EQ(read(folder_ / "a"), "old");
  EXPECT_FALSE(fs::exists(folder_ / "b"));
  files.commit();
  EXPECT_EQ(contents(folder_), (Written{{"a", "1"}, {"b", "2"}}));
}

TEST_F(PendingFilesTest, WhatIsNotCommittedLeavesNoTrace) {
  write(folder_ / "a", "old");
  {
    PendingFiles files(folder_);
    files.add("a", "1");
    files.add("b", "2");
  }
  EXPECT_EQ(contents(folder_), (Written{{"a", "old"}}));
}

TEST_F(PendingFilesTest, IfTheFirstCannotBeReplacedNothingHasChanged) {
  write_earlier();
  commit_with_folder_at("a");
  EXPECT_EQ(read(folder_ / "b"), "old");
  EXPECT_EQ(read(folder_ / "c"), "old");
  EXPECT_EQ(names(folder_).size(), 3) << "files beside their names are gone";
}

TEST_F(PendingFilesTest, IfALaterOneCannotBeReplacedNewAndOldDoNotStandTogether) {
  for (const char* name : {"b", "c"}) {
    write_earlier();
    commit_with_folder_at(name);
    EXPECT_EQ(names(folder_), std::set<std::string>{name});
    fs::remove_all(folder_ / name);
  }
}

TEST_F(PendingFilesTest, ADiskThatIsFullIsAMessage) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  PendingFiles files(folder_);
  fs::create_symlink("/dev/full", folder_ / ("a." + std::to_string(getpid()) + ".tmp"));
  EXPECT_NE(refused([&] { files.add("a", "text"); }).find("No space left"), std::string::npos);
}

}  // namespace
}  // namespace deltaproof
