// docs/arithmetic.md shows the built-in declaration of fla-chunk to the byte, says how the others differ, and names
// every field and value.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include "reference/arithmetic/built_in.hpp"
#include "reference/arithmetic/choices.hpp"
#include "reference/arithmetic/texts.hpp"

namespace deltaproof {
namespace {

const std::string& page() {
  static const std::string text = [] {
    std::ifstream stream(std::string(DELTAPROOF_SOURCE_DIR) + "/docs/arithmetic.md", std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  }();
  return text;
}

// What stands in the page's one block of JSON.
std::string documented_json() {
  const std::string opening = "```json\n", closing = "```\n";
  const std::size_t begin = page().find(opening);
  if (begin == std::string::npos) return {};
  const std::size_t end = page().find(closing, begin + opening.size());
  if (page().find(opening, end) != std::string::npos) return {};
  return page().substr(begin + opening.size(), end - begin - opening.size());
}

TEST(DocumentedDeclaration, IsTheBuiltInOneToTheByteAndParses) {
  const Declared declared = built_in("fla-chunk", Rule::gated_delta).value();
  EXPECT_EQ(documented_json(), to_json(declared));
  EXPECT_TRUE(declared_from_json("docs/arithmetic.md", documented_json(), Rule::gated_delta) == declared);
}

bool page_says(const std::string& field, const std::string& value) {
  return page().find("`" + field + "` `" + value + "`") != std::string::npos;
}

TEST(DocumentedDeclaration, OtherBuiltInOnesDifferAsThePageSays) {
  const Declared shown = built_in("fla-chunk", Rule::gated_delta).value();
  int differing = 0;
  for (const std::string_view name : built_in_names()) {
    for (const RuleInfo& rule : rule_table()) {
      const std::optional<Declared> declared = built_in(name, rule.rule);
      if (!declared) continue;
      for (const Choice& choice : choices_of(declared->text)) {
        const std::string value = choice.get(*declared);
        if (value == choice.get(shown)) continue;
        ++differing;
        EXPECT_TRUE(page_says(choice.name, value)) << name << ": " << choice.name << " " << value;
      }
    }
  }
  EXPECT_GT(differing, 5);
  EXPECT_FALSE(page_says("scan", "ascending"));
}

bool page_names(const std::string& word) { return page().find("`" + word + "`") != std::string::npos; }

TEST(DocumentedChoices, AreThereByNameWithEveryValue) {
  for (const TextInfo& text : text_table()) {
    EXPECT_TRUE(page_names(std::string(text.name))) << text.name;
    for (const Choice& choice : choices_of(text.name)) {
      EXPECT_TRUE(page_names(choice.name)) << choice.name;
      if (choice.section == Choice::Section::parts) continue;  // numbers
      for (const std::string& value : choice.values) {
        // Every type but f32 can be truncated; the page says so once.
        const std::string type = value.substr(0, value.find(" truncated"));
        EXPECT_TRUE(page_names(type)) << choice.name << " " << value;
      }
    }
  }
}

TEST(DocumentedChoices, AreFoundAsWholeWords) { EXPECT_FALSE(page_names("halves")); }

}  // namespace
}  // namespace deltaproof
