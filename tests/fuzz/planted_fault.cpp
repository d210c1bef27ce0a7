#include "tests/fuzz/planted_fault.hpp"

#include "fuzz/finding.hpp"

namespace deltaproof::fuzz {

std::string finding_of(const std::string& target, const std::function<void(const StoredInput&)>& check) {
  for (const StoredInput& input : stored_inputs(std::string(DELTAPROOF_SOURCE_DIR "/fuzz/corpus/") + target)) {
    try {
      check(input);
    } catch (const Finding& finding) {
      return finding.what();
    }
  }
  return "";
}

}  // namespace deltaproof::fuzz
