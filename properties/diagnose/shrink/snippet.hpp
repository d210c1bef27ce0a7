#pragma once

#include <string>

#include "properties/diagnose/shrink/shrink_case.hpp"

namespace deltaproof {

/// How a shrunk case is handed on: by name, not by path.
struct SnippetNames {
  std::string file;        ///< "small.safetensors"
  std::string test;        ///< "small": what tests are called after
  std::string reproduce;   ///< a command line
  /// Judged by an order of roundings from a file of its own: the case alone, without that file, need not fail.
  bool declared_elsewhere = false;
};

/// Source of a GoogleTest for a program that links deltaproof::deltaproof: the case fails as it was found, and a kernel
/// that the user hands in passes. It looks for the case beside itself. ASCII.
std::string test_snippet(const ShrunkCase& shrunk, const SnippetNames& names);

/// One line of Python that loads the inputs.
std::string python_line(const Problem& problem, const std::string& file);

/// `stem` as part of a C++ name: letters, digits and _, a letter first.
std::string test_name(const std::string& stem);

}  // namespace deltaproof
