// Each check of the audit, on a launch, a state or a conversation that is wrong in one value.
#include "tests/properties/server/audit.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "properties/laws/tensors.hpp"
#include "tests/properties/server/kernels.hpp"

namespace deltaproof::server {
namespace {

constexpr int padded_slot = -1, used_slot = 2, other_slot = 1;

class ServerAudit : public testing::TestWithParam<Engine> {
 protected:
  // Two sequences of 20 tokens, of which the second is padding.
  Launch launch() const {
    const Tokens first{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20};
    Problem problem = launch_problem(GetParam(), {first, first}, {used_slot, padded_slot}, zero_pool(slots));
    Outputs outputs = kernels_.of(GetParam()).run(problem);
    return {GetParam(), std::move(problem), std::move(outputs)};
  }
  History history() const {
    History history;
    for (Token token = 1; token <= 20; ++token) history.emplace_back(GetParam(), token);
    return history;
  }

  const HostKernels host_;
  const Kernels kernels_ = host_.both();
  Audit audit_{kernels_};
};
INSTANTIATE_TEST_SUITE_P(, ServerAudit, testing::Values(Engine::recurrent, Engine::chunk),
                         [](const auto& test) { return std::string(engine_name(test.param)); });

TEST_P(ServerAudit, HoldsOfARightLaunch) {
  const Launch right = launch();
  EXPECT_EQ(audit_.launch(right), "");
  const Tensor state = laws::taken(right.outputs.tensors.at("final_state"), 0, {used_slot});
  EXPECT_EQ(audit_.state(state, history()), "");
  EXPECT_EQ(audit_.conversation(laws::taken(right.outputs.tensors.at("o"), 0, {0}), state, history()), "");
}

TEST_P(ServerAudit, FindsAnOutputOutOfItsBound) {
  Launch wrong = launch();
  Tensor& o = wrong.outputs.tensors.at("o");
  laws::set_value(o, 300, o.value(300) + 1);
  EXPECT_NE(audit_.launch(wrong).find("a launch is failed"), std::string::npos);
}

TEST_P(ServerAudit, FindsASlotThatIsNotListed) {
  Launch wrong = launch();
  wrong.outputs.tensors.at("final_state").bytes[other_slot * HV * K * V * 4] ^= std::byte{1};
  EXPECT_EQ(audit_.launch(wrong), "a launch changed a slot that it does not list");
}

TEST_P(ServerAudit, FindsOutputsOfPadding) {
  Launch wrong = launch();
  wrong.outputs.tensors.at("o").bytes.back() = std::byte{0};
  EXPECT_EQ(audit_.launch(wrong), "a launch wrote o of its padding");
}

TEST_P(ServerAudit, FindsOneOtherBitOfAState) {
  Tensor state = laws::taken(launch().outputs.tensors.at("final_state"), 0, {used_slot});
  state.bytes[4] ^= std::byte{1};
  EXPECT_EQ(audit_.state(state, history()), "a state has other bits than plain serving gives");
}

TEST_P(ServerAudit, FindsAConversationOutOfItsBound) {
  const Launch right = launch();
  const Tensor state = laws::taken(right.outputs.tensors.at("final_state"), 0, {used_slot});
  Tensor answers = laws::taken(right.outputs.tensors.at("o"), 0, {0});
  laws::set_value(answers, 300, answers.value(300) + 1);
  EXPECT_NE(audit_.conversation(answers, state, history()), "");
}

}  // namespace
}  // namespace deltaproof::server
