#pragma once

#include "reference/verdict.hpp"
#include "reports/json_field.hpp"

namespace deltaproof {

/// An entry of a verdict's `profile`. ReportError where its lists are not as long as its other fields say: a page draws
/// what it is told.
TensorProfile read_profile(const JsonField& json);

}  // namespace deltaproof
