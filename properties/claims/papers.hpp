#pragma once

#include <string>
#include <vector>

namespace deltaproof::claims {

/// What statements are taken from.
struct Paper {
  std::string id;       ///< "kla"
  std::string title, version, date;  ///< of the version that was read
};

const std::vector<Paper>& papers();
/// Throws std::out_of_range.
const Paper& paper(const std::string& id);

}  // namespace deltaproof::claims
