#pragma once

#include <filesystem>
#include <functional>

#include "fuzz/finding.hpp"
#include "reference/problem/case_file.hpp"

namespace deltaproof::fuzz {

/// What is under test; tests put in what is wrong.
struct CaseFileFunctions {
  std::function<CaseFile(const std::filesystem::path&)> read = &read_case;
  std::function<void(const std::filesystem::path&, const Metadata&, const TensorMap&)> write = &write_case;
};

/// The bytes as a case file: refused with an InputError of one line, or read. What is read survives writing and
/// reading again bit by bit, and, if it is a tiny run, is judged to a verdict.
void check_case_file(Bytes bytes, const CaseFileFunctions& functions = {});

}  // namespace deltaproof::fuzz
