#pragma once

#include <string>

#include "properties/claims/claim.hpp"
#include "properties/defects/published_rules.hpp"

namespace deltaproof::claims {

/// "rms_loose": the last part of ids of claims about a rule.
std::string id_of(PublishedRule rule);
/// What the use of the rule implies: a reading.
Source source_of(const PublishedRuleInfo& info);
/// "FORM; of USERS".
std::string in_words(const PublishedRuleInfo& info);

}  // namespace deltaproof::claims
