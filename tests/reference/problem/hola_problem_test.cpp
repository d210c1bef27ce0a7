// Tensors, options and refusals of rule `hola`.
#include <gtest/gtest.h>

#include "reference/problem/head.hpp"
#include "tests/reference/problem/support.hpp"

namespace deltaproof {
namespace {

using testing::Case;
using testing::expect_refused;
using testing::filled;
using testing::integers;
using testing::set;
using testing::small_case;

void refuses(const Case& c, std::vector<std::string> parts) {
  parts.emplace_back("small.safetensors");
  expect_refused([&] { c.make(); }, parts);
}

Case with(const std::string& key, const std::string& value) {
  Case c = small_case("hola");
  c.metadata[key] = value;
  return c;
}

HolaOptions options_with(const std::string& key, const std::string& value) {
  return with(key, value).make().options().hola;
}

TEST(HolaProblem, HasTheDefaultsOfThePaper) {
  const Problem problem = small_case("hola").make();
  const HolaOptions& hola = problem.options().hola;
  EXPECT_EQ(hola.cache_size, 64);
  EXPECT_EQ(hola.cache_block, 256);
  EXPECT_EQ(hola.score, CacheScore::beta_e);
  EXPECT_EQ(hola.read, CacheRead::rmsnorm);
  EXPECT_EQ(hola.tau, 1);
  EXPECT_EQ(hola.read_eps, 1e-6);
  EXPECT_EQ(hola.state_rule, Rule::gated_delta);
  EXPECT_EQ(problem.dims().cache, 64);
  EXPECT_EQ(small_case("gated_delta").make().dims().cache, 0);
}

TEST(HolaProblem, OptionsAreRead) {
  for (const auto& [name, score] : {std::pair{"beta_e", CacheScore::beta_e}, {"write_norm", CacheScore::write_norm},
                                    {"e", CacheScore::e}, {"beta_v", CacheScore::beta_v},
                                    {"recency", CacheScore::recency}, {"attention", CacheScore::attention}})
    EXPECT_EQ(options_with("score", name).score, score);
  EXPECT_EQ(options_with("cache_size", "0").cache_size, 0);
  EXPECT_EQ(options_with("cache_size", "1048576").cache_size, 1 << 20);
  EXPECT_EQ(options_with("cache_block", "1").cache_block, 1);
  EXPECT_EQ(options_with("tau", "-2.5").tau, -2.5);
  EXPECT_EQ(options_with("read_eps", "0").read_eps, 0);
}

TEST(HolaProblem, OptionsOutOfRangeAreRefused) {
  refuses(with("score", "alpha"), {"score", "alpha", "beta_e, write_norm, e, beta_v, recency, attention"});
  refuses(with("read", "rms"), {"read", "rms", "rmsnorm, l2"});
  refuses(with("cache_size", "-1"), {"cache_size", "-1"});
  refuses(with("cache_size", "1048577"), {"cache_size", "1048577"});
  refuses(with("cache_block", "0"), {"cache_block", "0"});
  refuses(with("tau", "inf"), {"tau", "inf"});
  refuses(with("read_eps", "-1"), {"read_eps", "-1"});
  refuses(with("state_rule", "delta"), {"state_rule", "delta", "gated_delta, kla"});
}

TEST(HolaProblem, TheFlatReadHasNoGammas) {
  Case c = with("read", "l2");
  EXPECT_EQ(c.make().unused(), (std::vector<std::string>{"gamma_k", "gamma_q"}));
  c.tensors.erase("gamma_q");
  c.tensors.erase("gamma_k");
  EXPECT_TRUE(c.make().unused().empty());
  const Problem problem = c.make();
  EXPECT_EQ(head_inputs(problem, problem.sequences()[0], 0).gamma_q.size(), 0);
}

TEST(HolaProblem, TheStateRuleSaysWhichGateThereIs) {
  Case c = with("state_rule", "kla");
  refuses(c, {"'eta'", "missing"});
  c.tensors["eta"] = filled("eta", {1, 6, 4});
  c.tensors.erase("beta");
  const Problem problem = c.make();
  EXPECT_EQ(head_inputs(problem, problem.sequences()[0], 2).write.rows(), 6);
  c.tensors.erase("g");
  EXPECT_NO_THROW(c.make()) << "kla goes without decay";
  Case gated = small_case("hola");
  gated.tensors.erase("g");
  refuses(gated, {"'g'", "missing"});
}

// Sizes that differ, so that a value of another head or channel shows.
TEST(HolaProblem, AHeadHasItsOwnParameters) {
  const Case c = small_case("hola");
  const Problem problem = c.make();
  const HeadInputs head = head_inputs(problem, problem.sequences()[0], 3);
  EXPECT_EQ(head.sink, c.tensors.at("sink").value(3));
  EXPECT_EQ(head.cache_gate, c.tensors.at("cache_gate").value(3));
  for (Index i = 0; i < 3; ++i) {
    EXPECT_EQ(head.gamma_q(0, i), c.tensors.at("gamma_q").value(3 * 3 + i));
    EXPECT_EQ(head.gamma_k(0, i), c.tensors.at("gamma_k").value(3 * 3 + i));
  }
  const HeadInputs part = head.slice(2, 3, head.initial_state);
  EXPECT_EQ(part.gamma_q, head.gamma_q);
  EXPECT_EQ(part.sink, head.sink);
  const HeadInputs state = head.state_part();
  EXPECT_EQ(state.options.rule, Rule::gated_delta);
  EXPECT_FALSE(state.sink.has_value());
  EXPECT_EQ(state.write, head.write);
}

TEST(HolaProblem, TheStatesPartIsAProblemOfItsOwn) {
  Case c = with("scale", "0.25");
  c.tensors["initial_state"] = filled("s", {1, 4, 3, 5});
  const Problem part = c.make().state_part();
  EXPECT_EQ(part.options().rule, Rule::gated_delta);
  EXPECT_EQ(part.options().scale, 0.25);
  EXPECT_EQ(part.dims().cache, 0);
  EXPECT_EQ(part.find("sink"), nullptr);
  EXPECT_EQ(part.find("initial_state")->bytes, c.tensors["initial_state"].bytes);
  EXPECT_EQ(small_case("hola").make().state_part().options().scale, small_case("gated_delta").make().options().scale);
}

TEST(HolaProblem, ARowThatCannotBeReadWithIsRefused) {
  for (const char* name : {"q", "k"}) {
    Case c = with("read_eps", "0");
    for (std::int64_t i = 0; i < 3; ++i) set(c.tensors[name], 2 * 6 + 3 + i, 0);  // token 2, head 1
    refuses(c, {std::string("'") + name + "'", "read_eps is 0"});
    c.metadata["read_eps"] = "1e-6";
    EXPECT_NO_THROW(c.make());
    c.metadata["read"] = "l2";
    EXPECT_NO_THROW(c.make());
    c.metadata["qk_l2norm_eps"] = "0";
    refuses(c, {std::string("'") + name + "'", "qk_l2norm_eps is 0"});
  }
}

class HolaFiles : public ::testing::Test {
 protected:
  CaseFile read(const Case& c) {
    c.write(folder_ / "run.safetensors");
    return read_case((folder_ / "run.safetensors").string());
  }
  testing::TempFolder folder_;
};

// Blocks of 4: ceil(6 / 4) = 2 of them; w = 3.
Case recorded_run() {
  Case c = small_case("hola");
  c.metadata.insert({{"cache_block", "4"}, {"cache_size", "3"}});
  c.tensors["o"] = filled("o", {1, 6, 4, 5});
  c.tensors["scores"] = filled("beta", {1, 6, 4});
  c.tensors["selected"] = Tensor::from(Dtype::i32, {1, 2, 4, 3}, std::vector<double>(24, -1));
  return c;
}

TEST_F(HolaFiles, ARecordedRunHasScoresAndSets) {
  const CaseFile file = read(recorded_run());
  ASSERT_TRUE(file.outputs.has_value());
  EXPECT_EQ(file.outputs->find("scores")->size(), 24);
  EXPECT_EQ(file.outputs->find("selected")->integer(0), -1);
  EXPECT_TRUE(file.problem.unused().empty());
}

TEST_F(HolaFiles, SetsOfAnotherShapeOrDtypeAreRefused) {
  const auto wrong = [&](const char* name, const Tensor& tensor, std::vector<std::string> parts) {
    Case c = recorded_run();
    c.tensors[name] = tensor;
    parts.insert(parts.end(), {std::string("'") + name + "'", "run.safetensors"});
    expect_refused([&] { read(c); }, parts);
  };
  for (const std::vector<std::int64_t>& shape :
       {std::vector<std::int64_t>{1, 3, 4, 3}, {1, 2, 5, 3}, {1, 2, 4, 4}, {2, 2, 4, 3}, {1, 2, 4}}) {
    std::int64_t size = 1;
    for (const std::int64_t n : shape) size *= n;
    wrong("selected", Tensor::from(Dtype::i64, shape, std::vector<double>(static_cast<std::size_t>(size), -1)),
          {shape_string(shape)});
  }
  wrong("selected", filled("o", {1, 2, 4, 3}), {"F32"});
  wrong("scores", filled("o", {1, 6, 5}), {"[1, 6, 5]", "[1, 6, 4]"});
}

// Blocks restart with each sequence: lengths 5, 0 and 1 in blocks of 4 are 2 + 0 + 1.
TEST_F(HolaFiles, BlocksRestartWithEachSequence) {
  Case c = recorded_run();
  c.tensors["cu_seqlens"] = integers({0, 5, 5, 6});
  c.tensors["selected"] = Tensor::from(Dtype::i32, {1, 3, 4, 3}, std::vector<double>(36, -1));
  const CaseFile file = read(c);
  const std::int64_t first_block[] = {0, 2, 2};
  for (std::size_t n = 0; n < 3; ++n) EXPECT_EQ(file.problem.sequences()[n].first_block, first_block[n]);
  c.tensors["selected"] = Tensor::from(Dtype::i32, {1, 2, 4, 3}, std::vector<double>(24, -1));
  expect_refused([&] { read(c); }, {"'selected'", "[1, 2, 4, 3]", "[1, 3, 4, 3]", "cache_block", "cache_size"});
}

}  // namespace
}  // namespace deltaproof
