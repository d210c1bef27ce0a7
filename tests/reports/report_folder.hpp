#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "reports/write.hpp"

namespace deltaproof {

namespace fs = std::filesystem;

/// A folder that goes with the test.
class ReportFolder : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "deltaproof-reports-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  static std::string read(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  static void write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }
  static std::set<std::string> names(const fs::path& folder) {
    std::set<std::string> result;
    for (const auto& entry : fs::directory_iterator(folder)) result.insert(entry.path().filename().string());
    return result;
  }
  static std::map<std::string, std::string> contents(const fs::path& folder) {
    std::map<std::string, std::string> result;
    for (const std::string& name : names(folder)) result[name] = read(folder / name);
    return result;
  }
  /// The message, or "" if nothing is refused.
  template <class Call>
  static std::string refused(const Call& call) {
    try {
      call();
    } catch (const ReportError& error) {
      return error.what();
    }
    return "";
  }

  fs::path folder_;
};

inline const std::string example_kill_matrix = R"({"schema": "deltaproof.kill_matrix/1", "kernel": "chunk", "seed": 0,
  "rules": [{"name": "LOC", "published": false}], "survivors": 0, "false_alarms": 0, "rows": [{"id": "gate_shift",
  "kernel": "chunk", "stage": "gate", "class": "index", "sentence": "one token late", "equivalent": false,
  "should_survive": false, "killed": true, "survives_because": "", "cells": [{"regime": "typical", "problems": 4,
  "unchanged": 0, "why_not": "", "property": "", "rules": [[4, 4, 0]]}]}]})";

inline const std::string example_ledger = R"({"schema": "deltaproof.claims/1", "seed": 0,
  "counts": {"holds": 0, "conditional": 0, "refuted": 1, "undecidable": 0}, "claims": [{"id": "kla.projection",
  "paper": {"id": "kla", "title": "KLA", "version": "v1", "date": "2026-01-01"}, "place": "Eq. 5", "pages": "4",
  "statement": "s", "conditions": "", "method": "exact", "outcome": "refuted", "finding": "f", "condition": "",
  "counterexample": {"inputs": [{"name": "beta", "value": "2"}], "shows": "it is 3"}, "numbers": [], "cases": 1,
  "reproduce": "deltaproof audit --claim kla.projection"}],
  "assumptions": [{"what": "w", "value": "", "source": "PTX", "if_wrong": "i"}]})";

}  // namespace deltaproof
