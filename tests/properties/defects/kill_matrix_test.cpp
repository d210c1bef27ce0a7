// The kill matrix: right kernels are not killed, wrong ones are, and what survives is said.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "properties/defects/catalogue.hpp"
#include "properties/defects/defect_kernel.hpp"
#include "properties/defects/kill_matrix_report.hpp"
#include "properties/defects/matrix_problems.hpp"
#include "reference/arithmetic/built_in.hpp"

namespace deltaproof {
namespace {

std::size_t column(std::string_view name) {
  const auto rules = matrix_rules();
  const auto found =
      std::find_if(rules.begin(), rules.end(), [&](const MatrixRule& rule) { return rule.name == name; });
  EXPECT_NE(found, rules.end()) << name;
  return static_cast<std::size_t>(found - rules.begin());
}

MatrixOptions options_of(std::initializer_list<const char*> defects, std::initializer_list<const char*> names) {
  MatrixOptions options;
  for (const char* id : defects) options.defects.push_back(find_defect(id));
  for (const char* name : names) options.regimes.push_back(find_regime(name));
  return options;
}

const KillMatrix& small_matrix() {
  static const KillMatrix matrix =
      kill_matrix(options_of({"no_op", "gate_shift", "o_trunc", "swap_heads"}, {"typical", "strong_decay"}));
  return matrix;
}

const MatrixRow& row_of(const KillMatrix& matrix, std::string_view id) {
  for (const MatrixRow& row : matrix.rows) {
    if (row.id() == id) return row;
  }
  throw std::logic_error("no such row");
}

TEST(KillMatrix, TheUndamagedKernelIsKilledByNoRuleOfOurs) {
  const MatrixRow& row = row_of(small_matrix(), "(chunk)");
  for (std::size_t rule = 0; rule < our_matrix_rules; ++rule) {
    EXPECT_EQ(row.killed(rule), 0) << matrix_rules()[rule].name;
    EXPECT_EQ(row.applicable(rule), 2) << matrix_rules()[rule].name;
  }
  EXPECT_TRUE(small_matrix().false_alarms().empty());
  EXPECT_EQ(row.cells[0].unchanged, row.cells[0].problems);
}

// NMSE 1e-7 asks for more than bf16 gives; where a rule rejects the right kernel its rejections are no kills.
TEST(KillMatrix, PublishedRulesThatRejectTheUndamagedKernelAreUselessThere) {
  const std::size_t nmse = column("NMSE 1e-7");
  EXPECT_EQ(row_of(small_matrix(), "(chunk)").killed(nmse), 2);
  for (const MatrixCell& cell : row_of(small_matrix(), "gate_shift").cells) {
    EXPECT_GT(cell.rules[nmse].useless, 0);
    EXPECT_EQ(cell.rules[nmse].useless + cell.rules[nmse].judged, cell.problems);
  }
}

TEST(KillMatrix, AShiftedGateIsKilledByTheBoundAndThePinAndTheBits) {
  const MatrixRow& row = row_of(small_matrix(), "gate_shift");
  for (const char* rule : {"LOC", "PIN", "bits"}) EXPECT_EQ(row.killed(column(rule)), 2) << rule;
  EXPECT_TRUE(row.killed_by_ours() && !row.should_survive());
}

TEST(KillMatrix, TruncatedOutputsAreSeenByPinAndBitsAndAcceptedByPublishedRules) {
  const MatrixRow& row = row_of(small_matrix(), "o_trunc");
  EXPECT_EQ(row.killed(column("PIN")), 2);
  EXPECT_EQ(row.killed(column("bits")), 2);
  EXPECT_EQ(row.killed(column("rms < 0.01 or 0.3")), 0);
  EXPECT_EQ(row.killed(column("close 2e-2")), 0);
}

TEST(KillMatrix, ThePlantedNoOpSurvivesAndIsNoSurvivorToExplain) {
  const MatrixRow& row = row_of(small_matrix(), "no_op");
  EXPECT_TRUE(row.should_survive());
  EXPECT_FALSE(row.killed_by_ours());
  EXPECT_NE(why_survived(row).find("equivalent"), std::string::npos);
  EXPECT_TRUE(small_matrix().survivors().empty());
}

// The same edit without saying that it changes nothing: the matrix must say that it was not killed, and why.
TEST(KillMatrix, AnUnexplainedSurvivorIsReported) {
  Defect hidden = *find_defect("no_op");
  hidden.id = "hidden", hidden.stage = Stage::output, hidden.equivalent = {};
  MatrixOptions options = options_of({}, {"typical"});
  options.defects = {&hidden};
  const KillMatrix matrix = kill_matrix(options);
  ASSERT_EQ(matrix.survivors().size(), 1);
  EXPECT_EQ(why_survived(*matrix.survivors().front()), "no bit of the outputs changes, on any of 4 problems");
  EXPECT_NE(text_of(matrix).find("0 of 1 defects killed"), std::string::npos) << text_of(matrix);
}

// A control with something wrong in it is an alarm.
TEST(KillMatrix, AKilledControlIsAFalseAlarm) {
  Defect wrong = *find_defect("gate_shift");
  wrong.id = "wrong control", wrong.stage = Stage::none;
  MatrixOptions options = options_of({}, {"typical"});
  options.defects = {&wrong};
  const KillMatrix matrix = kill_matrix(options);
  ASSERT_EQ(matrix.false_alarms().size(), 1);
  EXPECT_NE(text_of(matrix).find("false alarm: wrong control is killed by LOC on typical; PIN on typical"),
            std::string::npos);
}

TEST(KillMatrix, ACellDoesNotDependOnThreadsOrOnWhatElseIsAskedFor) {
  MatrixOptions options = options_of({"swap_heads"}, {"strong_decay"});
  options.threads = 1;
  const KillMatrix alone = kill_matrix(options);
  const MatrixCell &x = row_of(alone, "swap_heads").cells[0], &y = row_of(small_matrix(), "swap_heads").cells[1];
  EXPECT_EQ(x.property, y.property);
  for (std::size_t rule = 0; rule < matrix_rules().size(); ++rule) {
    EXPECT_EQ(x.rules[rule].killed, y.rules[rule].killed) << matrix_rules()[rule].name;
    EXPECT_EQ(x.rules[rule].judged, y.rules[rule].judged) << matrix_rules()[rule].name;
  }
}

TEST(KillMatrix, ADefectGoesIntoTheFirstKernelThatHasAPlaceForIt) {
  MatrixOptions options = options_of({"merge_ieee", "T_trunc"}, {"typical"});
  options.kernel = "recurrent";
  const KillMatrix matrix = kill_matrix(options);
  ASSERT_EQ(matrix.rows.size(), 5);  // three undamaged kernels
  EXPECT_EQ(row_of(matrix, "merge_ieee").kernel, "fla-chunk");
  EXPECT_EQ(row_of(matrix, "T_trunc").kernel, "chunk");
  EXPECT_TRUE(matrix.survivors().empty() && matrix.false_alarms().empty());
}

TEST(KillMatrix, ADefectThatNoProblemHasAPlaceForIsASurvivorThatWasNotTried) {
  Defect nowhere = *find_defect("gate_shift");
  nowhere.id = "nowhere";
  nowhere.needs = Needs::square_state | Needs::oblong_state;
  MatrixOptions options = options_of({}, {"typical"});
  options.defects = {&nowhere};
  const KillMatrix matrix = kill_matrix(options);
  for (std::size_t rule = 0; rule < matrix_rules().size(); ++rule) EXPECT_EQ(matrix.rows[1].applicable(rule), 0);
  ASSERT_EQ(matrix.survivors().size(), 1);
  EXPECT_NE(why_survived(matrix.rows[1]).find("it was tried on no problem"), std::string::npos);
}

TEST(KillMatrix, RefusesOtherKernels) {
  MatrixOptions options;
  options.kernel = "triangular_solve";
  EXPECT_THROW(kill_matrix(options), std::invalid_argument);
}

// Every defect means something on some problem of the matrix, in one of the kernels.
TEST(KillMatrix, ItsProblemsHaveAPlaceForEveryDefect) {
  for (const Defect& defect : defect_catalogue()) {
    bool tried = false;
    for (const std::string_view kernel : matrix_kernels()) {
      for (const ProblemSpec& spec : problem_specs_for(kernel, *find_regime("typical"), 0)) {
        tried = tried || DefectKernel(&defect, std::string(kernel)).refusal(problem_of(spec)).empty();
      }
    }
    EXPECT_TRUE(tried) << defect.id;
  }
}

TEST(KillMatrixReport, JsonHasEveryCell) {
  const auto json = nlohmann::json::parse(json_of(small_matrix()));
  EXPECT_EQ(json.at("schema"), "deltaproof.kill_matrix/1");
  EXPECT_EQ(json.at("rules").size(), matrix_rules().size());
  ASSERT_EQ(json.at("rows").size(), 5);
  const auto& cell = json.at("rows").at(2).at("cells").at(1);
  EXPECT_EQ(json.at("rows").at(2).at("id"), "gate_shift");
  EXPECT_EQ(cell.at("regime"), "strong_decay");
  EXPECT_EQ(cell.at("rules").at(0).at(1), row_of(small_matrix(), "gate_shift").cells[1].rules[0].killed);
  EXPECT_EQ(json.at("rows").at(0).at("should_survive"), true);
}

TEST(KillMatrixReport, TextCountsRegimesAndDefects) {
  const std::string text = text_of(small_matrix());
  EXPECT_NE(text.find("gate_shift"), std::string::npos);
  EXPECT_NE(text.find("3 of 3 defects killed by our rules, 0 false alarms\n"), std::string::npos) << text;
}

// Of a whole catalogue: three figures on both sides of a share, and nothing between two columns but their width.
TEST(KillMatrixReport, SharesOfAllDefectsStandApart) {
  KillMatrix matrix = small_matrix();
  const MatrixRow killed = row_of(matrix, "gate_shift");
  matrix.rows.assign(159, killed);
  const std::string text = text_of(matrix);
  EXPECT_NE(text.find(" 159/159 159/159"), std::string::npos) << text;
  EXPECT_EQ(text.find("159/159159"), std::string::npos) << text;
}

}  // namespace
}  // namespace deltaproof
