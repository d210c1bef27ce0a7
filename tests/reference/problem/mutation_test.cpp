// Damaged case files: reading one ends in a case or in an InputError of one line, in nothing else.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "reference/problem/head.hpp"
#include "reference/problem/input_error.hpp"
#include "tests/reference/problem/support.hpp"

namespace deltaproof {
namespace {

/// A recorded run with everything that a file can have.
std::string whole_file(const testing::TempFolder& folder) {
  testing::Case c = testing::small_case("gated_delta");
  c.tensors["cu_seqlens"] = testing::integers({0, 2, 2, 5});
  c.tensors["state_indices"] = testing::integers({3, -1, 0}, Dtype::i64);
  c.tensors["initial_state"] = testing::filled("initial_state", {4, 4, 3, 5});
  c.tensors["final_state"] = testing::filled("final_state", {4, 4, 3, 5});
  c.tensors["o"] = testing::filled("o", {1, 6, 4, 5}, Dtype::bf16);
  c.metadata["scale"] = "0.5";
  c.metadata["arithmetic"] = "fp64";
  c.metadata["chunk_size"] = "16";
  c.write(folder / "whole");
  return testing::read_bytes(folder / "whole");
}

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}
  std::string operator()(std::string bytes) {
    const std::size_t header = 1000;  // about its end: half of the edits go where they hurt
    for (std::size_t edits = 1 + below(4); edits-- > 0;) {
      const std::size_t at = below(below(2) == 0 ? std::min(header, bytes.size()) : bytes.size());
      switch (below(6)) {
        case 0:
          bytes[at] = static_cast<char>(below(256));
          break;
        case 1:
          bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
          break;
        case 2:
          bytes[at] = "0123456789-.eE[]{}\",:"[below(21)];
          break;
        case 3:
          bytes.resize(std::max(at, header / 2));
          break;
        case 4:
          bytes.insert(at, 1 + below(9), static_cast<char>(below(256)));
          break;
        case 5:
          bytes.erase(at, 1 + below(9));
          break;
      }
    }
    return bytes;
  }

 private:
  std::size_t below(std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_);
  }
  std::mt19937 random_;
};

/// True if the file was read; then everything in it can be touched.
bool survives(const std::filesystem::path& path) {
  try {
    const CaseFile file = read_case(path);
    const Problem& problem = file.problem;
    for (const Sequence& sequence : problem.sequences())
      for (std::int64_t head = 0; head < problem.dims().HV; ++head)
        EXPECT_EQ(head_inputs(problem, sequence, head).q.rows(), sequence.length);
    return true;
  } catch (const InputError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find(path.string()), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    EXPECT_LT(message.size(), 1000u) << message;
    return false;
  }
}

TEST(Mutation, DamagedFilesAreReadOrRefused) {
  const testing::TempFolder folder;
  const std::string whole = whole_file(folder);
  ASSERT_TRUE(survives(folder / "whole"));
  int read = 0, refused = 0;
  for (unsigned seed = 0; seed < 20000; ++seed) {
    SCOPED_TRACE(seed);
    testing::write_bytes(folder / "damaged", Mutator(seed)(whole));
    ++(survives(folder / "damaged") ? read : refused);
    if (HasFailure()) break;
  }
  // Both ways were walked.
  EXPECT_GT(read, 1000);
  EXPECT_GT(refused, 1000);
}

TEST(Mutation, EveryTruncationIsRefused) {
  const testing::TempFolder folder;
  const std::string whole = whole_file(folder);
  for (std::size_t length = 0; length < whole.size(); length += 7) {
    testing::write_bytes(folder / "damaged", whole.substr(0, length));
    EXPECT_FALSE(survives(folder / "damaged")) << length;
  }
}

}  // namespace
}  // namespace deltaproof
