#include "properties/diagnose/shrink/snippet.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "properties/diagnose/shrink/shrunk_file.hpp"
#include "tests/properties/diagnose/shrink/defect_case.hpp"

namespace deltaproof {
namespace {

ShrunkCase shrunk_with(const std::string& reason, Status status = Status::failed) {
  ProblemSpec spec;
  spec.shape.tokens = 3, spec.shape.K = spec.shape.V = 2;
  ShrunkCase shrunk{{case_of(spec), {}, {}}, {}, {}, {}, 0, 0, "", {}};
  Verdict& verdict = shrunk.smallest.verdict;
  verdict.property = std::string("accuracy");
  verdict.status = status;
  verdict.reason = reason;
  verdict.violations = 1;
  shrunk.smallest.failure = failure_of(verdict);
  return shrunk;
}

TEST(Snippet, NamesAreThoseOfCpp) {
  EXPECT_EQ(test_name("small"), "small");
  EXPECT_EQ(test_name("a b-c.d"), "a_b_c_d");
  EXPECT_EQ(test_name("7"), "case_7");
  EXPECT_EQ(test_name("\xc3\xa4"), "case___");
  EXPECT_EQ(snippet_name("/x/small.safetensors"), "small_test.cpp");
}

// Whatever a name or a reason holds, comments stay comments and literals literals.
TEST(Snippet, NoTextBreaksOut) {
  const std::string odd = "x\"; int y = 1;\n// {fmt} \\";
  const std::string text = test_snippet(shrunk_with(odd), {odd, "odd", "deltaproof check '" + odd + "'"});
  EXPECT_EQ(text.find("\nint y"), std::string::npos);
  EXPECT_EQ(text.find("\n// {fmt}"), std::string::npos);
  EXPECT_NE(text.find(R"(/ "x\"; int y = 1;\012// {fmt} \\"); })"), std::string::npos) << text;
  EXPECT_TRUE(std::all_of(text.begin(), text.end(), [](char c) { return c == '\n' || (c >= ' ' && c < 127); }));
}

TEST(Snippet, AFailureThatOnlyARunShowsIsNotAskedOfTheRecording) {
  EXPECT_NE(test_snippet(shrunk_with("far off"), {"a", "a", ""}).find("RecordedRunFails"), std::string::npos);
  EXPECT_EQ(test_snippet(shrunk_with("it hangs", Status::error), {"a", "a", ""}).find("RecordedRunFails"),
            std::string::npos);
}

TEST(Snippet, AFailureUnderADeclarationOfItsOwnIsNotAskedOfTheCaseAlone) {
  const ShrunkCase shrunk = shrunk_with("not the declared order of roundings", Status::nonconforming);
  EXPECT_NE(test_snippet(shrunk, {"a", "a", "", false}).find("RecordedRunFails"), std::string::npos);
  EXPECT_EQ(test_snippet(shrunk, {"a", "a", "", true}).find("RecordedRunFails"), std::string::npos);
}

TEST(Snippet, ThePythonLineNamesEveryInput) {
  const ShrunkCase shrunk = shrunk_with("far off");
  EXPECT_EQ(python_line(shrunk.smallest.run.problem, "a.safetensors"),
            "from safetensors.torch import load_file; case = load_file(\"a.safetensors\"); "
            "beta, g, k, q, v = (case[n] for n in 'beta g k q v'.split())");
}

}  // namespace
}  // namespace deltaproof
