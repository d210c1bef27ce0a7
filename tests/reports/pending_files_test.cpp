#include "reports/pending_files.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <csignal>

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
  /// In a process of its own: its wait status.
  template <class Call>
  static int status_of(const Call& call) {
    const pid_t child = fork();
    if (child == 0) {
      call();
      _exit(0);
    }
    int status = 0;
    return waitpid(child, &status, 0) == child ? status : -1;
  }
  static bool killed_by(int status, int signal) { return WIFSIGNALED(status) && WTERMSIG(status) == signal; }
  /// The kernel sends `signal` at the next rename within the folder.
  void send_at_rename(int signal) const {
    const int folder = open(folder_.c_str(), O_RDONLY | O_DIRECTORY);
    if (fcntl(folder, F_SETSIG, signal) != 0 || fcntl(folder, F_NOTIFY, DN_RENAME) != 0) _exit(77);
  }
  void write_new() const {
    PendingFiles files(folder_);
    for (const char* each : {"a", "b", "c"}) files.add(each, "new");
    files.commit();
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

TEST_F(PendingFilesTest, ASignalWaitsUntilAllHaveTheirNames) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    write_earlier();
    const int status = status_of([&] {
      std::signal(signal, SIG_DFL);
      send_at_rename(signal);
      write_new();
    });
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) GTEST_SKIP() << "no signals of changed folders here";
    EXPECT_TRUE(killed_by(status, signal)) << status;
    EXPECT_EQ(contents(folder_), (Written{{"a", "new"}, {"b", "new"}, {"c", "new"}})) << signal;
  }
}

TEST_F(PendingFilesTest, ASignalBeforeTheCommitLeavesNoTrace) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    write_earlier();
    const int status = status_of([&] {
      std::signal(signal, SIG_DFL);
      PendingFiles files(folder_);
      files.add("a", "new");
      std::raise(signal);
      files.add("b", "new");
    });
    EXPECT_TRUE(killed_by(status, signal)) << status;
    EXPECT_EQ(contents(folder_), (Written{{"a", "old"}, {"b", "old"}, {"c", "old"}})) << signal;
  }
}

TEST_F(PendingFilesTest, ASignalThatIsIgnoredStaysSo) {
  EXPECT_EQ(status_of([&] {
              std::signal(SIGHUP, SIG_IGN);
              PendingFiles files(folder_);
              files.add("a", "new");
              std::raise(SIGHUP);
              files.commit();
              std::raise(SIGHUP);
            }),
            0);
}

TEST_F(PendingFilesTest, WhereTheProcessIsKilledTheFirstStandsBesideNoneOfAnotherRun) {
  write_earlier();
  const int status = status_of([&] {
    send_at_rename(SIGKILL);
    write_new();
  });
  if (WIFEXITED(status) && WEXITSTATUS(status) == 77) GTEST_SKIP() << "no signals of changed folders here";
  EXPECT_TRUE(killed_by(status, SIGKILL)) << status;
  EXPECT_FALSE(fs::exists(folder_ / "a"));
  EXPECT_GT(names(folder_).size(), 2) << "the test is of files that were left";
  write_new();
  EXPECT_EQ(contents(folder_), (Written{{"a", "new"}, {"b", "new"}, {"c", "new"}}));
}

TEST_F(PendingFilesTest, WhatALivingProcessWritesStays) {
  const std::string living = "a." + std::to_string(getppid()) + ".tmp";
  const std::set<std::string> others{living, "a.x.tmp", "a.1x.tmp", "b.999999999.tmp"};
  for (const std::string& name : others) write(folder_ / name, "");
  write(folder_ / "a.999999999.tmp", "");  // no process has such a number
  PendingFiles files(folder_);
  files.add("a", "");
  files.commit();
  EXPECT_EQ(names(folder_), (std::set<std::string>{"a", living, "a.x.tmp", "a.1x.tmp", "b.999999999.tmp"}));
}

TEST_F(PendingFilesTest, ALimitOfSizeIsAMessage) {
  write_earlier();
  EXPECT_EQ(status_of([&] {
              std::signal(SIGXFSZ, SIG_DFL);
              const rlimit limit{100, 100};
              setrlimit(RLIMIT_FSIZE, &limit);
              PendingFiles files(folder_);
              const std::string message = refused([&] { files.add("a", std::string(200, 'x')); });
              if (message.find("File too large") == std::string::npos) _exit(1);
            }),
            0);
  EXPECT_EQ(contents(folder_), (Written{{"a", "old"}, {"b", "old"}, {"c", "old"}}));
}

}  // namespace
}  // namespace deltaproof
