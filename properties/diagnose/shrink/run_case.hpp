#pragma once

#include "reference/problem/case_file.hpp"

namespace deltaproof {

/// A problem and what a kernel gave for it, as a case file holds them. A kernel that broke off gave nothing.
struct RunCase {
  Metadata metadata;  ///< of the problem's options, and all else that the file says
  Problem problem;
  Outputs outputs;
};

}  // namespace deltaproof
