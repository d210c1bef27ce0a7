#pragma once

#include <string>
#include <vector>

namespace deltaproof::claims {

/// What a verdict rests on, so that it can be attacked (docs/what-this-rests-on.md has all of it in words).
struct Assumption {
  std::string group;         ///< "instructions", "tensor cores", "devices", "declared arithmetics", ..
  std::string what;          ///< what is taken to be so
  std::string value;         ///< the number, name or version; may be empty
  std::string source;        ///< where it is from
  std::string if_wrong;      ///< what would follow if it were not so
  std::string supported_by;  ///< the test or page that supports it; empty: nothing but the source
};

/// Values are those that the code computes with.
const std::vector<Assumption>& assumptions();

}  // namespace deltaproof::claims
