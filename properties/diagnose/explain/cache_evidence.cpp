#include <fmt/format.h>

#include <algorithm>

#include "properties/diagnose/explain/stage.hpp"

namespace deltaproof {
namespace {

struct BlockCount {
  std::int64_t wrong_without = 0, right_without = 0, wrong_with = 0;  ///< tokens that see no kept entry; that see some
};

BlockCount tokens_by_block(const JudgedRun& run, const RunMap& map) {
  BlockCount count;
  const std::int64_t block_size = run.problem().options().hola.cache_block;
  for (const MeasuredBlock& block : map.planes()) {
    if (block.place.tensor != "o") continue;
    for (Index t = 0; t < block.value.rows(); ++t) {
      bool bad = false;
      for (Index j = 0; j < block.value.cols(); ++j) bad = bad || block.ratio(t, j) > 1;
      if (t >= block_size) count.wrong_with += bad;
      if (t < block_size) (bad ? count.wrong_without : count.right_without) += 1;
    }
  }
  return count;
}

bool holds(const StageFinding& finding, const char* stage) {
  return std::any_of(finding.parts.begin(), finding.parts.end(),
                     [&](const WrongPart& part) { return !part.of_state && part.stage == stage; });
}

}  // namespace

bool add_cache_evidence(const JudgedRun& run, const RunMap& map, StageFinding& finding) {
  const BlockCount count = tokens_by_block(run, map);
  const bool share = holds(finding, "cache read");
  const bool state = holds(finding, "state read") || holds(finding, "carried read") || holds(finding, "chunk read");
  if (share != state) {
    finding.stage = share ? "cache read" : "read";
    return true;
  }
  if (count.wrong_without > 0 || count.right_without == 0 || count.wrong_with < 2) return false;
  finding.stage = "cache read";
  finding.because.push_back(fmt::format("all {} tokens that see no kept entry are right, {} that see some are wrong: the state is "
                                        "read alike in both", count.right_without, count.wrong_with));
  return true;
}

}  // namespace deltaproof
