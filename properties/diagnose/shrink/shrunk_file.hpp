#pragma once

#include <filesystem>
#include <string>

#include "properties/diagnose/shrink/shrink_case.hpp"

namespace deltaproof {

/// What a kernel is to be run on: the problem of a file, judged by the kernel's arithmetic.
RunCase case_for(const CaseFile& file, const Kernel& kernel);
/// A recorded run, judged by the arithmetic of its problem. Without outputs there is nothing to judge.
RunCase recorded_case(const CaseFile& file);

/// "1 sequence of 512 tokens, 8 heads (2 of keys), K = 64, V = 128, 4512 bytes"
std::string to_text(const RunCase& run);

/// Writes the smallest case, atomically, with its outputs, all metadata of the case that it comes from and a note of how
/// it was shrunk. `source`: what that case is called. Throws InputError.
void write_shrunk_case(const std::filesystem::path& path, const ShrunkCase& shrunk, const std::string& source);

/// "small_test.cpp", the file for the test beside "small.safetensors".
std::string snippet_name(const std::filesystem::path& path);

}  // namespace deltaproof
