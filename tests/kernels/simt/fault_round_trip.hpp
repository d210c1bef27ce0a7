#pragma once

#include <gtest/gtest.h>

#include <string>

#include "kernels/simt/fault_text.hpp"

namespace deltaproof {

/// What is read from a message of the executor is all that it says: it makes the message again. Every fault that a test
/// provokes goes through here.
inline void expect_round_trip(const std::string& message) {
  const std::optional<LaunchFault> fault = parse_launch_fault(message);
  ASSERT_TRUE(fault) << message;
  EXPECT_EQ(to_string(*fault), message);
  EXPECT_EQ(fault->thread && !fault->block, false) << message;
  const std::vector<SourceFinding> findings = source_findings("chunk: " + message);
  if (fault->line > 0) {
    ASSERT_FALSE(findings.empty()) << message;
    EXPECT_EQ(findings[0].file, fault->file) << message;
    EXPECT_EQ(findings[0].line, fault->line) << message;
  }
  for (const SourceFinding& finding : findings) {
    EXPECT_FALSE(finding.kind.empty()) << message;
    EXPECT_GT(finding.line, 0) << message;
    EXPECT_NE(finding.file.find('.'), std::string::npos) << message;
    EXPECT_FALSE(finding.file.starts_with('/')) << message;
  }
}

}  // namespace deltaproof
