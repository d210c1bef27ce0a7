#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fuzz/targets/arithmetic.hpp"
#include "fuzz/targets/case_file.hpp"
#include "fuzz/targets/problem_text.hpp"
#include "reference/problem/input_error.hpp"
#include "tests/fuzz/planted_fault.hpp"

namespace deltaproof::fuzz {
namespace {

using ::testing::HasSubstr;

std::string with(const ArithmeticFunctions& functions) {
  return findings_of("arithmetic", [&](const StoredInput& input) { check_arithmetic(input.bytes, functions); });
}
std::string with(const CaseFileFunctions& functions) {
  return findings_of("case_file", [&](const StoredInput& input) { check_case_file(input.bytes, functions); });
}
std::string with(const ProblemTextFunctions& functions) {
  return findings_of("problem_text", [&](const StoredInput& input) { check_problem_text(input.bytes, functions); });
}

TEST(FuzzArithmetic, SeedsAreNoFindings) { EXPECT_EQ(with(ArithmeticFunctions{}), ""); }

TEST(FuzzArithmetic, AChoiceThatIsLostInJsonIsAFinding) {
  ArithmeticFunctions functions;
  functions.write = [](const Declared& declared) {
    Declared other = declared;
    other.exp_error *= 2;
    return to_json(other);
  };
  EXPECT_THAT(with(functions), HasSubstr("changed by JSON"));
}

TEST(FuzzArithmetic, OwnJsonThatIsRefusedIsAFinding) {
  ArithmeticFunctions functions;
  functions.write = [](const Declared&) { return std::string("{}"); };
  EXPECT_THAT(with(functions), HasSubstr("own JSON is refused"));
}

TEST(FuzzArithmetic, ARefusalOfSeveralLinesIsAFinding) {
  ArithmeticFunctions functions;
  functions.read = [](const std::string&, const std::string&, Rule) -> Declared { throw InputError("two\nlines"); };
  EXPECT_THAT(with(functions), HasSubstr("not one line"));
}

TEST(FuzzCaseFile, SeedsAreNoFindings) { EXPECT_EQ(with(CaseFileFunctions{}), ""); }

TEST(FuzzCaseFile, OneWrongBitOfWritingIsAFinding) {
  CaseFileFunctions functions;
  functions.write = [](const std::filesystem::path& path, const Metadata& metadata, TensorMap tensors) {
    tensors.at("v").bytes.back() ^= std::byte{1};
    write_case(path, metadata, tensors);
  };
  EXPECT_THAT(with(functions), HasSubstr("tensor v changed"));
}

TEST(FuzzCaseFile, MetadataThatIsLostIsAFinding) {
  CaseFileFunctions functions;
  functions.write = [](const std::filesystem::path& path, Metadata metadata, const TensorMap& tensors) {
    metadata["note"] = "of another";
    write_case(path, metadata, tensors);
  };
  EXPECT_THAT(with(functions), HasSubstr("metadata changed"));
}

TEST(FuzzCaseFile, AFileThatCannotBeReadAgainIsAFinding) {
  CaseFileFunctions functions;
  functions.write = [](const std::filesystem::path& path, const Metadata&, const TensorMap& tensors) {
    write_case(path, {}, tensors);
  };
  EXPECT_THAT(with(functions), HasSubstr("cannot be written and read again"));
}

TEST(FuzzProblemText, SeedsAreNoFindings) { EXPECT_EQ(with(ProblemTextFunctions{}), ""); }

TEST(FuzzProblemText, AWordThatIsLostIsAFinding) {
  ProblemTextFunctions functions;
  functions.write = [](const ProblemSpec& spec) { return to_text(spec) + " skip=" + std::to_string(spec.skip + 1); };
  EXPECT_THAT(with(functions), HasSubstr("text changed"));
}

TEST(FuzzProblemText, TextThatNamesTwoProblemsIsAFinding) {
  ProblemTextFunctions functions;
  functions.draw = [drawn = std::uint64_t{0}](ProblemSpec spec) mutable {
    spec.seed += drawn++;
    return problem_of(spec);
  };
  EXPECT_THAT(with(functions), HasSubstr("two contents"));
}

}  // namespace
}  // namespace deltaproof::fuzz
