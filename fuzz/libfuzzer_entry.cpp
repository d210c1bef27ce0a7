// What libFuzzer calls, compiled once a target: DELTAPROOF_FUZZ_HEADER declares DELTAPROOF_FUZZ_CHECK.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include DELTAPROOF_FUZZ_HEADER

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    deltaproof::fuzz::DELTAPROOF_FUZZ_CHECK({data, size});
  } catch (const std::exception& wrong) {
    std::fprintf(stderr, "FINDING: %s\n", wrong.what());
    std::abort();
  }
  return 0;
}
