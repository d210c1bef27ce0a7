// A declaration survives its JSON to the byte; what it does not know it refuses by name.
#include <gtest/gtest.h>

#include <string>

#include "reference/arithmetic/choices.hpp"
#include "reference/problem/input_error.hpp"
#include "tests/reference/arithmetic/support.hpp"

namespace deltaproof {
namespace {

using namespace arithmetic_tests;

void expect_round_trip(const Declared& declared, Rule rule) {
  const std::string json = to_json(declared);
  const Declared again = declared_from_json("file.json", json, rule);
  EXPECT_TRUE(again == declared) << json;
  EXPECT_EQ(to_json(again), json);
}

TEST(DeclaredJson, ReadsBackWhatItWrote) {
  for (const TextCase& each : text_cases()) {
    expect_round_trip(each.declared, each.rule);
    for (const Variation& variation : variations(each.declared)) expect_round_trip(variation.declared, each.rule);
    Declared odd = each.declared;
    odd.exp_error = 0x1.23456789abcdep-20;
    expect_round_trip(odd, each.rule);
  }
}

TEST(DeclaredJson, WritesEveryValueOfEveryChoice) {
  for (const TextCase& each : text_cases()) {
    for (const Choice& choice : choices_of(each.text->name)) {
      EXPECT_GE(choice.values.size(), 2u) << choice.name;
      for (const std::string& value : choice.values) {
        Declared declared = each.declared;
        choice.set(declared, value);
        EXPECT_EQ(choice.get(declared), value) << choice.name;
        expect_round_trip(declared, each.rule);
      }
    }
  }
}

TEST(DeclaredJson, TakesAbsentFieldsFromTheBuiltInDeclarationOfTheRule) {
  const std::string least = R"({"format": "deltaproof.arithmetic/1", "text": "fla-chunk"})";
  EXPECT_TRUE(declared_from_json("f", least, Rule::delta) == built_in("fla-chunk", Rule::delta).value());
  EXPECT_TRUE(declared_from_json("f", least, Rule::gated_delta) == built_in("fla-chunk", Rule::gated_delta).value());
}

// `fields` after the format, the text being fla-chunk unless they say so.
std::string refusal(const std::string& json) {
  try {
    declared_from_json("some.json", json, Rule::gated_delta);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}
std::string refusal_of(const std::string& fields) {
  return refusal(R"({"format": "deltaproof.arithmetic/1", "text": "fla-chunk", )" + fields + "}");
}

void expect_named(const std::string& message, std::initializer_list<const char*> names) {
  EXPECT_TRUE(message.starts_with("some.json: ")) << message;
  for (const char* name : names) EXPECT_NE(message.find(name), std::string::npos) << message << " without " << name;
}

TEST(DeclaredJson, RefusesUnknownNames) {
  expect_named(refusal_of(R"("mrege": "ieee")"), {"mrege", "field", "merge_sum"});
  expect_named(refusal_of(R"("points": {"Q": "bf16"})"), {"point", "\"Q\"", "state_copy"});
  expect_named(refusal_of(R"("points": {"q_scaled": "bf16"})"), {"point", "q_scaled", "fla-chunk"});
  expect_named(refusal_of(R"("parts": {"grams": 2})"), {"product", "grams", "q_state"});
  expect_named(refusal_of(R"("merge": "tf64")"), {"merge", "tf64", "tf32_truncated"});
  expect_named(refusal_of(R"("points": {"T": "bf16 rounded"})"), {"\"T\"", "bf16 rounded", "bf16 truncated"});
  expect_named(refusal_of(R"("mma": "turing")"), {"mma", "turing", "hopper"});
  expect_named(refusal(R"({"format": "deltaproof.arithmetic/2", "text": "fla-chunk"})"), {"deltaproof.arithmetic/2"});
  expect_named(refusal(R"({"format": "deltaproof.arithmetic/1", "text": "flash"})"), {"flash", "nvlabs-chunk"});
  expect_named(refusal(R"({"format": "deltaproof.arithmetic/1", "text": "fla-gla-chunk"})"),
               {"fla-gla-chunk", "gated_delta"});
}

TEST(DeclaredJson, RefusesValuesOfAnotherKind) {
  expect_named(refusal_of(R"("merge": 3)"), {"merge", "3"});
  expect_named(refusal_of(R"("u_ieee": true)"), {"u_ieee", "true", "yes"});
  expect_named(refusal_of(R"("points": ["T"])"), {"points", "object"});
  expect_named(refusal_of(R"("points": {"T": {}})"), {"\"T\"", "{}"});
  for (const char* parts : {"3", "0", "-1", "\"2\"", "2.0", "4294967297", "1e0"}) {
    expect_named(refusal_of(R"("parts": {"gram": )" + std::string(parts) + "}"), {"gram", "1, 2, 4"});
  }
  for (const char* error : {"\"2^-21\"", "-1", "1", "null", "0", "1e-9"}) {
    expect_named(refusal_of(R"("exp_error": )" + std::string(error)), {"exp_error"});
  }
  EXPECT_EQ(refusal_of(R"("exp_error": 5.9604644775390625e-08)"), "accepted");  // 2^-24
  expect_named(refusal(R"({"text": "fla-chunk"})"), {"format"});
  expect_named(refusal(R"({"format": "deltaproof.arithmetic/1", "text": ["fla-chunk"]})"), {"text", "string"});
}

TEST(DeclaredJson, RefusesWhatIsThereTwiceOrIsNotJson) {
  expect_named(refusal_of(R"("merge": "ieee", "merge": "ieee")"), {"merge", "twice"});
  expect_named(refusal_of(R"("points": {"T": "bf16", "T": "f32"})"), {"\"T\"", "twice"});
  for (const char* text : {"", "{", "merge: ieee", "\xff", "{\"a\": 1} {", "{\"format\": \"\xc3\"}"}) {
    expect_named(refusal(text), {"not JSON: parse error at line 1"});
  }
  expect_named(refusal("[1]"), {"object"});
  expect_named(refusal("3"), {"object"});
}

TEST(Difference, SaysWhichFieldsDifferAndHow) {
  const Declared base = built_in("fla-chunk", Rule::gated_delta).value();
  Declared other = base;
  EXPECT_EQ(difference(base, other), "");
  other.merge = Merge::ieee;
  EXPECT_EQ(difference(base, other), "merge ieee instead of tf32_truncated");
  other[Point::P] = {PointFormat::bf16, PointMode::truncated};
  other[Product::gram] = 2;
  EXPECT_EQ(difference(base, other),
            "merge ieee instead of tf32_truncated, point P bf16 truncated instead of input, "
            "parts of product gram 2 instead of 1");
  Declared careful = base;
  careful.exp_error = 0x1p-20;
  EXPECT_EQ(difference(base, careful), "exp_error 9.5367431640625e-07 instead of 4.76837158203125e-07");
  other.text = "nvlabs-chunk";
  EXPECT_EQ(difference(base, other), "nvlabs-chunk instead of fla-chunk");
}

TEST(Variations, DifferInOneChoiceEach) {
  for (const TextCase& each : text_cases()) {
    const auto all = variations(each.declared);
    EXPECT_GE(all.size(), 4u) << each.name();
    for (const Variation& one : all) {
      int differing = 0;
      for (const Choice& choice : choices_of(each.text->name)) {
        differing += choice.get(one.declared) != choice.get(each.declared);
      }
      EXPECT_EQ(differing, 1) << each.name() << ", " << one.difference;
      EXPECT_EQ(one.difference, difference(each.declared, one.declared));
    }
  }
}

TEST(DeclaredJson, RefusesWhatIsNestedTooDeeplyToBeWrittenInAMessage) {
  const std::string deep = std::string(400000, '[') + std::string(400000, ']');
  for (const char* field : {"points", "scan", "exp_error"}) {
    const std::string json =
        R"({"format": "deltaproof.arithmetic/1", "text": "fla-chunk", ")" + std::string(field) + "\": " + deep + "}";
    EXPECT_EQ(refusal(json), "some.json: nested too deeply for a declaration") << field;
  }
}

TEST(DeclaredJson, CutsLongValuesInAMessage) {
  const std::string json = R"({"format": "deltaproof.arithmetic/1", "text": "fla-chunk", "scan": ")" +
                           std::string(100000, 'x') + "\"}";
  const std::string message = refusal(json);
  EXPECT_NE(message.find("(100002 bytes)"), std::string::npos) << message.substr(0, 1000);
  EXPECT_LT(message.size(), 500);
}

}  // namespace
}  // namespace deltaproof
