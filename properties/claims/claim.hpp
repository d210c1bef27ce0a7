#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace deltaproof::claims {

/// Whose words a statement follows.
enum class Voice {
  stated,   ///< the source states it, in other words
  derived,  ///< it is worked out from what the source states: arithmetic on its figures, a consequence, an example of ours
  reading,  ///< what somebody may read into it; the source need not say so, and may say the opposite
};
/// "stated", "worked out from it", "a reading".
const char* voice_name(Voice voice);

/// Where a statement stands, or what it is about.
struct Source {
  std::string paper;  ///< id of a paper (papers.hpp)
  std::string place;  ///< "Section 3.2, Eq. (5)"
  std::string pages;  ///< of the PDF, from 1: "4", "15-17"; empty where there are none
  Voice voice = Voice::stated;
};

enum class Outcome {
  holds,        ///< proved exactly, or searched for a counterexample without one (`Claim::method` says which)
  conditional,  ///< holds under a condition that the source does not state, or states otherwise
  refuted,      ///< false as stated
  undecidable,  ///< what is published does not decide it
};
/// "holds", "holds under a condition", "refuted", "not decidable".
const char* outcome_name(Outcome outcome);

struct Named {
  std::string name, value;
};

/// The smallest input found for which the statement is false.
struct Counterexample {
  std::vector<Named> inputs;
  std::string shows;  ///< one sentence: what should be, and what is
};

/// What a check found.
struct Result {
  Outcome outcome = Outcome::undecidable;
  std::string finding;    ///< a sentence or two, with the numbers that decide
  std::string condition;  ///< under which it holds; of `conditional` alone
  std::optional<Counterexample> counterexample;  ///< always of `refuted` and `conditional`
  std::vector<Named> numbers;
  std::int64_t cases = 0;  ///< instances that were tried or worked out
};

struct Effort {
  std::uint64_t seed = 0;  ///< of random and adversarial search
};

/// Works a statement out. Deterministic for a seed; no state; throws nothing but bugs.
using Check = std::function<Result(const Effort&)>;

/// Another statement, put to the check of a claim: what shows that the check can tell.
struct Variant {
  std::string statement;
  Outcome expected = Outcome::refuted;
  Check check;
};

/// A statement of a paper, and how it is checked.
struct Claim {
  std::string id;          ///< "kla.projection", unique
  Source source;
  std::string statement;   ///< in our words
  std::string conditions;  ///< as the source states them; may be empty
  std::string method;      ///< "exact rational arithmetic, 200 random instances"; what is proved by it and what is not
  Check check;
  /// At least one that must be refuted; where the claim is, the corrected statement too, which must hold.
  std::vector<Variant> variants;
};

/// All, by paper and place.
const std::vector<Claim>& claim_table();

/// nullptr for an unknown id.
const Claim* find_claim(const std::string& id);

}  // namespace deltaproof::claims
