// The statistics of structured error by themselves: how often they alarm where the model holds, and what they find.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "noise_draws.hpp"

namespace deltaproof {
namespace {

// One source that moves each output by itself, within half a unit: the deviation is 1 / sqrt(12) everywhere.
Noise plain_noise(Index rows, Index columns) {
  Noise noise;
  noise.worst = Matrix::Zero(rows, columns);
  noise.random.push_back({"plain", {}, {}, Matrix::Constant(rows, columns, 1.0 / 12), noise.worst});
  return noise;
}
const double deviation = std::sqrt(1.0 / 12);

// Two heads of two chunks of 16 tokens, 16 columns.
std::vector<ModelledChunk> plain_chunks() {
  std::vector<ModelledChunk> chunks;
  NoiseDraws draws(5);
  for (std::int64_t i = 0; i < 4; ++i) {
    const Matrix x = Matrix::Constant(16, 16, 0).unaryExpr([&](double) { return draws.uniform(-40, 40); });
    chunks.push_back({i / 2, i % 2, x, plain_noise(16, 16)});
  }
  return chunks;
}

// Errors of one standard deviation in scattered signs; `energetic` says where they are sqrt(3) as large.
template <class Where>
std::vector<Structure> with_energy(const std::vector<ModelledChunk>& chunks, const Where& energetic) {
  NoiseDraws draws(11);
  std::vector<Matrix> errors;
  for (const ModelledChunk& at : chunks) {
    Matrix e(at.expected.rows(), at.expected.cols());
    for (Index i = 0; i < e.rows(); ++i) {
      for (Index j = 0; j < e.cols(); ++j) {
        e(i, j) = draws.choose_sign() * deviation * (energetic(at, i, j) ? std::sqrt(3.0) : 1);
      }
    }
    errors.push_back(e);
  }
  return structures(groups_of(chunks, errors), 1, 0.05);
}

// Half of the alarms are for slopes, half of those for the slopes of whole tensors, here one: t deviations with
// 2 exp(-t^2 / 2) = alarm / 4 (docs/advisory.md, 3).
double slope_limit_of_all(const std::vector<ModelledChunk>& chunks, double alarm) {
  double square = 0;  // sum w x^2, which is the variance of sum w x e as well
  for (const ModelledChunk& at : chunks) square += at.expected.squaredNorm() / (deviation * deviation);
  return std::sqrt(2 * std::log(8 / alarm)) / std::sqrt(square);
}

class OfTheModel : public testing::TestWithParam<double> {};

// At most the promised share of draws alarms. Four deviations of a binomial count: one test in 30,000 by chance.
TEST_P(OfTheModel, AlarmsNoMoreOftenThanPromised) {
  constexpr int draws = 1000;
  const std::vector<ModelledChunk> chunks = modelled_chunks(2, 2);
  double correlation = 1;
  for (const ModelledChunk& at : chunks) correlation = std::max(correlation, correlation_norm(at.noise));
  NoiseDraws random(1);
  int alarms = 0;
  for (int draw = 0; draw < draws; ++draw) {
    const std::vector<int> known = random.choose_known(chunks[0].noise);
    const double worst = random.choose_sign();
    std::vector<Matrix> errors;
    for (const ModelledChunk& at : chunks) errors.push_back(random.errors(at, known, worst));
    if (!structures(groups_of(chunks, errors), correlation, GetParam()).empty()) ++alarms;
  }
  EXPECT_LE(alarms, draws * GetParam() + 4 * std::sqrt(draws * GetParam() * (1 - GetParam())));
}

// The same draws with twice the errors: a mean square of 4 is far above every limit.
TEST_P(OfTheModel, AlarmsWhereErrorsAreTwiceAsLarge) {
  const std::vector<ModelledChunk> chunks = modelled_chunks(2, 2);
  NoiseDraws random(1);
  for (int draw = 0; draw < 50; ++draw) {
    std::vector<Matrix> errors;
    for (const ModelledChunk& at : chunks) {
      const std::vector<int> none(at.noise.known.size(), -1);
      errors.push_back(at.noise.high() + at.noise.worst + 2 * random.errors(at, none, 0).cwiseAbs());
    }
    EXPECT_FALSE(structures(groups_of(chunks, errors), 1, GetParam()).empty());
  }
}

INSTANTIATE_TEST_SUITE_P(Structures, OfTheModel, testing::Values(0.05, 0.01),
                         [](const auto& each) { return each.param == 0.05 ? "Alarm5Percent" : "Alarm1Percent"; });

TEST(Slope, IsFoundAtThreeTimesItsLimitAndNotAtHalf) {
  const std::vector<ModelledChunk> chunks = plain_chunks();
  const double limit = slope_limit_of_all(chunks, 0.05);
  const auto with_slope = [&](double slope) {
    std::vector<Matrix> errors;
    for (const ModelledChunk& at : chunks) errors.push_back(slope * at.expected);
    return structures(groups_of(chunks, errors), 1, 0.05);
  };
  EXPECT_TRUE(with_slope(limit / 2).empty());
  EXPECT_TRUE(with_slope(0.999 * limit).empty());
  const std::vector<Structure> found = with_slope(-3 * limit);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].statistic, "slope");
  EXPECT_EQ(found[0].tensor, "o");
  EXPECT_EQ(found[0].group, "all");
  EXPECT_EQ(found[0].index, -1);
  EXPECT_NEAR(found[0].value, -3 * limit, 1e-12 * limit);  // sums of 1024 terms in double
  EXPECT_NEAR(found[0].limit, limit, 1e-12 * limit);
  EXPECT_EQ(found[0].expected, 0);
}

// What a kernel may make or not is taken out, and nothing in between.
TEST(Slope, OfAKnownRoundingIsNoStructure) {
  std::vector<ModelledChunk> chunks = plain_chunks();
  const double known = 10 * slope_limit_of_all(chunks, 0.05);
  for (ModelledChunk& at : chunks) at.noise.known = {{"known", {known * at.expected}}};
  const auto with_slope = [&](double slope) {
    std::vector<Matrix> errors;
    for (const ModelledChunk& at : chunks) errors.push_back(slope * at.expected);
    return structures(groups_of(chunks, errors), 1, 0.05);
  };
  EXPECT_TRUE(with_slope(0).empty());
  EXPECT_TRUE(with_slope(known).empty());
  for (const double slope : {-0.5 * known, 0.4 * known, 0.6 * known, 1.5 * known}) {
    const std::vector<Structure> found = with_slope(slope);
    ASSERT_FALSE(found.empty()) << slope / known;
    EXPECT_NEAR(found[0].expected, slope < 0.5 * known ? 0 : known, 1e-12 * known);
  }
}

struct Planted {
  const char* group;
  std::int64_t index;
  bool (*where)(const ModelledChunk& at, Index i, Index j);
};

TEST(Energy, IsNamedByItsGroup) {
  const std::vector<ModelledChunk> chunks = plain_chunks();
  EXPECT_TRUE(with_energy(chunks, [](const ModelledChunk&, Index, Index) { return false; }).empty());
  for (const Planted& planted :
       {Planted{"position", 11, [](const ModelledChunk&, Index i, Index) { return i == 11; }},
                                 {"column", 4, [](const ModelledChunk&, Index, Index j) { return j == 4; }},
                                 {"head", 1, [](const ModelledChunk& at, Index, Index) { return at.head == 1; }},
                                 {"chunk", 0, [](const ModelledChunk& at, Index, Index) { return at.chunk == 0; }}}) {
    const std::vector<Structure> found = with_energy(chunks, planted.where);
    ASSERT_FALSE(found.empty()) << planted.group;
    EXPECT_EQ(found[0].statistic, "energy");
    EXPECT_EQ(found[0].group, planted.group);
    EXPECT_EQ(found[0].index, planted.index);
    EXPECT_NEAR(found[0].value, 3, 1e-12);
    EXPECT_GT(found[0].value, found[0].limit);
  }
}

TEST(Energy, OfCorrelatedErrorsHasAWiderLimit) {
  const std::vector<ModelledChunk> chunks = plain_chunks();
  std::vector<Matrix> errors(4, Matrix::Constant(16, 16, 1.3 * deviation));
  for (Matrix& e : errors) {
    for (Index i = 0; i < e.size(); ++i) e.data()[i] *= i % 3 == 0 ? -1 : 1;
  }
  const GroupSums sums = groups_of(chunks, errors);
  const auto energies = [&](double correlation) {
    const std::vector<Structure> found = structures(sums, correlation, 0.05);
    return std::count_if(found.begin(), found.end(), [](const Structure& s) { return s.statistic == "energy"; });
  };
  EXPECT_GT(energies(1), 0);
  EXPECT_EQ(energies(256), 0);
}

TEST(Structures, AreSortedWorstFirst) {
  const std::vector<Structure> found = with_energy(
      plain_chunks(), [](const ModelledChunk& at, Index i, Index) { return at.head == 1 || i == 3; });
  ASSERT_GT(found.size(), 1);
  const auto excess = [](const Structure& s) {
    return s.statistic == "slope" ? std::abs(s.value - s.expected) / s.limit : s.value / s.limit;
  };
  for (std::size_t i = 1; i < found.size(); ++i) EXPECT_GE(excess(found[i - 1]), excess(found[i]));
}

TEST(Groups, AreThoseOfAllChunks) {
  const std::vector<ModelledChunk> chunks = plain_chunks();
  std::vector<Matrix> errors;
  for (const ModelledChunk& at : chunks) errors.push_back(0.001 * at.expected);
  const GroupSums sums = groups_of(chunks, errors);
  EXPECT_EQ(sums.size(), 1 + 2 + 2 + 16 + 16);
  EXPECT_EQ(sums.at({false, Grouping::all, -1}).count, 4 * 16 * 16);
  EXPECT_EQ(sums.at({false, Grouping::head, 1}).count, 2 * 16 * 16);
  EXPECT_EQ(sums.at({false, Grouping::chunk, 0}).count, 2 * 16 * 16);
  EXPECT_EQ(sums.at({false, Grouping::row, 15}).count, 4 * 16);
  EXPECT_EQ(sums.at({false, Grouping::column, 0}).count, 4 * 16);
  double along = 0;
  for (const ModelledChunk& at : chunks) along += 0.001 * at.expected.row(15).squaredNorm() * 12;
  EXPECT_NEAR(sums.at({false, Grouping::row, 15}).along, along, 1e-12 * along);
}

TEST(Groups, DoNotDependOnTheOrderOfMerging) {
  const std::vector<ModelledChunk> chunks = modelled_chunks(2, 2);
  NoiseDraws random(3);
  std::vector<GroupSums> parts;
  for (const ModelledChunk& at : chunks) {
    const std::vector<int> none(at.noise.known.size(), -1);
    parts.push_back(groups_of({at}, {3 * random.errors(at, none, 0) + at.noise.high() + 0.01 * at.expected}));
  }
  std::vector<std::size_t> order = {0, 1, 2, 3};
  std::vector<std::vector<Structure>> results;
  do {
    GroupSums total;
    for (const std::size_t i : order) {
      for (const auto& [key, group] : parts[i]) total[key].add(group);
    }
    results.push_back(structures(total, 1, 0.05));
  } while (std::next_permutation(order.begin(), order.end()));
  ASSERT_FALSE(results[0].empty());
  for (const std::vector<Structure>& each : results) {
    ASSERT_EQ(each.size(), results[0].size());
    for (std::size_t i = 0; i < each.size(); ++i) {
      EXPECT_EQ(each[i].group, results[0][i].group);
      EXPECT_EQ(each[i].index, results[0][i].index);
      EXPECT_NEAR(each[i].value, results[0][i].value, 1e-13 * std::abs(each[i].value) + 1e-18);  // sums of four
    }
  }
}

}  // namespace
}  // namespace deltaproof
