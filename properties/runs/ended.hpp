#pragma once

#include <string>
#include <utility>

#include "reference/verdict.hpp"

namespace deltaproof {

/// The verdict with its outcome.
inline Verdict ended(Verdict verdict, Status status, std::string reason) {
  verdict.status = status;
  verdict.reason = std::move(reason);
  return verdict;
}

}  // namespace deltaproof
