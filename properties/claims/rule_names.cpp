#include "properties/claims/rule_names.hpp"

#include <fmt/format.h>

#include <array>

namespace deltaproof::claims {

std::string id_of(PublishedRule rule) {
  static constexpr std::array names = {"rms",           "rms_loose",  "nmse_1e_7",  "nmse_5e_4",
                                       "close_default", "close_1e_2", "close_2e_2", "twice_baseline"};
  return names.at(static_cast<std::size_t>(rule));
}

Source source_of(const PublishedRuleInfo& info) {
  return {"kernels", fmt::format("rule {}", info.name), "", Voice::reading};
}

std::string in_words(const PublishedRuleInfo& info) {
  return fmt::format("{}; of {}", info.form, info.used_by);
}

}  // namespace deltaproof::claims
