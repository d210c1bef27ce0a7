// Defects of a cache: each changes bits where it says something, in the outputs that its place is before, and as its
// sentence says.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "kernels/built_in/capabilities.hpp"
#include "properties/defects/catalogue.hpp"
#include "properties/defects/defect_kernel.hpp"
#include "properties/defects/matrix_problems.hpp"

namespace deltaproof {
namespace {

constexpr const char* kernels[] = {"hola", "hola_decode"};

std::vector<const Defect*> of_cache() {
  std::vector<const Defect*> all;
  for (const Defect& defect : defect_catalogue()) {
    if (std::holds_alternative<HolaFault>(defect.edit)) all.push_back(&defect);
  }
  return all;
}

std::vector<Problem> problems(const char* regime, const char* kernel) {
  const std::string arithmetic(find_built_in_kernel(kernel)->arithmetic);
  std::vector<Problem> all;
  for (const ProblemSpec& spec : cache_problem_specs(*find_regime(regime), 1, arithmetic)) {
    all.push_back(problem_of(spec));
  }
  return all;
}

// Names of the outputs that differ from those of the kernel without a defect.
std::set<std::string> changed(const Outputs& right, const Outputs& wrong) {
  std::set<std::string> names;
  for (const auto& [name, tensor] : right.tensors) {
    if (wrong.tensors.at(name).bytes != tensor.bytes) names.insert(name);
  }
  return names;
}

struct Count {
  int tried = 0, changed = 0;
  std::set<std::string> outputs;
};

// Over all problems of the matrix of three families, in both kernels.
const std::map<std::string_view, Count>& counts() {
  static const std::map<std::string_view, Count> all = [] {
    std::map<std::string_view, Count> made;
    for (const char* kernel : kernels) {
      for (const char* regime : {"typical", "equal_scores", "tiny_rows"}) {
        for (const Problem& problem : problems(regime, kernel)) {
          const Outputs right = DefectKernel(nullptr, kernel).run(problem);
          for (const Defect* defect : of_cache()) {
            const DefectKernel wrong(defect, kernel);
            if (!wrong.refusal(problem).empty()) continue;
            const std::set<std::string> names = changed(right, wrong.run(problem));
            Count& count = made[defect->id];
            ++count.tried;
            count.changed += names.empty() ? 0 : 1;
            count.outputs.insert(names.begin(), names.end());
          }
        }
      }
    }
    return made;
  }();
  return all;
}

TEST(CacheDefects, EachChangesBits) {
  for (const Defect* defect : of_cache()) {
    const Count count = counts().contains(defect->id) ? counts().at(defect->id) : Count{};
    EXPECT_GT(count.tried, 0) << defect->id;
    EXPECT_GT(count.changed, 0) << defect->id << ", tried on " << count.tried;
    RecordProperty(std::string(defect->id), std::to_string(count.changed) + " of " + std::to_string(count.tried));
  }
}

// What is exported follows from the fault, as it would in a kernel: the state path is right.
TEST(CacheDefects, ChangeTheOutputsBehindThem) {
  for (const Defect* defect : of_cache()) {
    const std::set<std::string>& outputs = counts().at(defect->id).outputs;
    EXPECT_FALSE(outputs.contains("final_state") || outputs.contains("chunk_states")) << defect->id;
    const bool of_scores = defect->id.starts_with("score_");
    EXPECT_EQ(outputs.contains("scores"), of_scores) << defect->id;
    const bool ranks_alike = defect->id == "score_square";  // but for squares that are equal or overflow
    if (ranks_alike) continue;
    EXPECT_TRUE(outputs.contains("o")) << defect->id;
    EXPECT_EQ(outputs.contains("selected"), defect->stage == Stage::selection) << defect->id;
  }
}

TEST(CacheDefects, SayNothingWithoutACache) {
  for (const char* order : {"chunk", "recurrent"}) {
    const std::string arithmetic(find_built_in_kernel(order)->arithmetic);
    const Problem problem = problem_of(matrix_problem_specs(*find_regime("typical"), 1, arithmetic).front());
    for (const Defect* defect : of_cache()) {
      EXPECT_NE(DefectKernel(defect, order).refusal(problem).find("says nothing here"), std::string::npos);
      EXPECT_TRUE(same_bits(DefectKernel(defect, order).run(problem), DefectKernel(nullptr, order).run(problem)));
    }
  }
}

// One head of rows of a sequence of 39 tokens with places for 4 and blocks of 6.
struct Rows {
  std::vector<std::vector<std::int64_t>> of;

  Rows(const Outputs& outputs, std::int64_t head) {
    const Tensor& selected = *outputs.find("selected");
    for (std::int64_t n = 0; n < selected.shape[1]; ++n) {
      std::vector<std::int64_t>& row = of.emplace_back();
      for (std::int64_t i = 0; i < selected.shape[3]; ++i) {
        const std::int64_t token = selected.integer((n * selected.shape[2] + head) * selected.shape[3] + i);
        if (token >= 0) row.push_back(token);
      }
    }
  }
};

class CacheRows : public testing::Test {
 protected:
  Rows with(const char* id, const char* regime = "typical", std::int64_t head = 1) const {
    const Problem problem = problems(regime, "hola").front();
    const Defect* defect = id == nullptr ? nullptr : find_defect(id);
    return Rows(DefectKernel(defect, "hola").run(problem), head);
  }
  const Rows right = with(nullptr);
};

TEST_F(CacheRows, AreOfTheRightSizes) {
  ASSERT_EQ(right.of.size(), 7);
  EXPECT_TRUE(right.of[0].empty());
  for (std::size_t n = 1; n < 7; ++n) EXPECT_EQ(right.of[n].size(), 4);
}

TEST_F(CacheRows, OfAnotherMoment) {
  const Rows future = with("cache_future"), stale = with("cache_stale"), whole = with("cache_whole_sequence");
  for (std::size_t n = 0; n < 6; ++n) {
    EXPECT_EQ(future.of[n], right.of[n + 1]);
    EXPECT_EQ(stale.of[n + 1], right.of[n]);
    EXPECT_EQ(whole.of[n], whole.of[n + 1]);
  }
  EXPECT_EQ(future.of[6], whole.of[6]);
  const Rows late = with("cache_border_late"), early = with("cache_border_early");
  for (std::size_t n = 1; n < 7; ++n) {
    const auto border = static_cast<std::int64_t>(6 * n);
    EXPECT_LE(std::ranges::max(late.of[n]), border);
    EXPECT_LT(std::ranges::max(early.of[n]), border - 1);
  }
}

TEST_F(CacheRows, OfAnotherOrder) {
  const Rows lowest = with("cache_evict_first"), less = with("cache_w-1");
  for (std::size_t n = 1; n < 7; ++n) {
    const std::vector<std::int64_t> three(right.of[n].begin(), right.of[n].end() - 1);
    EXPECT_EQ(lowest.of[n], three);
    EXPECT_EQ(less.of[n], three);
  }
  EXPECT_EQ(with("cache_first").of[4], (std::vector<std::int64_t>{0, 1, 2, 3}));
  EXPECT_EQ(with("cache_last").of[4], (std::vector<std::int64_t>{23, 22, 21, 20}));
  EXPECT_EQ(with("cache_tie_later").of, right.of) << "without ties the rule says nothing";
  EXPECT_EQ(with("cache_head_0").of, with(nullptr, "typical", 0).of);
  const Rows alone = with("cache_not_merged");
  for (const std::int64_t token : alone.of[3]) EXPECT_TRUE(token >= 12 && token < 18);
}

}  // namespace
}  // namespace deltaproof
