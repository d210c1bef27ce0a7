#include "strong_decay.hpp"

#include <map>

namespace deltaproof {

const CaseFile& recorded_case(const std::string& name) {
  static std::map<std::string, CaseFile> files;
  const auto found = files.find(name);
  if (found != files.end()) return found->second;
  const std::string path = DELTAPROOF_SOURCE_DIR "/golden/recorded/" + name + ".safetensors";
  return files.emplace(name, read_case(path)).first->second;
}

const CaseFile& strong_decay() { return recorded_case("gdn_chunk_bf16_strong_decay"); }

const DefectBench& strong_decay_bench() {
  static const DefectBench bench(strong_decay());
  return bench;
}

Fault fault_of(std::string_view id, std::uint64_t place) {
  Generator draw(1, {place});
  return std::get<MakeFault>(find_defect(id)->edit)(strong_decay().problem, draw);
}

}  // namespace deltaproof
