#pragma once

#include "properties/defects/defect.hpp"

namespace deltaproof {

// The parts of the catalogue, one entry a defect.

// Tried on recordings.
std::vector<Defect> output_defects();
std::vector<Defect> kernel_defects();

// Variants of any kernel.
std::vector<Defect> gate_defects();
std::vector<Defect> step_defects();
std::vector<Defect> carry_defects();
std::vector<Defect> solve_defects();
std::vector<Defect> norm_defects();
std::vector<Defect> layout_defects();
std::vector<Defect> sequence_defects();
std::vector<Defect> slot_defects();
std::vector<Defect> tail_defects();
std::vector<Defect> precision_defects();
// Of the cache of rule hola.
std::vector<Defect> score_defects();
std::vector<Defect> selection_defects();
std::vector<Defect> cache_read_defects();

std::vector<Defect> control_defects();

}  // namespace deltaproof
