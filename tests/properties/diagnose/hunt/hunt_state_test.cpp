// A search's state as a file: it comes back, and what is none is refused by name.
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "properties/diagnose/hunt/hunt_state_file.hpp"
#include "reference/problem/input_error.hpp"

namespace deltaproof {
namespace {

Evaluated evaluated(double value, Status status = Status::passed) {
  Evaluated one;
  one.candidate.spec = parse_spec("regime=resets seed=3 T=7 K=8 V=8 rule=kla lengths=3,4");
  one.candidate.entries.push_back(parse_entry_move("copy k 3 0 5"));
  one.result.status = status;
  one.result.reason = status == Status::passed ? "" : "a 'reason' with \xff in it";
  one.result.values[0] = value;
  one.result.values[2] = value / 3;
  return one;
}

HuntState some_state() {
  HuntState state;
  state.identity = {"chunk", "abc", "host", 18446744073709551615u, "kla", "", "bound"};
  for (int i = 0; i < 7; ++i) state.take(evaluated(0.1 * i));
  state.take(evaluated(3.3, Status::failed));
  state.take_typical(evaluated(0.7));
  state.take_typical(evaluated(0.3));
  state.pending.push_back(evaluated(0.9));
  return state;
}

void expect_refusal(const std::string& text, const std::string& part) {
  try {
    state_of_json("DIR/hunt.json", text);
    FAIL() << text.substr(0, 200);
  } catch (const InputError& error) {
    const std::string message = error.what();
    EXPECT_TRUE(message.starts_with("DIR/hunt.json: no state of a search: ")) << message;
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }
}

TEST(HuntState, ComesBackFromItsFile) {
  const std::string text = json_of(some_state());
  const HuntState back = state_of_json("x", text);
  EXPECT_EQ(json_of(back), text);
  EXPECT_EQ(back.evaluations, 8);
  EXPECT_EQ(back.identity, some_state().identity);
  EXPECT_EQ(back.findings.size(), 1);
  EXPECT_EQ(back.settled().evaluations, 9);
  const TypicalValues* typical = back.typical_of(Objective::bound, Dtype::bf16);
  ASSERT_NE(typical, nullptr);
  EXPECT_EQ(typical->largest, 0.7);
  EXPECT_EQ(typical->mean(), 0.5);
  EXPECT_EQ(back.typical_of(Objective::bound, Dtype::f32), nullptr);
}

TEST(HuntState, FindingsOfAKindAreCountedBeyondAFew) {
  HuntState state;
  for (int i = 0; i < 9; ++i) state.take(evaluated(2, Status::failed));
  state.take(evaluated(2, Status::suspect));
  EXPECT_EQ(state.findings.size(), HuntState::kept_findings_per_kind + 1);
  EXPECT_EQ(state.statuses.at("failed"), 9);
}

TEST(HuntState, DamageIsRefused) {
  const std::string text = json_of(some_state());
  for (std::size_t length = 0; length + 2 < text.size(); length += 97) expect_refusal(text.substr(0, length), "");
  expect_refusal("[]", "");
  expect_refusal("{\"schema\": \"deltaproof.report/1\"}", "deltaproof.report/1");
  const auto with = [&](const char* pointer, const nlohmann::json& value) {
    nlohmann::json json = nlohmann::json::parse(text);
    json.at(nlohmann::json::json_pointer(pointer)) = value;
    return json.dump();
  };
  expect_refusal(with("/evaluations", -1), "-1");
  expect_refusal(with("/evaluations", 1e300), "count");
  expect_refusal(with("/findings/0/problem", "T=999999999"), "T=999999999");
  expect_refusal(with("/findings/0/status", "unlucky"), "unlucky");
  expect_refusal(with("/objectives/bound/worst/0/entries/0", "burn v 0 0 0"), "burn v");
  expect_refusal(with("/objectives/bound/worst/0/value", -3), "finite number");
  expect_refusal(with("/pending/0/values", {1, 2}), "objective");
  expect_refusal(with("/findings/0/problem", "regime=nowhere rule=kla T=7"), "regime=nowhere");
  expect_refusal(with("/objectives/bound/worst/0/problem", "regime=resets rule=none T=7"), "rule=none");
  const nlohmann::json pending = nlohmann::json::parse(text)["pending"][0];
  expect_refusal(with("/pending", std::vector<nlohmann::json>(40, pending)), "40 evaluations are pending");
}

class HuntStateFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("deltaproof-hunt-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& text) const { std::ofstream(path(), std::ios::binary) << text; }
  std::filesystem::path path() const { return folder_ / "hunt.json"; }
  std::filesystem::path folder_;
};

TEST_F(HuntStateFile, IsReadIfItIsTheSameSearch) {
  EXPECT_FALSE(read_hunt_state(path(), {}));
  write(json_of(some_state()));
  EXPECT_EQ(read_hunt_state(path(), some_state().identity)->evaluations, 8);
}

TEST_F(HuntStateFile, AnotherSearchIsRefusedWithWhatDiffers) {
  write(json_of(some_state()));
  const auto expect_another = [&](HuntIdentity identity, const std::vector<std::string>& parts) {
    try {
      read_hunt_state(path(), identity);
      FAIL();
    } catch (const InputError& error) {
      for (const std::string& part : parts) EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  HuntIdentity identity = some_state().identity;
  identity.kernel = "recurrent";
  expect_another(identity, {"hunt.json", "kernel chunk", "not kernel recurrent", "choose another folder"});
  identity = some_state().identity;
  identity.seed = 5;
  expect_another(identity, {"seed 18446744073709551615", "seed 5"});
  identity = some_state().identity;
  identity.sources = "def";
  expect_another(identity, {"built from other sources"});
}

TEST_F(HuntStateFile, AFolderInItsPlaceIsRefused) {
  std::filesystem::create_directories(path());
  EXPECT_THROW(read_hunt_state(path(), {}), InputError);
}

}  // namespace
}  // namespace deltaproof
