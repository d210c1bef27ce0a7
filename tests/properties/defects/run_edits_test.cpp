// Edits of what enters a chunk and of what is kept of a run, against the right run of the same head.
#include <gtest/gtest.h>

#include <cmath>

#include "properties/defects/catalogue.hpp"
#include "properties/defects/faulty_head.hpp"
#include "strong_decay.hpp"

namespace deltaproof {
namespace {

// 130 tokens, three chunks, the last of two tokens; from a state of ones.
class WrongRunOfAHead : public testing::Test {
 protected:
  WrongRunOfAHead() : problem_(with_state()), right_(run(Fault{})) {}

  static Problem with_state() {
    const Problem& problem = strong_decay().problem;
    TensorMap inputs = problem.tensors();
    inputs["initial_state"] = Tensor::from(Dtype::f32, {1, 2, 64, 64}, std::vector<double>(2 * 64 * 64, 1.0));
    return problem.with_inputs(std::move(inputs));
  }

  Emulation run(const Fault& fault) const {
    const Declared declared = built_in("fla-chunk", Rule::gated_delta).value();
    return run_head(fault, problem_, declared, problem_.sequences().front(), 0);
  }
  Emulation run(const char* id) const {
    Generator draw(1, {});
    return run(std::get<MakeFault>(find_defect(id)->edit)(problem_, draw));
  }

  Problem problem_;
  Emulation right_;
};

TEST_F(WrongRunOfAHead, FinalStateIsThatBeforeTheLastChunk) {
  for (const char* id : {"final_early", "final_no_tail"}) {
    const Emulation wrong = run(id);
    EXPECT_EQ(wrong.states.back(), right_.states[1]) << id;
    EXPECT_EQ(wrong.o, right_.o) << id;
    EXPECT_EQ(wrong.states[0], right_.states[0]) << id;
  }
}

TEST_F(WrongRunOfAHead, FinalStateDecaysOnceMore) {
  const Emulation wrong = run("final_decayed");
  const HeadInputs head = head_inputs(problem_, problem_.sequences().front(), 0);
  const float decay = static_cast<float>(std::exp(head.g(129, 0)));
  EXPECT_EQ(wrong.states.back(), right_.states.back() * decay);
  EXPECT_EQ(wrong.o, right_.o);
}

TEST_F(WrongRunOfAHead, StaleStateIsTwoChunksOld) {
  const Emulation wrong = run("carry_stale");
  EXPECT_EQ(wrong.states[0], right_.states[0]);
  EXPECT_EQ(wrong.o.topRows(64), right_.o.topRows(64));
  // Chunk 1 starts where chunk 0 did.
  Fault as_chunk_0;
  as_chunk_0.chunk = 1;
  as_chunk_0.chunk_inputs = [](TextInput<Bits>& in) { in.state.setOnes(); };
  EXPECT_EQ(wrong.states[1], run(as_chunk_0).states[1]);
  Fault as_chunk_1;
  as_chunk_1.chunk = 2;
  as_chunk_1.chunk_inputs = [&](TextInput<Bits>& in) { in.state = wrong.states[0]; };
  EXPECT_EQ(wrong.states[2], run(as_chunk_1).states[2]);
}

TEST_F(WrongRunOfAHead, StateIsHandedOnTransposed) {
  const Emulation wrong = run("carry_transposed");
  EXPECT_EQ(wrong.states[0], right_.states[0].transpose());
  EXPECT_EQ(wrong.o.topRows(64), right_.o.topRows(64));
  EXPECT_NE(wrong.o.middleRows(64, 64), right_.o.middleRows(64, 64));
}

TEST_F(WrongRunOfAHead, TailIsNotRunOrNotStored) {
  const Emulation skipped = run("tail_skipped"), lost = run("tail_o_lost");
  for (const Emulation& wrong : {skipped, lost}) {
    EXPECT_TRUE(wrong.o.bottomRows(2).isZero());
    EXPECT_EQ(wrong.o.topRows(128), right_.o.topRows(128));
  }
  EXPECT_EQ(skipped.states.back(), right_.states[1]);
  EXPECT_EQ(lost.states.back(), right_.states.back());
}

TEST_F(WrongRunOfAHead, TailIsFilledUp) {
  const Emulation garbage = run("tail_garbage"), decayed = run("tail_decay");
  for (const Emulation& wrong : {garbage, decayed}) {
    EXPECT_EQ(wrong.o.topRows(130), right_.o) << "no token sees what comes after it";
    EXPECT_EQ(wrong.states.size(), 3);
    EXPECT_EQ(wrong.states[1], right_.states[1]);
    EXPECT_NE(wrong.states[2], right_.states[2]);
  }
  // 62 more decays of e^-1 and less, and nothing is written.
  EXPECT_LT(decayed.states[2].cwiseAbs().maxCoeff(), 1e-20f);
  EXPECT_GT(garbage.states[2].cwiseAbs().maxCoeff(), 1e-3f);
}

TEST_F(WrongRunOfAHead, LastTokenIsLeftOut) {
  const Emulation wrong = run("last_token_lost");
  EXPECT_EQ(wrong.o.topRows(129), right_.o.topRows(129));
  EXPECT_TRUE(wrong.o.bottomRows(1).isZero());
  EXPECT_EQ(wrong.states.size(), 3);
  EXPECT_NE(wrong.states[2], right_.states[2]);
  // A sequence of one token gives its initial state and zeros.
  Sequence first = problem_.sequences().front();
  first.length = 1;
  Generator draw(1, {});
  const Fault fault = std::get<MakeFault>(find_defect("last_token_lost")->edit)(problem_, draw);
  const Emulation none =
      run_head(fault, problem_, built_in("fla-chunk", Rule::gated_delta).value(), first, 0);
  EXPECT_EQ(none.o, MatrixF::Zero(1, 64));
  ASSERT_EQ(none.states.size(), 1);
  EXPECT_EQ(none.states[0], MatrixF::Ones(64, 64));
}

TEST_F(WrongRunOfAHead, LiesInItsSequenceAndHeadAlone) {
  Fault fault;
  fault.chunk_inputs = [](TextInput<Bits>& in) { in.v *= 2.0f; };
  EXPECT_NE(run(fault).o, right_.o);
  fault.sequence = 1;
  EXPECT_EQ(run(fault).o, right_.o);
  fault.sequence = 0;
  fault.head = 1;
  EXPECT_EQ(run(fault).o, right_.o);
}

}  // namespace
}  // namespace deltaproof
