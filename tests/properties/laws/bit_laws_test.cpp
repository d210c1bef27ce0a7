// Laws that hold bit for bit: right kernels obey each, and for each there is a wrong kernel that it finds.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "kernels/built_in/built_in_kernel.hpp"
#include "kernels/built_in/open_device.hpp"
#include "properties/laws/property.hpp"
#include "properties/laws/tensors.hpp"
#include "tests/properties/laws/small_problems.hpp"
#include "tests/properties/laws/wrong_kernels.hpp"

namespace deltaproof {
namespace {

using namespace wrong;  // NOLINT

BuiltInKernel on_host(const std::string& kernel) {
  HostDeviceOptions options;
  options.folder = DELTAPROOF_KERNEL_LIBRARIES;
  options.threads = 1;
  return BuiltInKernel(*find_built_in_kernel(kernel), open_host_device(options));
}

// Of each law a way to break it.
struct Breach {
  const char* law;
  RunWrongly run;
  Status found = Status::failed;
};

std::vector<Breach> breaches() {
  return {{"second_call", keeps_values_of_last_call()},
          {"split_on_chunks", ignores_initial_state()},
          {"packed_alone", ignores_boundaries()},
          {"packed_alone", first_state_for_all()},
          {"packed_rows", ignores_boundaries()},
          {"empty_sequence", clears_states_of_empty_sequences()},
          {"batch_permutation", first_state_for_all()},
          {"head_permutation", tiled_head_map()},
          {"head_alone", tiled_head_map()},
          {"grouped_heads", tiled_head_map()},
          {"column_permutation", loses_last_column()},
          {"prefix_causality", reads_next_token()},
          {"later_ignored", reads_next_token()},
          {"layouts", ignores_layout()},
          {"state_rows", row_n_for_sequence_n()},
          {"in_place", row_n_for_sequence_n()},
          {"unlisted_rows", writes_unlisted_row()},
          {"unlisted_rows", skipped_is_row_0()},
          {"padding", reads_row_behind()},
          {"nan_contained", spreads_nan()},
          {"nan_reaches", swallows_nan()},
          {"zero_state", starts_from(0x1p-10)},
          {"zero_beta", adds_to("beta", 0x1p-10)},
          {"zero_gate", adds_to("g", -0x1p-10)},
          {"zero_value", adds_to("v", 0x1p-10)},
          {"guard_zones", breaks_guard_zone_on_odd_sizes(), Status::error},
          {"guard_zones", loses_last_column()},
          {"negated_values", adds_to("v", 0x1p-10)},
          {"negated_queries", makes_positive("q")},
          {"value_scaling", clamps("v", 1.5)},
          {"query_scaling", clamps("q", 0.25)},
          {"key_scaling", clamps("k", 0.25)}};
}

// Of rule hola: what it does not obey, or what is another rule's.
bool says_something(const std::string& law, const BuiltInInfo& kernel) {
  if (!computes_hola(kernel)) return true;
  return law != "split_on_chunks" && law != "zero_gate" && law != "key_scaling" && law != "negated_queries" &&
         law != "query_scaling";
}

std::string text(const Problem& problem, const Verdict& verdict) {
  return problem.name() + ": " + status_name(verdict.status) + ": " + verdict.reason;
}

class BitLaws : public testing::TestWithParam<const char*> {
 protected:
  const BuiltInKernel kernel_ = on_host(GetParam());
  const std::vector<Problem> problems_ = small_problems(*find_built_in_kernel(GetParam()));
};
INSTANTIATE_TEST_SUITE_P(, BitLaws, testing::Values("recurrent", "chunk", "hola", "hola_decode"),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(BitLaws, AreObeyedByRightKernels) {
  // A launch for each token takes its time: half the problems, which have every packing, type and grouping.
  const bool half = GetParam() == std::string("hola_decode");
  const std::size_t count = problems_.size() / (half ? 2 : 1);
  std::map<std::string, int> passed;
  for (const Breach& breach : breaches()) {
    if (passed.contains(breach.law)) continue;
    for (std::size_t i = 0; i < count; ++i) {
      const Verdict verdict = check_property(*find_law(breach.law), {problems_[i], kernel_, i});
      EXPECT_TRUE(verdict.status == Status::passed || verdict.status == Status::skipped ||
                  verdict.status == Status::uninformative)
          << breach.law << ": " << text(problems_[i], verdict);
      passed[breach.law] += verdict.status == Status::passed;
    }
    if (!says_something(breach.law, *find_built_in_kernel(GetParam()))) {
      EXPECT_EQ(passed[breach.law], 0) << breach.law;
    } else {
      EXPECT_GE(passed[breach.law], breach.law == std::string("key_scaling") ? 1 : half ? 2 : 3)
          << breach.law << " says nothing of most small problems";
    }
  }
}

// Which kind of check it was stands in the verdict; both find the wrong kernel.
TEST_P(BitLaws, OfScalingAreBitsOrBounds) {
  const WrongKernel wrong(kernel_, clamps("v", 0.5));
  std::map<bool, int> passed, failed;
  for (std::size_t i = 0; i < problems_.size(); ++i) {
    const Verdict right = check_property(*find_law("value_scaling"), {problems_[i], kernel_, i});
    const bool bits = right.bound == "bits";
    passed[bits] += right.status == Status::passed;
    failed[bits] += check_property(*find_law("value_scaling"), {problems_[i], wrong, i}).status == Status::failed;
  }
  EXPECT_GT(passed[true], 0);
  EXPECT_GT(failed[true], 0);
  if (GetParam() != std::string("chunk")) return;
  EXPECT_GT(passed[false], 0) << "fp16 has subnormal values on the way";
  EXPECT_GT(failed[false], 0);
}

// Outputs in fp16 that are subnormal: a power of two does not commute with their rounding.
TEST_P(BitLaws, OfScalingRaiseNoFalseAlarmAmongSubnormalOutputs) {
  int judged = 0;
  for (const Problem& problem : problems_) {
    if (problem.find("q")->dtype != Dtype::f16) continue;
    TensorMap inputs = problem.tensors();
    for (const char* name : {"v", "initial_state"}) {
      if (const auto found = inputs.find(name); found != inputs.end()) {
        found->second = laws::scaled(found->second, -14);
      }
    }
    const Problem small = problem.with_inputs(std::move(inputs));
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      const Verdict verdict = check_property(*find_law("value_scaling"), {small, kernel_, seed});
      EXPECT_NE(verdict.status, Status::failed) << text(small, verdict);
      EXPECT_NE(verdict.status, Status::error) << text(small, verdict);
      judged += verdict.compared > 0;
    }
  }
  if (computes_hola(*find_built_in_kernel(GetParam()))) return;  // whose two runs may keep other tokens
  EXPECT_GT(judged, 4);
}

TEST_P(BitLaws, FindAWrongKernelEach) {
  for (const Breach& breach : breaches()) {
    if (!says_something(breach.law, *find_built_in_kernel(GetParam()))) continue;
    const WrongKernel wrong(kernel_, breach.run);
    std::vector<std::string> others;
    bool found = false;
    for (std::size_t i = 0; i < problems_.size() && !found; ++i) {
      const Verdict verdict = check_property(*find_law(breach.law), {problems_[i], wrong, i});
      found = verdict.status == breach.found;
      if (verdict.status == Status::failed) {
        EXPECT_FALSE(verdict.reason.empty());
        EXPECT_GT(verdict.violations, 0);
      }
      others.push_back(text(problems_[i], verdict));
    }
    EXPECT_TRUE(found) << breach.law << " does not find its wrong kernel: " << testing::PrintToString(others);
  }
}

}  // namespace
}  // namespace deltaproof
