#include "reports/write.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>
#include <set>

#include "tests/reports/examples.hpp"
#include "tests/reports/report_folder.hpp"

namespace deltaproof {
namespace {

namespace fs = std::filesystem;

class WriteReports : public ReportFolder {
 protected:
  static std::string refusal(const fs::path& folder) {
    return refused([&] { write_reports(folder, {example_pass()}, example_environment()); });
  }
};

constexpr const char* report_files[] = {"report.json", "junit.xml", "summary.md", "findings.sarif", "index.html"};

TEST_F(WriteReports, MakesTheFolderAndFiveFilesAndNothingElse) {
  const fs::path target = folder_ / "a" / "b";
  write_reports(target, {example_pass()}, example_environment());
  EXPECT_EQ(names(target), (std::set<std::string>{std::begin(report_files), std::end(report_files)}));
  EXPECT_EQ(nlohmann::json::parse(read(target / "report.json"))["verdicts"].size(), 1);
  EXPECT_NE(read(target / "junit.xml").find("</testsuites>"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(read(target / "findings.sarif"))["version"], "2.1.0");
  EXPECT_NE(read(target / "summary.md"), "");
  EXPECT_TRUE(read(target / "index.html").ends_with("</html>\n"));
}

TEST_F(WriteReports, ReplacesAnEarlierReport) {
  write_reports(folder_, {example_pass(), example_failure()}, example_environment());
  write_reports(folder_, {example_pass()}, example_environment());
  EXPECT_EQ(nlohmann::json::parse(read(folder_ / "report.json"))["verdicts"].size(), 1);
  EXPECT_EQ(read(folder_ / "index.html").find("is out of bound"), std::string::npos) << "the page of the earlier one";
  EXPECT_EQ(names(folder_).size(), 5);
}

TEST_F(WriteReports, SaysThatAFileIsInTheWayOfTheFolder) {
  write(folder_ / "file", "x");
  const std::string message = refusal(folder_ / "file" / "report");
  EXPECT_NE(message.find("cannot make the report folder"), std::string::npos) << message;
  EXPECT_NE(message.find("Not a directory"), std::string::npos) << message;
  EXPECT_NE(refusal(folder_ / "file"), "");
  EXPECT_EQ(read(folder_ / "file"), "x");
}

TEST_F(WriteReports, WhicheverFileCannotBeWrittenThereIsNoPartialReport) {
  for (const char* name : report_files) {
    const fs::path target = folder_ / name / "report";
    fs::create_directories(target / name / "in the way");
    const std::string message = refusal(target);
    EXPECT_NE(message.find(name), std::string::npos) << message;
    EXPECT_EQ(names(target), std::set<std::string>{name});
  }
}

TEST_F(WriteReports, AFaultBetweenFilesLeavesTheEarlierReportWhole) {
  for (const char* name : report_files) {
    const fs::path target = folder_ / name;
    write_reports(target, {example_pass(), example_failure()}, example_environment());
    const auto before = contents(target);
    // Where the file is made before it takes its name, a folder: found when the files before it are written already.
    const fs::path pending = target / (std::string(name) + "." + std::to_string(getpid()) + ".tmp");
    fs::create_directory(pending);
    EXPECT_NE(refusal(target).find(name), std::string::npos);
    fs::remove(pending);
    EXPECT_EQ(contents(target), before);
  }
}

TEST_F(WriteReports, ADamagedNeighbourIsRefusedByNameBeforeARun) {
  for (const char* name : {"kill_matrix.json", "claims.json"}) {
    const fs::path target = folder_ / name / "report";
    fs::create_directories(target);
    write(target / name, "{");
    const std::string message = refused([&] { prepare_report_folder(target); });
    EXPECT_NE(message.find(name), std::string::npos) << message;
    EXPECT_EQ(names(target), std::set<std::string>{name});
    EXPECT_EQ(read(target / name), "{");
  }
  const fs::path target = folder_ / "report";
  fs::create_directories(target);
  write(target / "report.json", "{");  // is written anew
  EXPECT_EQ(refused([&] { prepare_report_folder(target); }), "");
}

TEST_F(WriteReports, APartIsWrittenWithItsPage) {
  write_reports(folder_, {example_failure()}, example_environment());
  write_report_part(folder_, "kill_matrix.json", example_kill_matrix);
  EXPECT_EQ(read(folder_ / "kill_matrix.json"), example_kill_matrix);
  EXPECT_NE(read(folder_ / "index.html").find("gate_shift"), std::string::npos);
  EXPECT_NE(read(folder_ / "index.html").find("1 value is out of bound"), std::string::npos);
  write_report_part(folder_, "claims.json", example_ledger);
  EXPECT_NE(read(folder_ / "index.html").find("kla.projection"), std::string::npos);
  EXPECT_NE(read(folder_ / "index.html").find("gate_shift"), std::string::npos);
  EXPECT_EQ(names(folder_).size(), 7);
}

TEST_F(WriteReports, APartWhosePageCannotBeWrittenIsNotWrittenEither) {
  fs::create_directory(folder_ / "index.html");
  EXPECT_NE(refused([&] { write_report_part(folder_, "claims.json", example_ledger); }), "");
  EXPECT_EQ(names(folder_), std::set<std::string>{"index.html"});
}

TEST_F(WriteReports, ThePageIsMadeAnewFromWhatIsThere) {
  write_reports(folder_, {example_failure()}, example_environment());
  const std::string page = read(folder_ / "index.html");
  fs::remove(folder_ / "index.html");
  write_page(folder_);
  EXPECT_EQ(read(folder_ / "index.html"), page);
  write(folder_ / "report.json", R"({"schema": "deltaproof.report/2"})");
  const std::string message = refused([&] { write_page(folder_); });
  EXPECT_NE(message.find("report.json"), std::string::npos) << message;
  EXPECT_NE(message.find("deltaproof.report/1"), std::string::npos) << message;
  EXPECT_EQ(read(folder_ / "index.html"), page);
}

TEST_F(WriteReports, AFolderWithNothingToShowIsAMessage) {
  const std::string message = refused([&] { write_page(folder_); });
  EXPECT_NE(message.find("no report.json, kill_matrix.json or claims.json"), std::string::npos) << message;
  EXPECT_EQ(names(folder_).size(), 0);
  EXPECT_NE(refused([&] { write_page(folder_ / "missing"); }).find("missing"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder_ / "missing"));
}

TEST_F(WriteReports, NeverReplacesWhatIsNoRegularFile) {
  ASSERT_EQ(mkfifo((folder_ / "report.json").c_str(), 0600), 0);
  const std::string message = refusal(folder_);
  EXPECT_NE(message.find("is not a regular file"), std::string::npos) << message;
  EXPECT_TRUE(fs::is_fifo(folder_ / "report.json"));
  EXPECT_EQ(names(folder_).size(), 1);
}

TEST_F(WriteReports, AFolderThatCannotBeMadeIsAMessage) {
  // /proc takes no files, whoever asks.
  const std::string message = refusal("/proc/deltaproof");
  EXPECT_NE(message.find("/proc/deltaproof"), std::string::npos) << message;
}

TEST_F(WriteReports, OneOtherFileIsWrittenWholeOrNotAtAll) {
  const fs::path target = folder_ / "a";
  prepare_report_file(target, "matrix.json");
  EXPECT_EQ(names(target).size(), 0);  // nothing is left of the attempt
  write_report_file(target, "matrix.json", "first");
  write_report_file(target, "matrix.json", "second");
  EXPECT_EQ(read(target / "matrix.json"), "second");
  EXPECT_EQ(names(target).size(), 1);
  fs::create_directory(target / "taken");
  EXPECT_THROW(prepare_report_file(target, "taken"), ReportError);
  EXPECT_THROW(write_report_file(target / "matrix.json", "below a file", ""), ReportError);
}

}  // namespace
}  // namespace deltaproof
