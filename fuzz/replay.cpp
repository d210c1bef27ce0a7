// Puts stored inputs to a target, without libFuzzer: any compiler builds it.
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "fuzz/stored_inputs.hpp"
#include "fuzz/target.hpp"

using namespace deltaproof::fuzz;

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: deltaproof_fuzz_replay TARGET [FILE|FOLDER ...]\ntargets:", stderr);
    for (const Target& target : targets()) std::fprintf(stderr, " %s", std::string(target.name).c_str());
    std::fputs("\n", stderr);
    return 2;
  }
  const Target* const target = find_target(argv[1]);
  if (target == nullptr) {
    std::fprintf(stderr, "deltaproof_fuzz_replay: no target '%s'\n", argv[1]);
    return 2;
  }
  int wrong = 0;
  std::size_t count = 0;
  try {
    for (int i = 2; i < argc; ++i) {
      for (const StoredInput& input : stored_inputs(argv[i])) {
        ++count;
        try {
          target->check(input.bytes);
        } catch (const std::exception& finding) {
          std::fprintf(stderr, "%s: FINDING: %s\n", input.path.c_str(), finding.what());
          wrong = 1;
        }
      }
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "deltaproof_fuzz_replay: %s\n", error.what());
    return 2;
  }
  std::printf("%zu inputs of %s\n", count, argv[1]);
  if (count == 0) {
    std::fputs("deltaproof_fuzz_replay: nothing was replayed\n", stderr);
    return 2;
  }
  return wrong;
}
