// The choices that no recorded bit decides, all of them, by text (docs/arithmetic.md, 6): each choice is changed by
// itself to each value that a search tries. For fla-chunk with decay and for KDA and GLA see
// choices_told_apart_test.cpp and kda_gla_choices_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "tests/reference/arithmetic/recording.hpp"

namespace deltaproof {
namespace {

using namespace arithmetic_tests;

struct Undetermined {
  const char* text;
  bool delta_rule = false;  ///< recordings of rule delta; else of all other rules
  std::vector<std::string> choices;  ///< "name" for all its values, or "name value"
};

void PrintTo(const Undetermined& each, std::ostream* out) { *out << each.text; }

bool leaves_all_equal(const std::vector<Recording>& recordings, const Declared& declared) {
  return std::all_of(recordings.begin(), recordings.end(), [&](const Recording& recording) {
    const bool by_chunk = !recording.heads[0].states.empty();
    const Unequal found = by_chunk ? unequal_by_chunk(recording, declared) : unequal_in_full_run(recording, declared);
    return found == Unequal{};
  });
}

std::string listed_name(const Choice& choice) {
  switch (choice.section) {
    case Choice::Section::points: return "point " + choice.name;
    case Choice::Section::parts: return "parts " + choice.name;
    case Choice::Section::top: break;
  }
  return choice.name;
}

// "name" if no other value is told from the declared one, else "name value" for each that is not.
std::vector<std::string> undetermined(const std::vector<Recording>& recordings) {
  const Declared declared = *recordings[0].declared;
  std::vector<std::string> list;
  for (const Choice& choice : choices_of(declared.text)) {
    std::vector<std::string> equal;
    std::size_t others = 0;
    for (const std::string& value : choice.variants) {
      if (value == choice.get(declared)) continue;
      ++others;
      Declared changed = declared;
      choice.set(changed, value);
      if (leaves_all_equal(recordings, changed)) equal.push_back(listed_name(choice) + " " + value);
    }
    if (others == 0) continue;
    if (equal.size() == others) equal = {listed_name(choice)};
    list.insert(list.end(), equal.begin(), equal.end());
  }
  return list;
}

class UndeterminedChoices : public testing::TestWithParam<Undetermined> {};

TEST_P(UndeterminedChoices, AreThoseThatThePageLists) {
  std::vector<Recording> recordings;
  for (const std::string& name : recordings_with_text()) {
    Recording recording = read_recording(name);
    const bool delta = recording.options.rule == Rule::delta;
    if (recording.options.arithmetic != GetParam().text || delta != GetParam().delta_rule) continue;
    recordings.push_back(std::move(recording));
  }
  ASSERT_FALSE(recordings.empty());
  EXPECT_EQ(undetermined(recordings), GetParam().choices);
}

INSTANTIATE_TEST_SUITE_P(
    Recordings, UndeterminedChoices,
    testing::Values(
        // Without decay neither its sums nor its powers matter; no row is normalised in the kernel.
        Undetermined{"fla-chunk", true,
                     {"scan", "exp2", "row_sum", "v_scaled_from", "output_sum", "f32_products", "u_ieee", "point q",
                      "point k", "point k_beta input", "point k_beta f32", "point k_beta_decayed", "parts scores 4",
                      "parts u", "parts w", "parts w_state", "parts q_state", "parts p_v 2"}},
        Undetermined{"fla-simple-gla-chunk", false,
                     {"scan pairs", "scan kogge_stone", "scan sklansky", "exp2 approx", "output_sum", "f32_products", "parts scores",
                      "parts q_state 2", "parts p_v"}},
        Undetermined{"nvlabs-chunk", false,
                     {"exp2 approx_ftz", "row_sum", "state_sum", "chunk_sum", "parts gram", "parts scores", "parts w",
                      "parts w_state", "parts p_v"}},
        Undetermined{"fla-recurrent", false, {"exp2 approx_ftz", "point q", "point k"}}),
    [](const auto& each) {
      std::string name = each.param.text;
      std::replace(name.begin(), name.end(), '-', '_');
      return name + (each.param.delta_rule ? "_delta" : "");
    });

}  // namespace
}  // namespace deltaproof
