#pragma once

#include <vector>

#include "properties/defects/defect.hpp"

namespace deltaproof {

/// Defects beside the catalogue that are held against a run, too: users meet them, but the kill matrix has relatives of
/// each already.
const std::vector<Defect>& more_hypotheses();

}  // namespace deltaproof
