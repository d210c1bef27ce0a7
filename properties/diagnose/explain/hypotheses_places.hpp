#pragma once

#include <string>
#include <vector>

#include "properties/defects/defect.hpp"
#include "properties/diagnose/explain/hypotheses_focus.hpp"

namespace deltaproof {

/// A place that a defect may lie at: what its draws are to give, and how it is called.
struct DefectPlace {
  std::vector<int> draws;  ///< Generator::steered
  std::string name;        ///< "sequence 0, head 1, chunk 2, token 130"; empty: it has no place
};

/// It draws nothing: it touches all of a run.
bool lies_everywhere(const Defect& defect);
/// Its values are random: no two runs with it are alike.
bool is_random(const Defect& defect);

/// Places of a defect that touches a part of a run, from where the run goes wrong first. None for one whose values are
/// random, or if there is nothing to go by.
std::vector<DefectPlace> places_of(const Defect& defect, const Problem& problem, const Outputs& outputs,
                                   const Window& window, const Focus& focus);

}  // namespace deltaproof
