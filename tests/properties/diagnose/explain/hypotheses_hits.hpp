#pragma once

#include <optional>
#include <string>
#include <vector>

#include "properties/defects/catalogue.hpp"
#include "properties/diagnose/explain/hypotheses.hpp"
#include "properties/runs/problem_spec.hpp"

namespace deltaproof {

/// A run that was written into a case file and read back, judged and explained: from the content of the file alone.
struct ExplainedFile {
  Verdict verdict;
  bool out_of_bound = false;  ///< some value is
  Hypotheses hypotheses;
};

/// `problem`: of `spec`. `declares`: the arithmetic that the file names.
ExplainedFile explained_file(const ProblemSpec& spec, const Problem& problem, const Outputs& outputs,
                             const std::string& declares);

/// Where a defect stands in an explanation: 1 if it is first or gives the same bits as the first; 0: nowhere.
int rank_of(const Defect& defect, const Hypotheses& hypotheses);

/// How files of a defect's outputs are made.
enum class FileOf {
  declared_order,  ///< of the order that the file declares: a right hypothesis gives its bits
  other_order,     ///< of an order that the file says nothing of: it declares `generic`
  other_order_with_states,  ///< the same, with the states between chunks
};

/// What became of a defect.
struct Hit {
  const Defect* defect = nullptr;
  std::string kernel;     ///< that made the outputs; empty: no problem of those tried has the defect
  Status status = Status::passed;
  bool out_of_bound = false;
  int rank = 0;
  bool fits = false;      ///< the hypothesis, if it has a rank
  std::string first;      ///< the id of what stands first
  std::size_t equivalents = 0;

  bool is_first() const { return rank == 1; }
};

/// Over small problems of the typical family until one has a value of it out of bound, or else one whose verdict it
/// changes. `kernel`: "chunk", "recurrent", "hola"; of other orders "fla-chunk" stands for "chunk".
Hit hit_of(const Defect& defect, const std::string& kernel, FileOf file);

}  // namespace deltaproof
