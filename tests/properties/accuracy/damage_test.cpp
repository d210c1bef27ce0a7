// A copy of a recording whose `o` or state is damaged fails, and the verdict names the damaged
// place.
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "damage.hpp"
#include "recordings.hpp"
#include "reference/problem/head.hpp"

namespace deltaproof {
namespace {

using Combination = std::tuple<std::string, std::string, Damage>;  // recording, tensor, damage

// Damage that LOC or ADJ allows: 1 % is less than a correct kernel of the declared family may be off there. The
// declared order of roundings does not allow it: without states and without decay its sets are
// as wide as ADJ, and only the bits tell. `too_much` is the first
// of 1.012, 1.015, 1.02, 1.03, 1.04, 1.05, 1.06, 1.08, 1.1, 1.15, 1.2 that is not.
struct Allowed {
  std::string recording, tensor;
  double too_much;
  Status declared;  // by the declared order of roundings
  std::string why;
};

const std::vector<Allowed>& allowed_scalings() {
  static const std::vector<Allowed> list = {
      {"delta_chunk_bf16", "final_state", 1.2, Status::suspect, "ADJ without decay grows from chunk to chunk"},
      {"kda_chunk_bf16", "o", 1.02, Status::nonconforming, "LOC: k b, q e^G and the copy of the state are rounded"},
      {"kla_official_chunk_bf16_T256", "o", 1.012, Status::nonconforming, "ADJ: q scale is rounded, and P"},
  };
  return list;
}

const Allowed* allowed(const std::string& name, const std::string& tensor, Damage damage) {
  if (damage != Damage::scaled) return nullptr;
  for (const Allowed& entry : allowed_scalings()) {
    if (entry.recording == name && entry.tensor == tensor) return &entry;
  }
  return nullptr;
}

// Without the declared order of roundings: by LOC or ADJ alone.
AccuracyOptions by_the_family() {
  AccuracyOptions options;
  options.conformity = false;
  return options;
}

// Middle places: neither the first value nor in the first chunk, head or column.
Place place_in(const std::string& tensor, const CaseFile& file) {
  const Dimensions& d = file.problem.dims();
  const Tensor& values = *file.outputs->find(tensor);
  Place place;
  place.head = d.HV - 1;
  place.column = d.V / 2;
  if (tensor == "o") {
    place.outer = d.B / 2;
    place.row = d.T * 2 / 3;
  } else {
    place.outer = (tensor == "chunk_states" ? values.shape[1] : values.shape[0]) / 2;
    place.row = d.K / 3;
  }
  return place;
}

// The place as a verdict says it.
Location location_of(const std::string& tensor, const Place& place, const Problem& problem) {
  Location where;
  where.tensor = tensor;
  where.head = place.head;
  where.column = place.column;
  const std::int64_t every = problem.options().states_every;
  for (const Sequence& s : problem.sequences()) {
    if (tensor == "o") {
      if (s.batch != place.outer || place.row < s.begin || place.row >= s.begin + s.length)
        continue;
      where.sequence = s.index;
      where.token = place.row - s.begin;
    } else {
      const bool last = tensor == "final_state";
      const std::int64_t first = last ? s.state_row : s.first_state;
      const std::int64_t count = last ? 1 : state_count(s.length, every);
      if (s.batch != (last ? s.batch : 0) || place.outer < first || place.outer >= first + count)
        continue;
      where.sequence = s.index;
      where.token = last ? s.length : std::min(s.length, (place.outer - first + 1) * every);
      where.row = place.row;
    }
  }
  return where;
}

double value_at(const Outputs& outputs, const Location& where, const Problem& problem) {
  const Tensor& tensor = *outputs.find(where.tensor);
  const Sequence& s = problem.sequences().at(static_cast<std::size_t>(where.sequence));
  if (where.tensor == "o")
    return output_rows(tensor, problem, s, where.head)(where.token, where.column);
  const std::int64_t every = problem.options().states_every;
  const std::int64_t row =
      where.tensor == "final_state"
          ? s.state_row
          : s.batch * tensor.shape[1] + s.first_state + (where.token - 1) / every;
  return state_of(tensor, problem, row, where.head)(where.row, where.column);
}

class DamagedRecording : public testing::TestWithParam<Combination> {
 protected:
  void SetUp() override {
    std::tie(name_, tensor_, damage_) = GetParam();
    place_ = place_in(tensor_, file_);
    where_ = location_of(tensor_, place_, file_.problem);
    outputs_ = damaged(*file_.outputs, tensor_, damage_, place_, file_.problem);
  }

  // The damage reached the place that the verdict names. Scaled chunk states may be within the
  // bound of the chunk before; then it is the chunk after, judged from them, that does not follow.
  void expect_damaged_at(Location named) {
    if (tensor_ == "chunk_states" && damage_ == Damage::scaled && named.tensor == "o") {
      EXPECT_GE(named.token, file_.problem.options().states_every);
      return;
    }
    // Two copies of a state that differ: it is named by the name of one of them.
    if (tensor_ == "chunk_states" && named.tensor == "final_state" && contradiction_) {
      named.tensor = tensor_;
    }
    // Where no hypothesis on normalised rows holds, the verdict is of the nearest one, and `o` may
    // be what breaks that (gdn_chunk_bf16_l2norm_zero_key only).
    const bool hypothetical = file_.problem.options().qk_l2norm != L2Norm::none;
    if (hypothetical && damage_ == Damage::zeros && named.tensor == "o") return;
    ASSERT_EQ(named.tensor, tensor_) << to_string(named);
    const double before = value_at(*file_.outputs, named, file_.problem);
    const double after = value_at(outputs_, named, file_.problem);
    EXPECT_FALSE(after == before) << to_string(named) << " holds the recorded value " << before;
  }

  void expect_named(const Location& named) {
    expect_damaged_at(named);
    if (damage_ == Damage::one_nan) {
      EXPECT_EQ(to_string(named), to_string(file_location()));
    }
    if (damage_ == Damage::zero_row) {
      EXPECT_EQ(named.sequence, where_.sequence);
      EXPECT_EQ(named.token, where_.token);
      EXPECT_EQ(named.head, where_.head);
      EXPECT_EQ(named.row, where_.row);
    }
    if (damage_ == Damage::zero_column) {
      EXPECT_EQ(named.sequence, where_.sequence);
      EXPECT_EQ(named.head, where_.head);
      EXPECT_EQ(named.column, where_.column);
      if (tensor_ != "o") {
        EXPECT_EQ(named.token, where_.token);
      }
    }
  }

  // where_ with its place in the chunk.
  Location file_location() const {
    Location where = where_;
    const std::int64_t chunk = file_.problem.options().chunk_size;
    where.chunk = tensor_ == "o" ? where.token / chunk : (where.token - 1) / chunk;
    if (tensor_ == "o") where.chunk_position = where.token % chunk;
    return where;
  }

  std::string name_ = std::get<0>(GetParam()), tensor_;
  Damage damage_{};
  bool contradiction_ = false;
  CaseFile file_ = recording(name_);
  Place place_;
  Location where_;
  Outputs outputs_;
};

TEST_P(DamagedRecording, FailsAndNamesThePlace) {
  const Verdict verdict = judge(file_, outputs_);
  EXPECT_EQ(verdict.status, Status::failed) << describe(verdict);
  if (verdict.status != Status::failed) return;
  EXPECT_TRUE(verdict.has_first_bad);
  contradiction_ = verdict.violations == 0;
  expect_named(verdict.first_bad);
  EXPECT_FALSE(verdict.reason.empty());
  if (damage_ == Damage::one_nan) {
    EXPECT_EQ(to_string(verdict.worst), to_string(verdict.first_bad));
    EXPECT_TRUE(std::isnan(verdict.value));
    EXPECT_NE(verdict.reason.find(to_string(verdict.first_bad)), std::string::npos)
        << verdict.reason;
  }
}

std::vector<Combination> combinations() {
  std::vector<Combination> all;
  for (const std::string& name : all_recordings()) {
    const CaseFile file = recording(name);
    for (const auto& [tensor, values] : file.outputs->tensors) {
      for (const Damage damage : all_damages()) {
        if (!applies(damage, tensor, file.problem)) continue;
        if (allowed(name, tensor, damage) == nullptr) all.push_back({name, tensor, damage});
      }
    }
  }
  return all;
}

std::string name_of(const testing::TestParamInfo<Combination>& info) {
  const auto& [name, tensor, damage] = info.param;
  return name + "_" + tensor + "_" + damage_name(damage);
}

INSTANTIATE_TEST_SUITE_P(Recordings, DamagedRecording, testing::ValuesIn(combinations()), name_of);

// All states of a run times 1.01, so that the two copies of the last one still agree.
class ScaledStates : public testing::TestWithParam<std::string> {};

Outputs with_scaled_states(const CaseFile& file, double factor) {
  return scaled(scaled(*file.outputs, "chunk_states", factor), "final_state", factor);
}

TEST_P(ScaledStates, FailByTheBoundAlone) {
  const CaseFile file = recording(GetParam());
  const Verdict verdict = judge(file, with_scaled_states(file, 1.01));
  EXPECT_EQ(verdict.status, Status::failed) << describe(verdict);
  EXPECT_GT(verdict.violations, 0);
}

const std::string allows_scaled_states = "kda_chunk_bf16";

std::vector<std::string> recordings_with_states() {
  std::vector<std::string> names;
  for (const std::string& name : all_recordings()) {
    const Outputs outputs = *recording(name).outputs;
    const bool both =
        outputs.find("chunk_states") != nullptr && outputs.find("final_state") != nullptr;
    if (both && name != allows_scaled_states) names.push_back(name);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Recordings, ScaledStates, testing::ValuesIn(recordings_with_states()),
                         [](const auto& each) { return each.param; });

// LOC of kda, whose q e^G and k e^{..} are rounded too, is above 1.5 % of its states, not above 2 %.
TEST(ScaledStatesOfKda, AreWithinTheBoundUpToAPointAndOutsidePin) {
  const CaseFile file = recording(allows_scaled_states);
  const Outputs damaged = with_scaled_states(file, 1.01);
  const Verdict within = judge(file, damaged, by_the_family());
  EXPECT_EQ(within.status, Status::passed) << describe(within);
  EXPECT_EQ(judge(file, damaged).status, Status::nonconforming);
  const Verdict beyond = judge(file, with_scaled_states(file, 1.02));
  EXPECT_EQ(beyond.status, Status::failed) << describe(beyond);
}

class AllowedScaling : public testing::TestWithParam<Allowed> {};

// A larger factor does fail, and the declared order of roundings allows neither.
TEST_P(AllowedScaling, IsWithinTheBoundButNoConformingRun) {
  const Allowed& entry = GetParam();
  const CaseFile file = recording(entry.recording);
  const Verdict before = judge(file, *file.outputs);
  const Outputs damaged = scaled(*file.outputs, entry.tensor, 1.01);
  const Verdict within = judge(file, damaged, by_the_family());
  // The bound has nothing against it; the slope of the error may be seen.
  EXPECT_TRUE(within.status == Status::passed || within.status == Status::suspect) << entry.why << "\n"
                                                                                   << describe(within);
  EXPECT_EQ(within.violations, 0);
  EXPECT_LE(within.worst_ratio, 1);
  EXPECT_NE(within.outputs_hash, before.outputs_hash);
  const Verdict beyond = judge(file, scaled(*file.outputs, entry.tensor, entry.too_much));
  EXPECT_EQ(beyond.status, Status::failed) << describe(beyond);
  const Verdict conforming = judge(file, damaged);
  EXPECT_EQ(conforming.status, entry.declared) << describe(conforming);
}

INSTANTIATE_TEST_SUITE_P(Recordings, AllowedScaling, testing::ValuesIn(allowed_scalings()),
                         [](const auto& each) {
                           return each.param.recording + "_" + each.param.tensor;
                         });

}  // namespace
}  // namespace deltaproof
