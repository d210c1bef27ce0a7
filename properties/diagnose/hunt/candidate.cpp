#include "properties/diagnose/hunt/candidate.hpp"

#include <fmt/format.h>

#include <utility>

namespace deltaproof {

Problem problem_of(const Candidate& candidate) {
  Problem problem = problem_of(candidate.spec);
  for (const EntryMove& move : candidate.entries) problem = moved(move, problem);
  if (candidate.entries.empty()) return problem;
  std::string name = problem.name() + " hunted";
  return std::move(problem).with_name(std::move(name));
}

Metadata metadata_of(const Candidate& candidate, const Problem& problem) {
  Metadata metadata = candidate.spec.options;
  const Options& options = problem.options();
  if (options.scale_given) metadata["scale"] = fmt::format("{}", options.scale);  // a family may have one
  if (options.qk_l2norm == L2Norm::both) metadata["qk_l2norm"] = "kernel";         // hola's default, too
  return metadata;
}

}  // namespace deltaproof
