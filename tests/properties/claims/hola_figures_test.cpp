// The published figures of the HOLA paper, and what is worked out from them.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "properties/claims/hola_exponential.hpp"
#include "properties/claims/hola_figures.hpp"

namespace deltaproof::claims {
namespace {

using Keys = std::set<std::string>;

/// Tables that claims read by row and column.
Keys keys_of_tables() {
  Keys keys;
  for (const char* model : {"transformer", "deltanet", "gla", "gsa", "kda", "gdn_cited", "gdn", "recency", "hola"}) {
    for (const char* column : {"wiki", "lambada", "common", "fda", "swde"}) {
      keys.insert(std::string("t1_") + model + "_" + column);
    }
  }
  for (const char* model : {"gdn", "recency", "hola"}) {
    for (const char* length : {"2k", "4k", "8k"}) {
      for (const char* task : {"s1", "s2", "s3", "mk1", "mv", "mq"}) {
        keys.insert(std::string("t3_") + length + "_" + model + "_" + task);
      }
    }
  }
  for (const char* rule : {"none", "attention", "residual", "value", "write"}) {
    for (const char* column : {"far", "keys1", "keys2", "keys4", "wiki"}) {
      keys.insert(std::string("t4_") + rule + "_" + column);
    }
  }
  for (const char* read : {"gdn", "unit", "rmsnorm"}) {
    for (const char* column : {"wiki", "far", "mean", "keys1", "keys4", "keys8", "keys16"}) {
      keys.insert(std::string("t5_") + read + "_" + column);
    }
  }
  for (const char* model : {"transformer", "gdn", "recency", "hola"}) {
    for (const char* length : {"2k", "4k", "8k", "16k", "32k"}) {
      keys.insert(std::string("f1_") + length + "_" + model);
    }
  }
  for (const char* scale : {"46m", "340m"}) {
    for (const char* setting : {"tokens", "context"}) keys.insert(std::string("t6_") + scale + "_" + setting);
  }
  return keys;
}

std::string sources() {
  std::string all;
  for (const auto& file : std::filesystem::directory_iterator(DELTAPROOF_SOURCE_DIR "/properties/claims")) {
    const std::string name = file.path().filename().string();
    if (!name.starts_with("hola_") || !name.ends_with(".cpp")) continue;
    std::ifstream in(file.path());
    all.append(std::istreambuf_iterator<char>(in), {});
  }
  return all;
}

TEST(HolaFigures, EachIsUsedByAClaim) {
  const Keys of_tables = keys_of_tables();
  const std::string text = sources();
  ASSERT_FALSE(text.empty());
  for (const std::string& key : figure_keys("hola")) {
    EXPECT_TRUE(of_tables.contains(key) || text.find("\"" + key + "\"") != std::string::npos) << key;
  }
}

TEST(HolaFigures, TablesAreComplete) {
  const std::vector<std::string> published = figure_keys("hola");
  for (const std::string& key : keys_of_tables()) {
    EXPECT_TRUE(std::binary_search(published.begin(), published.end(), key)) << key;
  }
}

TEST(HolaFigures, SayWhatTheyAreAndWhere) {
  for (const std::string& key : figure_keys("hola")) {
    const Figure each = hola(key);
    EXPECT_FALSE(each.what.empty()) << key;
    EXPECT_NE(each.place.find("p. "), std::string::npos) << key;
  }
}

TEST(HolaFigures, ARangeOfAChangeHoldsEveryUnroundedChange) {
  const Figure from = printed("27.32"), to = printed("22.92");
  const Derived percent = percent_change(from, to);
  for (const Rational& a : {from.range.low, from.value, from.range.high}) {
    for (const Rational& b : {to.range.low, to.value, to.range.high}) {
      const Rational exact = 100 * (b - a) / a;
      EXPECT_LE(percent.range.low, exact);
      EXPECT_GE(percent.range.high, exact);
    }
  }
  EXPECT_EQ(decimal(percent.value, 2), "-16.11");
}

TEST(HolaFigures, AShareOfAChangeIsThatOfItsParts) {
  const Derived share = share_of_change(printed("10"), printed("8"), printed("0"));
  EXPECT_EQ(share.value, 20);
  EXPECT_LT(share.range.low, 20);
  EXPECT_GT(share.range.high, 20);
}

TEST(HolaFigures, ATieAsPrintedIsNoLossAndALossIs) {
  const Contest tie{printed("0.97"), {printed("0.97"), printed("0.50")}, false};
  const Contest loss{printed("0.97"), {printed("0.98")}, false};
  EXPECT_EQ(best_in_all({tie})({}).outcome, Outcome::holds);
  EXPECT_EQ(best_in_all({tie, loss})({}).outcome, Outcome::refuted);
  EXPECT_EQ(best_in_most({tie, loss})({}).outcome, Outcome::refuted);
  EXPECT_EQ(best_in_most({tie, tie, loss})({}).outcome, Outcome::holds);
  EXPECT_EQ(best_in_all({{printed("0.97"), {printed("0.98")}, true}})({}).outcome, Outcome::holds);
}

TEST(HolaFigures, AValueThatMayLieOutsideIsConditional) {
  const Derived value{"x", Rational(1, 2), {0, 1}};
  EXPECT_EQ(lies_in(value, {0, 1})({}).outcome, Outcome::holds);
  EXPECT_EQ(lies_in(value, {Rational(1, 4), 1})({}).outcome, Outcome::conditional);
  EXPECT_EQ(lies_in(value, {2, 3})({}).outcome, Outcome::refuted);
}

TEST(HolaFigures, WhatIsNotPublishedDecidesNothing) {
  const Needed hola_peak{"HOLA", "peak_hola"}, gdn_peak{"GDN", "peak_gdn"}, nowhere{"speed of HOLA", {}};
  for (const Order order : {Order::at_most, Order::at_least, Order::same}) {
    const Result open = compared({nowhere, order, gdn_peak})({});
    EXPECT_EQ(open.outcome, Outcome::undecidable);
    EXPECT_NE(open.finding.find("speed of HOLA"), std::string::npos);
    EXPECT_EQ(open.finding.find("GDN"), std::string::npos);
    EXPECT_EQ(compared({hola_peak, order, nowhere})({}).outcome, Outcome::undecidable);
  }
  EXPECT_EQ(compared({hola_peak, Order::at_least, gdn_peak})({}).outcome, Outcome::holds);
  EXPECT_EQ(compared({hola_peak, Order::at_most, gdn_peak})({}).outcome, Outcome::refuted);
  EXPECT_EQ(compared({hola_peak, Order::same, gdn_peak})({}).outcome, Outcome::refuted);
}

TEST(HolaFigures, ACoordinateOfTheCurvesStandsForItselfAlone) {
  for (const std::string& key : figure_keys("hola")) {
    const Figure each = hola(key);
    const bool coordinate = each.place.find("fig_teaser.tex") != std::string::npos;
    EXPECT_EQ(coordinate, key.starts_with("f1_")) << key;
    EXPECT_EQ(coordinate, each.range.low == each.range.high) << key;
  }
}

TEST(HolaFigures, ExponentialsAreEnclosed) {
  const Range e = exponential_of(exactly(1));
  const Rational known = printed("2.718281828459045235360287471353").value;
  EXPECT_LT(e.low, known);
  EXPECT_GT(e.high, known);
  EXPECT_LT(e.high - e.low, Rational(1, 1000000000000));
  const Range wide = exponential_of({-1, 1});
  EXPECT_LT(wide.low * e.high, Rational(1000001, 1000000));
  EXPECT_EQ(wide.high, e.high);
}

TEST(HolaFigures, TheWeightOfTheExampleIsThatOfItsTaylorSeries) {
  const Rational x(83, 100);
  Rational sum = 0, term = 1;
  for (int n = 1; n <= 20; ++n) {
    sum += term;
    term *= x / n;
  }
  const Range taylor{sum, sum + 2 * term};  // x < 1: what is left is less than twice its first term
  const Range weight = taylor / (taylor + exactly(63)), checked = softmax_weight(64, exactly(x), exactly(0));
  EXPECT_LE(checked.low, weight.high);
  EXPECT_GE(checked.high, weight.low);
  EXPECT_EQ(decimal(100 * checked.low, 2), "3.51");
  EXPECT_EQ(decimal(100 * checked.high, 2), "3.51");
}

}  // namespace
}  // namespace deltaproof::claims
