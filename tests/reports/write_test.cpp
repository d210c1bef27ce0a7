#include "reports/write.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/reports/examples.hpp"

namespace deltaproof {
namespace {

namespace fs = std::filesystem;

class WriteReports : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "deltaproof-reports-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  static std::string read(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  static std::size_t entries(const fs::path& folder) {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
  }
  static std::string refusal(const fs::path& folder) {
    try {
      write_reports(folder, {example_pass()}, example_environment());
    } catch (const ReportError& error) {
      return error.what();
    }
    return "";
  }

  fs::path folder_;
};

TEST_F(WriteReports, MakesTheFolderAndBothFilesAndNothingElse) {
  const fs::path target = folder_ / "a" / "b";
  write_reports(target, {example_pass()}, example_environment());
  EXPECT_EQ(entries(target), 2);
  EXPECT_EQ(nlohmann::json::parse(read(target / "report.json"))["verdicts"].size(), 1);
  EXPECT_NE(read(target / "junit.xml").find("</testsuites>"), std::string::npos);
}

TEST_F(WriteReports, ReplacesAnEarlierReport) {
  write_reports(folder_, {example_pass(), example_failure()}, example_environment());
  write_reports(folder_, {example_pass()}, example_environment());
  EXPECT_EQ(nlohmann::json::parse(read(folder_ / "report.json"))["verdicts"].size(), 1);
  EXPECT_EQ(entries(folder_), 2);
}

TEST_F(WriteReports, SaysThatAFileIsInTheWayOfTheFolder) {
  std::ofstream(folder_ / "file") << "x";
  const std::string message = refusal(folder_ / "file" / "report");
  EXPECT_NE(message.find("cannot make the report folder"), std::string::npos) << message;
  EXPECT_NE(message.find("Not a directory"), std::string::npos) << message;
  EXPECT_NE(refusal(folder_ / "file"), "");
  EXPECT_EQ(read(folder_ / "file"), "x");
}

TEST_F(WriteReports, LeavesNoPartialReport) {
  fs::create_directories(folder_ / "junit.xml" / "in the way");
  const std::string message = refusal(folder_);
  EXPECT_NE(message.find("junit.xml"), std::string::npos) << message;
  EXPECT_EQ(entries(folder_), 1) << "report.json alone would be a partial report";
}

TEST_F(WriteReports, NeverReplacesWhatIsNoRegularFile) {
  ASSERT_EQ(mkfifo((folder_ / "report.json").c_str(), 0600), 0);
  const std::string message = refusal(folder_);
  EXPECT_NE(message.find("is not a regular file"), std::string::npos) << message;
  EXPECT_TRUE(fs::is_fifo(folder_ / "report.json"));
  EXPECT_EQ(entries(folder_), 1);
}

TEST_F(WriteReports, AFolderThatCannotBeMadeIsAMessage) {
  // /proc takes no files, whoever asks.
  const std::string message = refusal("/proc/deltaproof");
  EXPECT_NE(message.find("/proc/deltaproof"), std::string::npos) << message;
}

TEST_F(WriteReports, OneOtherFileIsWrittenWholeOrNotAtAll) {
  const fs::path target = folder_ / "a";
  prepare_report_file(target, "matrix.json");
  EXPECT_EQ(entries(target), 0);  // nothing is left of the attempt
  write_report_file(target, "matrix.json", "first");
  write_report_file(target, "matrix.json", "second");
  EXPECT_EQ(read(target / "matrix.json"), "second");
  EXPECT_EQ(entries(target), 1);
  fs::create_directory(target / "taken");
  EXPECT_THROW(prepare_report_file(target, "taken"), ReportError);
  EXPECT_THROW(write_report_file(target / "matrix.json", "below a file", ""), ReportError);
}

}  // namespace
}  // namespace deltaproof
