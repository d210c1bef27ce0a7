// Golden vectors: written by one route, verified by the other; each way of being wrong is found.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <cstring>
#include <nlohmann/json.hpp>

#include "reference/problem/case_file.hpp"
#include "reference/problem/input_error.hpp"
#include "tests/properties/golden/folder.hpp"

namespace deltaproof::golden {
namespace {

const std::string delta = std::string(drawn_folder) + "/delta.safetensors";
const std::string hola = std::string(drawn_folder) + "/hola.safetensors";

class Golden : public GoldenFolder {
 protected:
  void SetUp() override {
    GoldenFolder::SetUp();
    write(folder_, small_vectors, {.threads = 2});
  }
  void expect_wrong(const std::string& path, const std::function<void(Safetensors&)>& edit, const std::string& part) {
    change(path, edit);
    const std::string found = wrong();
    EXPECT_NE(found.find(part), std::string::npos) << "no '" << part << "' in: " << found;
  }
  void expect_difference(const std::string& part) const {
    const auto all = differences();
    ASSERT_EQ(all.size(), 1);
    EXPECT_NE(all[0].find(part), std::string::npos) << all[0];
  }
};

/// The next number of the tensor's type.
void bump(Tensor& tensor, std::size_t at) {
  const std::size_t width = dtype_size(tensor.dtype);
  std::uint64_t bits = 0;
  std::memcpy(&bits, tensor.bytes.data() + at * width, width);
  ++bits;
  std::memcpy(tensor.bytes.data() + at * width, &bits, width);
}

template <class Change>
void set_double(Tensor& tensor, std::size_t at, Change&& change) {
  double x = 0;
  std::memcpy(&x, tensor.bytes.data() + 8 * at, 8);
  x = change(x);
  std::memcpy(tensor.bytes.data() + 8 * at, &x, 8);
}

TEST_F(Golden, AWrittenFolderVerifies) {
  EXPECT_EQ(wrong(), "");
  EXPECT_EQ(vector_files(folder_).size(), 3);
}

TEST_F(Golden, AVectorIsACaseFileWithARun) {
  const CaseFile file = read_case(folder_ / hola);
  ASSERT_TRUE(file.outputs);
  for (const char* name : {"o", "final_state", "chunk_states", "scores", "selected"}) {
    EXPECT_NE(file.outputs->find(name), nullptr) << name;
  }
  EXPECT_EQ(file.outputs->find("o")->dtype, Dtype::bf16);
  EXPECT_EQ(file.problem.options().arithmetic, "fp64");
  EXPECT_TRUE(file.problem.unused().empty());
  EXPECT_TRUE(file.problem.unknown_metadata().empty());
}

TEST_F(Golden, TheSameBytesWhateverTheThreads) {
  const std::filesystem::path other = fresh();
  write(other, small_vectors, {.threads = 1});
  for (const std::string& path : data_files(folder_)) EXPECT_EQ(read(folder_ / path), read(other / path)) << path;
  EXPECT_EQ(read(folder_ / "manifest.json"), read(other / "manifest.json"));
  std::filesystem::remove_all(other);
}

TEST_F(Golden, WritingAgainChangesNothing) {
  const std::string before = read(folder_ / delta), manifest = read(folder_ / "manifest.json");
  write(folder_, small_vectors, {.threads = 3});
  EXPECT_EQ(read(folder_ / delta), before);
  EXPECT_EQ(read(folder_ / "manifest.json"), manifest);
}

TEST_F(Golden, ARunThatIsStoppedListsWhatItWrote) {
  const std::filesystem::path other = fresh();
  int asked = 0;
  const Written written = write(other, small_vectors, {.threads = 1, .progress = {}, .stop = [&] { return ++asked > 1; }});
  EXPECT_EQ(written.vectors, std::vector<std::string>{delta});
  const Verified verified = verify(other, {.threads = 1});
  EXPECT_TRUE(verified.right());
  EXPECT_EQ(verified.vectors.size(), 1);
  EXPECT_EQ(data_files(other), std::vector<std::string>{delta}) << "no half-written file";
  std::filesystem::remove_all(other);
}

TEST_F(Golden, OneUlpOfTheDoubleIsFound) {
  expect_wrong(delta, [](Safetensors& file) { bump(file.tensors["o.f64"], 4); }, "o.f64[0, 1, 0, 1] is ");
}

TEST_F(Golden, OneUlpOfTheStoredTypeIsFound) {
  expect_wrong(delta, [](Safetensors& file) { bump(file.tensors["o"], 4); }, "o[0, 1, 0, 1] is ");
}

TEST_F(Golden, OneUlpOfAStateAndOfAScoreIsFound) {
  expect_wrong(hola, [](Safetensors& file) { bump(file.tensors["final_state.f64"], 0); }, "final_state.f64[0, 0, 0, 0]");
  write(folder_, small_vectors, {.threads = 1});
  expect_wrong(hola, [](Safetensors& file) { bump(file.tensors["scores"], 7); }, "scores[0, 7, 0]");
}

TEST_F(Golden, ARadiusThatIsTooSmallOrTooLargeIsFound) {
  expect_wrong(
      delta, [](Safetensors& file) { set_double(file.tensors["o.radius"], 2, [](double r) { return r / 2; }); },
      "o.radius[0, 0, 0, 2]");
  expect_wrong(
      delta, [](Safetensors& file) { set_double(file.tensors["o.radius"], 2, [](double r) { return r * 4; }); },
      "o.radius[0, 0, 0, 2]");
}

TEST_F(Golden, ANaNIsFound) {
  const auto nan = [](double) { return std::numeric_limits<double>::quiet_NaN(); };
  expect_wrong(delta, [&](Safetensors& file) { set_double(file.tensors["o.f64"], 0, nan); }, "o.f64[0, 0, 0, 0] is nan");
}

TEST_F(Golden, AnotherSelectedTokenIsFound) {
  expect_wrong(hola, [](Safetensors& file) { bump(file.tensors["selected"], 4); }, "selected[0, 2, 0, 0] is ");
}

TEST_F(Golden, AChangedProblemIsFoundByItsSpec) {
  expect_wrong(delta, [](Safetensors& file) { bump(file.tensors["v"], 1); }, "not the problem that its spec draws: v[0, 0, 0, 1]");
  write(folder_, small_vectors, {.threads = 1});
  expect_wrong(delta, [](Safetensors& file) { file.metadata["scale"] = "0.25"; }, "metadata 'scale' is '0.25'");
  write(folder_, small_vectors, {.threads = 1});
  expect_wrong(delta, [](Safetensors& file) { file.metadata["eps"] = "1"; }, "metadata 'eps' should not be there");
  write(folder_, small_vectors, {.threads = 1});
  expect_wrong(delta, [](Safetensors& file) { file.metadata["spec"] = "no text"; }, "'no' is not of the form name=value");
}

TEST_F(Golden, ATensorTooManyTooFewOrOfAnotherKindIsFound) {
  expect_wrong(delta, [](Safetensors& file) { file.tensors.erase("o.radius"); }, "there is no tensor 'o.radius'");
  write(folder_, small_vectors, {.threads = 1});
  expect_wrong(delta, [](Safetensors& file) { file.tensors["more"] = file.tensors["v"]; }, "'more'");
  write(folder_, small_vectors, {.threads = 1});
  expect_wrong(delta, [](Safetensors& file) { file.tensors["o"] = file.tensors["o.f64"]; }, "tensor 'o' is F64");
}

TEST_F(Golden, ProvenanceThatIsNotOursIsFound) {
  expect_wrong(delta, [](Safetensors& file) { file.metadata["route"] = "guessed"; }, "metadata 'route' is 'guessed'");
  write(folder_, small_vectors, {.threads = 1});
  expect_wrong(delta, [](Safetensors& file) { file.metadata["precision_bits"] = "many"; }, "should be a whole number");
  write(folder_, small_vectors, {.threads = 1});
  expect_wrong(delta, [](Safetensors& file) { file.metadata["vector"] = "deltaproof.vector/9"; }, "deltaproof.vector/9");
}

TEST_F(Golden, AWrongHashIsFound) {
  std::string manifest = read(folder_ / "manifest.json");
  const std::size_t at = manifest.find("\"sha256\": \"") + 11;
  manifest[at] = manifest[at] == '0' ? '1' : '0';
  put("manifest.json", manifest);
  expect_difference("the manifest says");
  EXPECT_FALSE(verify(folder_, {.threads = 1}).right());
}

TEST_F(Golden, AMissingFileIsFound) {
  std::filesystem::remove(folder_ / delta);
  expect_difference("delta.safetensors: listed in the manifest, but there is no such file");
}

TEST_F(Golden, AFileTooManyIsFound) {
  put("recorded/more.safetensors", "x");
  expect_difference("recorded/more.safetensors: not listed in the manifest");
}

TEST_F(Golden, AFileListedTwiceIsFound) {
  Manifest manifest = read_manifest(folder_);
  manifest.push_back(manifest[0]);
  write_manifest(folder_, manifest);
  expect_difference("listed twice");
}

TEST_F(Golden, ATruncatedFileIsFoundTwice) {
  const std::string bytes = read(folder_ / delta);
  put(delta, bytes.substr(0, bytes.size() - 1));
  const Verified verified = verify(folder_, {.threads = 1});
  ASSERT_EQ(verified.differences.size(), 1);
  EXPECT_NE(verified.differences[0].find(" bytes, the manifest says "), std::string::npos);
  EXPECT_NE(verified.vectors[0].verification.wrong, "") << "it cannot be read";
  EXPECT_EQ(verified.vectors[1].verification.wrong, "");
}

void expect_refusal(const std::function<void()>& what, const std::string& part) {
  try {
    what();
    ADD_FAILURE() << "not refused: " << part;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST_F(Golden, AManifestThatIsNoneOrOfAnotherVersionIsRefused) {
  const auto refused = [&](const std::string& text, const std::string& part) {
    put("manifest.json", text);
    expect_refusal([&] { verify(folder_, {}); }, part);
    expect_refusal([&] { write(folder_, small_vectors, {}); }, part);
    EXPECT_EQ(read(folder_ / "manifest.json"), text) << "nothing was written over it";
  };
  refused(R"({"format": "deltaproof.golden/2", "files": []})", "its format is 'deltaproof.golden/2'");
  refused("{", "not a manifest");
  refused("[]", "not a manifest");
  refused(R"({"format": "deltaproof.golden/1", "files": [{"path": 3}]})", "an entry lacks");
  std::filesystem::remove(folder_ / "manifest.json");
  expect_refusal([&] { verify(folder_, {}); }, "manifest.json");
  expect_refusal([&] { verify(folder_ / "nowhere", {}); }, "not a folder");
}

TEST_F(Golden, AManifestThatCannotBeWrittenLeavesNothing) {
  const std::filesystem::path folder = folder_ / "other";
  std::filesystem::create_directories(folder / "manifest.json/in_the_way");
  expect_refusal([&] { write_manifest(folder, {}); }, "manifest.json: cannot write");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
}

// Other data's entries, whatever they hold, and a manifest as the script writes it.
TEST_F(Golden, WritingLeavesOtherEntriesAsTheyAre) {
  auto json = nlohmann::ordered_json::parse(read(folder_ / "manifest.json"));
  const nlohmann::ordered_json other{{"path", "recorded/a"}, {"what", "é"}, {"bytes", 1}, {"sha256", "0"}};
  json["files"].insert(json["files"].begin(), other);
  put("manifest.json", json.dump(1) + "\n");
  const std::string before = read(folder_ / "manifest.json");
  write(folder_, small_vectors, {.threads = 1});
  EXPECT_EQ(read(folder_ / "manifest.json"), before);
}

class Found : public GoldenFolder {
 protected:
  void SetUp() override {
    GoldenFolder::SetUp();
    put("manifest.json", R"({"format": "deltaproof.golden/1", "files": []})");
  }
  std::string path(const std::string& name) const { return std::string(found_folder) + "/" + name + ".safetensors"; }
  void put_problem(const std::string& name, const Metadata& metadata, const TensorMap& inputs) const {
    std::filesystem::create_directories(folder_ / found_folder);
    write_case(folder_ / path(name), metadata, inputs);
  }
};

const Metadata linear{{"rule", "linear"}, {"scale", "1"}, {"arithmetic", "deltaproof-chunk"}, {"note", "Found by hand."}};

// One token, o = (q . k) v.
TensorMap product(const std::vector<double>& q, const std::vector<double>& k, double v) {
  const auto width = static_cast<std::int64_t>(q.size());
  return {{"q", Tensor::from(Dtype::bf16, {1, 1, 1, width}, q)},
          {"k", Tensor::from(Dtype::bf16, {1, 1, 1, width}, k)},
          {"v", Tensor::from(Dtype::bf16, {1, 1, 1, 1}, {v})}};
}

TEST_F(Found, AProblemWithoutAnAnswerIsWrongUntilItIsWritten) {
  put_problem("a", linear, product({1, 2}, {3, 0.5}, 7));
  const Verified before = verify(folder_, {.threads = 1});
  ASSERT_EQ(before.vectors.size(), 1);
  EXPECT_NE(before.vectors[0].verification.wrong.find("`deltaproof golden write` adds answers"), std::string::npos);
  write(folder_, {}, {.threads = 1});
  EXPECT_EQ(wrong(), "");
  const Safetensors file = read_safetensors(folder_ / path("a"));
  EXPECT_EQ(file.tensors.at("o").value(0), 28);
  EXPECT_EQ(file.metadata.at("note"), "Found by hand.");
  EXPECT_EQ(file.metadata.at("arithmetic"), "fp64");
  EXPECT_EQ(file.metadata.at("scale"), "1");
  const std::string bytes = read(folder_ / path("a"));
  write(folder_, {}, {.threads = 1});
  EXPECT_EQ(read(folder_ / path("a")), bytes) << "its own bits are the problem";
}

TEST_F(Found, OneThatIsRefusedDoesNotKeepTheOthersBack) {
  put_problem("a", {{"rule", "linear"}}, product({1}, {1}, 1));
  put_problem("b", linear, product({1, 2}, {3, 0.5}, 7));
  expect_refusal([&] { write(folder_, {}, {.threads = 1}); }, "a.safetensors");
  const Manifest manifest = read_manifest(folder_);
  ASSERT_EQ(manifest.size(), 1);
  EXPECT_EQ(manifest[0].path, path("b"));
}

TEST_F(Found, OneThatIsNoProblemIsRefusedByName) {
  Metadata silent = linear;
  silent.erase("note");
  put_problem("a", silent, product({1, 2}, {3, 0.5}, 7));
  expect_refusal([&] { write(folder_, {}, {.threads = 1}); }, "a.safetensors: metadata has no 'note'");
  put_problem("a", linear, {});
  expect_refusal([&] { write(folder_, {}, {.threads = 1}); }, "a.safetensors");
}

// The exact 1 + 2^-8 + 2^-80 is 1 + 2^-7 in bf16, and 1 by way of double.
TEST_F(Found, AnOutputRoundedTwiceIsFound) {
  put_problem("a", linear, product({1, 0x1p-4, 0x1p-40}, {1, 0x1p-4, 0x1p-40}, 1));
  write(folder_, {}, {.threads = 1});
  const Safetensors file = read_safetensors(folder_ / path("a"));
  EXPECT_EQ(file.tensors.at("o.f64").value(0), 1 + 0x1p-8);
  EXPECT_EQ(file.tensors.at("o").value(0), 1 + 0x1p-7);
  change(path("a"), [](Safetensors& f) { f.tensors["o"] = Tensor::from(Dtype::bf16, {1, 1, 1, 1}, f.tensors["o.f64"].values()); });
  EXPECT_NE(wrong().find("o[0, 0, 0, 0] is 1 (0x1p+0), should be 1.0078125"), std::string::npos) << wrong();
}

TEST_F(Found, AnExactTieIsProved) {
  put_problem("a", linear, product({1, 0x1p-4}, {1, 0x1p-4}, 1));
  write(folder_, {}, {.threads = 1});
  const Safetensors file = read_safetensors(folder_ / path("a"));
  EXPECT_EQ(file.tensors.at("o").value(0), 1);
  EXPECT_EQ(wrong(), "");
}

// q . k = 0: a product with 0 in the chunk form, a difference of equal terms token by token.
TEST_F(Found, AZeroThatOneRouteAloneTellsIsWritten) {
  const Metadata decayed{{"rule", "scalar_decay"}, {"note", "Found by hand."}};
  put_problem("a", decayed,
              {{"q", Tensor::from(Dtype::bf16, {1, 2, 1, 2}, {1, 1, 1, -1})},
               {"k", Tensor::from(Dtype::bf16, {1, 2, 1, 2}, {1, 1, 0, 0})},
               {"v", Tensor::from(Dtype::bf16, {1, 2, 1, 1}, {1, 1})},
               {"g", Tensor::from(Dtype::f32, {1, 2, 1}, {-0.5, -0.5})}});
  const Question question = read_question("a", read_safetensors(folder_ / path("a")));
  const Problem problem = Problem::make("a", question.metadata, question.inputs);
  EXPECT_EQ(answers(problem, Route::first).alone, 1);
  EXPECT_EQ(answers(problem, Route::second).alone, 0);
  write(folder_, {}, {.threads = 1});
  EXPECT_EQ(read_safetensors(folder_ / path("a")).tensors.at("o").value(1), 0);
  EXPECT_EQ(wrong(), "");
}

// scale q . k is 10^360: neither route can shift it by a double, and neither takes that for an output of 0.
TEST_F(Found, LogitsBeyondDoubleAreRefusedByBothRoutes) {
  const TensorMap inputs{{"q", Tensor::from(Dtype::bf16, {1, 1, 1, 1}, {0x1p100})},
                         {"k", Tensor::from(Dtype::bf16, {1, 1, 1, 1}, {0x1p100})},
                         {"v", Tensor::from(Dtype::bf16, {1, 1, 1, 1}, {3})}};
  const Metadata metadata{{"format", "deltaproof.case/1"}, {"rule", "softmax"}, {"scale", "1e300"}};
  const Problem problem = Problem::make("a", metadata, inputs);
  for (const Route route : {Route::first, Route::second}) {
    expect_refusal([&] { answers(problem, route); }, "do not tell how o rounds");
  }
}

// The mean of 1 and 1 + 2^-7 by weights that are equal, but not known to be.
TEST_F(Found, ATieThatNoPrecisionDecidesIsRefused) {
  const std::vector<double> rows{0.3, 0.7, 0.3, 0.7};
  put_problem("a", {{"rule", "softmax"}, {"note", "Found by hand."}, {"scale", "0.1"}},
              {{"q", Tensor::from(Dtype::bf16, {1, 2, 1, 2}, rows)},
               {"k", Tensor::from(Dtype::bf16, {1, 2, 1, 2}, rows)},
               {"v", Tensor::from(Dtype::bf16, {1, 2, 1, 1}, {1, 1 + 0x1p-7})}});
  expect_refusal([&] { write(folder_, {}, {.threads = 1}); }, "do not tell how o rounds");
}

}  // namespace
}  // namespace deltaproof::golden
