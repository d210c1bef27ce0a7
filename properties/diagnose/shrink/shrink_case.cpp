#include "properties/diagnose/shrink/shrink_case.hpp"

#include <utility>

#include "properties/diagnose/shrink/passes.hpp"
#include "properties/diagnose/shrink/valid_slices.hpp"

namespace deltaproof {
namespace {

// Structure first, again and again: values of what will go need no looking at.
void go_down(Search& search) {
  focus(search);
  for (bool went_down = true; went_down && !search.is_over();) {
    bool structure = false;
    for (const auto pass : {fewer_sequences, fewer_heads, fewer_tokens, fewer_channels, plainer_options}) {
      structure |= pass(search);
    }
    went_down = structure || plainer_values(search);
  }
}

}  // namespace

ShrunkCase shrink_case(RunCase run, const CaseJudge& judge, const ShrinkLimits& limits) {
  run.metadata.emplace("format", "deltaproof.case/1");
  JudgedCase first = judge.judge(std::move(run));
  const Failure failure = first.failure;
  const CaseSize before = size_of(first.run);
  if (!is_failure(first.verdict.status)) return {std::move(first), failure, before, before, 0, 0, "", {}};
  std::vector<std::string> kept;
  if (!judge.runs()) kept = cannot_be_sliced(first.run);
  Search search(std::move(first), judge, limits);
  go_down(search);
  JudgedCase smallest = search.taken() == 0 ? search.smallest() : judge.judge(search.now());
  return {std::move(smallest), failure, before, size_of(search.now()), search.tried(), search.taken(),
          search.why_over(), std::move(kept)};
}

}  // namespace deltaproof
