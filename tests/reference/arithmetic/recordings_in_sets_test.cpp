// Recorded values of real kernels lie in the sets of their declaration, chunk by chunk from the recorded states; not
// in those of another.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/reference/arithmetic/containment.hpp"
#include "tests/reference/arithmetic/recording.hpp"

namespace deltaproof {
namespace {

using namespace arithmetic_tests;

Containment from_recorded_states(const Recording& recording, const Declared& declared) {
  const Resolved resolved = recording.resolved(declared);
  const Index every = recording.options.states_every;
  Containment result;
  for (const RecordedHead& head : recording.heads) {
    Matrix state = head.inputs.initial_state;
    for (std::size_t n = 0; n < head.states.size(); ++n) {
      const Index begin = static_cast<Index>(n) * every, count = std::min(every, head.inputs.tokens - begin);
      const PinnedRun sets = pin(resolved, tensor_core("hopper"), head.inputs.slice(begin, count, state),
                                 recording.options.chunk_size, Matrix(), recording.state_was_given);
      result.add(head.o.middleRows(begin, count).cast<float>(), sets.o, recording.name + ", o");
      result.add(head.states[n].cast<float>(), sets.states.back(), recording.name + ", state");
      state = head.states[n];
    }
  }
  return result;
}

TEST(RecordingsInSets, OfTheirDeclaration) {
  std::int64_t values = 0;
  for (const std::string& name : recordings_with_text()) {
    const Recording recording = read_recording(name);
    const Containment result = from_recorded_states(recording, recording.declared.value());
    EXPECT_EQ(result.outside, 0) << result.where;
    EXPECT_EQ(result.known, result.values) << name;
    values += result.values;
  }
  EXPECT_GT(values, 1'000'000);
}

TEST(RecordingsInSets, NotOfOneThatTruncatesTheInverse) {
  const Recording recording = read_recording("gdn_chunk_bf16");
  Declared wrong = recording.declared.value();
  wrong[Point::T].mode = PointMode::truncated;
  EXPECT_GT(from_recorded_states(recording, wrong).outside, 0);
}

}  // namespace
}  // namespace deltaproof
