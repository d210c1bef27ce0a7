#include "cli/kept_profiles.hpp"

namespace deltaproof::cli {

void KeptProfiles::look_at(std::vector<Verdict>& verdicts) {
  for (; seen_ < verdicts.size(); ++seen_) look_at(verdicts, seen_);
}

void KeptProfiles::look_at(std::vector<Verdict>& verdicts, std::size_t index) {
  Verdict& verdict = verdicts[index];
  if (verdict.profile.empty()) return;
  if (is_failure(verdict.status)) {
    if (++failures_ > most_failures) verdict.profile = {};
    return;
  }
  others_.emplace(verdict.worst_ratio, -static_cast<std::ptrdiff_t>(index));
  if (others_.size() <= most_others) return;
  verdicts[static_cast<std::size_t>(-others_.begin()->second)].profile = {};
  others_.erase(others_.begin());
}

}  // namespace deltaproof::cli
