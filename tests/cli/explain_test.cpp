// `deltaproof explain`: what is refused, the exit status, text and JSON.
#include <nlohmann/json.hpp>

#include "tests/cli/case_text.hpp"
#include "tests/cli/run.hpp"

namespace deltaproof {
namespace {

class Explain : public CliTest {};

TEST_F(Explain, WhatCannotBeReadIsRefused) {
  expect_refusal(run("explain"), {"explain", "no case"});
  expect_refusal(run("explain missing.safetensors"), {"missing.safetensors"});
  expect_refusal(run("explain x --arithmetic nonsense"), {"nonsense"});
  expect_refusal(run("explain x --tensor-core nonsense"), {"nonsense"});
}

TEST_F(Explain, OfARightRunThatNothingIsWrong) {
  const Finished finished = run("explain " + recording("gdn_chunk_bf16_strong_decay").string());
  EXPECT_EQ(finished.status, 0) << finished.out << finished.err;
  EXPECT_TRUE(finished.out.starts_with("nothing is wrong: ")) << finished.out;
  EXPECT_EQ(finished.out.find("shrink"), std::string::npos);
  EXPECT_EQ(finished.err, "");
}

TEST_F(Explain, WithoutOutputsNothingIsProved) {
  CaseText text;
  text.tensors.erase("o");
  write("problem.safetensors", text.bytes());
  const Finished finished = run("explain problem.safetensors");
  EXPECT_EQ(finished.status, 3) << finished.out << finished.err;
  EXPECT_NE(finished.out.find("the case holds no outputs"), std::string::npos) << finished.out;
}

// Outputs that are zero; the kernel's name says otherwise.
TEST_F(Explain, AWrongRunIsAFailureWithAReproductionAndWhatComesNext) {
  CaseText text;
  text.metadata["arithmetic"] = "fp64";
  text.metadata["kernel"] = "right";
  write("a case.safetensors", text.bytes());
  const Finished finished = run("explain 'a case.safetensors'");
  EXPECT_EQ(finished.status, 1) << finished.out << finished.err;
  for (const char* part : {"failed: ", "o is zero in every wrong place", "reproduce: deltaproof check 'a case.safetensors'",
                           "next: deltaproof shrink 'a case.safetensors' --out smaller.safetensors"}) {
    EXPECT_NE(finished.out.find(part), std::string::npos) << part << " is not in\n" << finished.out;
  }
  const Finished json = run("explain 'a case.safetensors' --json");
  EXPECT_EQ(json.status, 1);
  const auto parsed = nlohmann::json::parse(json.out);
  EXPECT_EQ(parsed.at("format"), "deltaproof.explanation/1");
  EXPECT_EQ(parsed.at("verdict").at("status"), "failed");
  EXPECT_EQ(parsed.at("values").at(0).at("kind"), "zeros");
}

}  // namespace
}  // namespace deltaproof
