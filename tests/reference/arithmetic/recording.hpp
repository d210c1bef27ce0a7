#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "reference/arithmetic/choices.hpp"
#include "reference/arithmetic/declared.hpp"
#include "reference/arithmetic/resolved.hpp"
#include "reference/problem/head.hpp"

namespace deltaproof::arithmetic_tests {

/// Elements whose fp32 words differ.
struct Unequal {
  Index o = 0, states = 0;

  Unequal& operator+=(const Unequal& other);
  friend bool operator==(const Unequal&, const Unequal&) = default;
};
std::ostream& operator<<(std::ostream& out, const Unequal& unequal);

/// One value head of one sequence of a recording.
struct RecordedHead {
  HeadInputs inputs;
  Matrix o;                    ///< tokens x V
  std::vector<Matrix> states;  ///< after each `states_every` tokens; empty if not recorded
  std::optional<Matrix> final_state;
};

/// A recorded run of a kernel.
struct Recording {
  std::string name;
  Options options;
  std::optional<Declared> declared;  ///< of its arithmetic and rule; nothing: there is no text
  Format input, stored;              ///< types of q, k and v, and of o
  bool beta_in_f32 = true;           ///< or formed by the kernel
  bool state_was_given = false;
  std::vector<RecordedHead> heads;

  Resolved resolved(const Declared& as) const;
};

/// golden/recorded/NAME.safetensors.
Recording read_recording(const std::string& name);
/// Names of the recordings whose arithmetic has a text.
std::vector<std::string> recordings_with_text();

/// One choice made otherwise. Throws std::logic_error if the text does not make it.
struct Change {
  Choice::Section section = Choice::Section::top;
  const char *name = "", *value = "";
};
Declared changed(Declared declared, const Change& change);

/// Emulated as `declared` from the initial state, against the recorded o and chunk states; where those are not
/// recorded, or do not end with the final state, against that.
Unequal unequal_in_full_run(const Recording& recording, const Declared& declared);
/// Chunk by chunk, each from the state recorded before it. The recording must have chunk states.
Unequal unequal_by_chunk(const Recording& recording, const Declared& declared);

}  // namespace deltaproof::arithmetic_tests
