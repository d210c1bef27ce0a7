// The vectors of this tree: all of the table, no more, as it would write them.
#include <set>

#include "reference/rules/rule.hpp"
#include "tests/properties/golden/folder.hpp"

namespace deltaproof::golden {
namespace {

const std::filesystem::path golden_folder = std::filesystem::path(DELTAPROOF_SOURCE_DIR) / "golden";

class Table : public GoldenFolder {};

TEST_F(Table, HasEveryRuleAndNoNameTwice) {
  std::set<std::string_view> names, rules;
  for (const DrawnVector& vector : drawn_vectors()) {
    EXPECT_TRUE(names.insert(vector.name).second) << vector.name;
    const std::string_view spec = vector.spec;
    const std::size_t begin = spec.find("rule=") + 5;
    rules.insert(spec.substr(begin, spec.find(' ', begin) - begin));
    EXPECT_TRUE(vector.what.ends_with(".")) << vector.name;
  }
  EXPECT_GE(names.size(), 40);
  for (const RuleInfo& rule : rule_table()) EXPECT_TRUE(rules.contains(rule.name)) << rule.name;
}

TEST_F(Table, ItsFilesAreThereAndNoOthers) {
  std::set<std::string> wanted, actual;
  for (const DrawnVector& vector : drawn_vectors())
    wanted.insert(std::string(drawn_folder) + "/" + std::string(vector.name) + ".safetensors");
  for (const std::string& path : vector_files(golden_folder)) {
    if (!path.starts_with(found_folder)) actual.insert(path);
  }
  EXPECT_EQ(actual, wanted);
}

TEST_F(Table, IsLessThanEightMegabytes) {
  std::uintmax_t bytes = 0;
  for (const std::string& path : vector_files(golden_folder)) bytes += std::filesystem::file_size(golden_folder / path);
  EXPECT_LT(bytes, 8'000'000U);
}

// With another number of threads, compiler and machine than they were made with.
TEST_F(Table, IsWrittenAgainToTheByte) {
  std::filesystem::create_directories(folder_ / "vectors");
  std::filesystem::copy(golden_folder / found_folder, folder_ / found_folder);
  write(folder_, drawn_vectors(), {.threads = 3});
  const std::vector<std::string> vectors = vector_files(golden_folder);
  EXPECT_EQ(vector_files(folder_), vectors);
  for (const std::string& path : vectors) EXPECT_EQ(read(folder_ / path), read(golden_folder / path)) << path;
}

// The script and the command write the same text.
TEST_F(Table, TheManifestOfThisTreeIsKeptToTheByte) {
  write_manifest(folder_, read_manifest(golden_folder));
  EXPECT_EQ(read(folder_ / "manifest.json"), read(golden_folder / "manifest.json"));
}

}  // namespace
}  // namespace deltaproof::golden
