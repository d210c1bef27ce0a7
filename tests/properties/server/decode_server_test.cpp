// The life of a server that decodes: conversations begin, go on side by side, fork, speculate, end, and their slots
// are used anew. After every command every launch is judged and every state has the bits of plain serving.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/state.h>

#include <map>
#include <sstream>
#include <string>

#include "tests/properties/server/commands.hpp"
#include "tests/properties/server/kernels.hpp"

namespace deltaproof::server {
namespace {

std::string first_word(const Command& command) {
  std::ostringstream text;
  command.show(text);
  return text.str().substr(0, text.str().find('('));
}

class DecodeServerLife : public testing::Test {
 protected:
  // "" if `lives` lives of at most `commands` commands hold what they must; else the shortest one that does not.
  std::string fails(Bug bug, int lives) {
    const auto life = [&] {
      Session session{DecodeServer(kernels_, bug), Audit(kernels_)};
      const auto commands = *rc::state::gen::commands(Model{}, &any_command);
      rc::state::runAll(commands, Model{}, session);
      for (const auto& command : commands) ++seen_[first_word(*command)];
      Model model;
      rc::state::applyAll(commands, model);
      for (const auto& [engine, count] : audit_conversations(model, session)) judged_[engine] += count;
    };
    rc::detail::TestParams params;
    params.seed = 20;
    params.maxSuccess = lives;
    params.maxSize = 24;
    const auto result = rc::detail::checkTestable(life, rc::detail::TestMetadata{}, params);
    std::ostringstream text;
    rc::detail::printResultMessage(result, text);
    return result.is<rc::detail::SuccessResult>() ? "" : text.str();
  }

 private:
  const HostKernels host_;
  const Kernels kernels_ = host_.both();

 protected:
  std::map<std::string, int> seen_;  ///< commands that were run, by name
  std::map<Engine, int> judged_;     ///< conversations, by the kernel that ran them
};

TEST_F(DecodeServerLife, HoldsWhatItMust) {
  EXPECT_EQ(fails(Bug::none, 120), "");
  for (const char* command : {"prefill", "decode", "fork", "speculate", "accept", "evict"}) {
    EXPECT_GE(seen_[command], 10) << command;
  }
  for (const Engine engine : {Engine::recurrent, Engine::chunk})
    EXPECT_GE(judged_[engine], 10) << engine_name(engine);
}

TEST_F(DecodeServerLife, FindsARollbackThatKeepsTheSpeculatedState) {
  EXPECT_NE(fails(Bug::rollback_keeps_state, 200).find("other bits than plain serving"), std::string::npos);
}

TEST_F(DecodeServerLife, FindsASlotThatIsNotReset) {
  EXPECT_NE(fails(Bug::slot_is_not_reset, 200).find("other bits than plain serving"), std::string::npos);
}

TEST_F(DecodeServerLife, FindsPaddingThatIsTakenForSlot0) {
  EXPECT_NE(fails(Bug::padding_is_slot_0, 200).find("a slot that it does not list"), std::string::npos);
}

TEST_F(DecodeServerLife, FindsAForkThatCopiesOneHead) {
  EXPECT_NE(fails(Bug::fork_copies_one_head, 200).find("other bits than plain serving"), std::string::npos);
}

}  // namespace
}  // namespace deltaproof::server
