#pragma once

#include "properties/defects/defect.hpp"

namespace deltaproof {

/// The two parts of the catalogue, one line a defect.
std::vector<Defect> output_defects();
std::vector<Defect> kernel_defects();

}  // namespace deltaproof
