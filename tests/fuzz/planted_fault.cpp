#include "tests/fuzz/planted_fault.hpp"

#include "fuzz/finding.hpp"

namespace deltaproof::fuzz {

std::string findings_of(const std::string& target, const std::function<void(const StoredInput&)>& check) {
  std::string findings;
  for (const StoredInput& input : stored_inputs(std::string(DELTAPROOF_SOURCE_DIR "/fuzz/corpus/") + target)) {
    try {
      check(input);
    } catch (const Finding& finding) {
      findings += finding.what() + std::string("\n");
    }
  }
  return findings;
}

}  // namespace deltaproof::fuzz
