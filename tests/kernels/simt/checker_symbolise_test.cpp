#include <cstdlib>

#include "kernels/simt/symbolise.hpp"
#include "tests/kernels/simt/checker_fixture.hpp"

namespace deltaproof {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StrEq;

/// Lines of kernels are tested with the reports; here, what is said where there is none.
class Symbolise : public testing::Test {
 protected:
  void SetUp() override { path_ = std::getenv("PATH"); }
  void TearDown() override { setenv("PATH", path_.c_str(), 1); }

 private:
  std::string path_;
};

TEST_F(Symbolise, WithoutAddr2lineNamesLibraryOffsetAndPackage) {
  setenv("PATH", "/nowhere", 1);
  EXPECT_THAT(to_string(symbolise(reinterpret_cast<std::uintptr_t>(&line_of))),
              AllOf(HasSubstr("+0x"), HasSubstr("install binutils")));
  CheckerRun run{.kernel = "dropped_barrier"};
  EXPECT_THAT(run_checked(run).error, AllOf(HasSubstr("libchecker_kernels_gcc.so+0x"),
                                            HasSubstr("install binutils to see the line): ")));
}

TEST_F(Symbolise, CodeOfNoLibrary) {
  EXPECT_THAT(to_string(symbolise(0x10)), StrEq("code at 0x10"));
}

TEST_F(Symbolise, PathsBeginAtTheTopOfTheSourceTree) {
  EXPECT_STREQ(without_source_prefix(DELTAPROOF_SOURCE_DIR "/kernels/chunk.cu"), "kernels/chunk.cu");
  EXPECT_STREQ(without_source_prefix("./kernels/chunk.cu"), "kernels/chunk.cu");
  EXPECT_STREQ(without_source_prefix("/elsewhere/chunk.cu"), "/elsewhere/chunk.cu");
}

}  // namespace
}  // namespace deltaproof
