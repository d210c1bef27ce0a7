#pragma once

#include <exception>
#include <string>
#include <utility>

#include "kernels/simt/fault_text.hpp"
#include "reference/verdict.hpp"

namespace deltaproof {

/// The verdict with its outcome.
inline Verdict ended(Verdict verdict, Status status, std::string reason) {
  verdict.status = status;
  verdict.reason = std::move(reason);
  return verdict;
}

/// The verdict on a kernel whose run broke off: an error, with the lines of sources that its message names.
inline Verdict ended_by(Verdict verdict, const std::exception& fault) {
  verdict.findings = source_findings(fault.what());
  return ended(std::move(verdict), Status::error, fault.what());
}

}  // namespace deltaproof
