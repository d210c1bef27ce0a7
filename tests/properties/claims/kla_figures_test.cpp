// Every published figure of the Kaczmarz paper is read by a claim.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "properties/claims/figures.hpp"

namespace deltaproof::claims {
namespace {

/// Keys that claims put together from a row and a column.
std::set<std::string> keys_of_tables() {
  std::set<std::string> keys;
  const auto add = [&](const char* table, const char* row, const char* column) {
    keys.insert(std::string(table) + "." + row + "." + column);
  };
  for (const char* model : {"kla", "gdn", "mamba2"}) {
    for (const char* length : {"1k", "2k", "4k", "8k", "16k", "32k", "65k"}) add("long", model, length);
    for (const char* length : {"256", "1024", "2048"}) add("mqar", model, length);
  }
  for (const char* model : {"kla", "gdn", "mamba2"}) {
    add("sniah", model, "8k"), add("palindrome", model, "2048"), add("stack", model, "2048");
  }
  for (const char* variant : {"default", "none", "key", "scalar", "single", "gdn", "gla"}) {
    for (const char* column : {"test", "long"}) add("ablation", variant, column);
    if (std::string(variant) != "none") add("ablation", variant, "ppl");
  }
  for (const char* factor : {"expand2", "expand4", "expand8", "expand16"}) {
    for (const char* column : {"test", "long", "ppl"}) add("ablation", factor, column);
  }
  return keys;
}

std::string sources() {
  std::string all;
  for (const auto& file : std::filesystem::directory_iterator(DELTAPROOF_SOURCE_DIR "/properties/claims")) {
    const std::string name = file.path().filename().string();
    if (!name.starts_with("kla_") || !name.ends_with(".cpp")) continue;
    std::ifstream in(file.path());
    all.append(std::istreambuf_iterator<char>(in), {});
  }
  return all;
}

TEST(KlaFigures, EachIsReadByAClaim) {
  const std::set<std::string> of_tables = keys_of_tables();
  const std::string text = sources();
  ASSERT_FALSE(text.empty());
  for (const std::string& key : figure_keys("kla")) {
    EXPECT_TRUE(of_tables.contains(key) || text.find("\"" + key + "\"") != std::string::npos) << key;
  }
}

TEST(KlaFigures, TablesAreComplete) {
  const std::vector<std::string> published = figure_keys("kla");
  for (const std::string& key : keys_of_tables()) {
    EXPECT_TRUE(std::binary_search(published.begin(), published.end(), key)) << key;
  }
}

TEST(KlaFigures, SayWhatTheyAreAndWhere) {
  for (const std::string& key : figure_keys("kla")) {
    EXPECT_FALSE(figure("kla", key).what.empty()) << key;
    EXPECT_NE(figure("kla", key).place.find("p. "), std::string::npos) << key;
  }
}

}  // namespace
}  // namespace deltaproof::claims
