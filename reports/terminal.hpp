#pragma once

#include <string>
#include <vector>

#include "reference/verdict.hpp"

namespace deltaproof {

/// The table: one line a verdict in aligned columns, below each that did not pass a block with the
/// reason, the worst element, the bound's terms and the command that reproduces it; conformity, the
/// advisory tier and notes below those that passed, too; then the summary line. Printable ASCII, but
/// for the colours if asked for.
std::string terminal_report(const std::vector<Verdict>& verdicts, bool colour);

/// "3 passed, 1 failed, 0 nonconforming, 0 suspect, 0 uninformative, 2 skipped, 0 error"
std::string summary_line(const Summary& summary);

/// The indented block of one verdict, one string a line.
std::vector<std::string> explanation(const Verdict& verdict);

/// True if the verdict compared something and knows its worst element.
bool has_worst(const Verdict& verdict);

/// True if the verdict failed with every compared value in its bound: what is wrong is something else, and the worst
/// value not its place.
bool failed_elsewhere(const Verdict& verdict);

}  // namespace deltaproof
