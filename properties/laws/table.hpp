#pragma once

#include "properties/laws/property.hpp"

namespace deltaproof::laws {

// One file each. A new property is one file, one line here and one in table.cpp.
extern const Property repeatable;

}  // namespace deltaproof::laws
