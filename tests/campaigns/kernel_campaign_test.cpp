#include "kernel_campaign.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "kernels/built_in/capabilities.hpp"
#include "kernels/built_in/open_device.hpp"
#include "properties/regimes/families.hpp"

namespace deltaproof::campaign {
namespace {

KernelCampaign small_campaign() {
  HostDeviceOptions options;
  options.folder = DELTAPROOF_KERNEL_LIBRARIES;
  KernelCampaign campaign;
  campaign.main = campaign.other = open_host_device(options);
  campaign.problems = 16;
  return campaign;
}

// Right but for the last bit of the last value of o.
class LastBit : public Kernel {
 public:
  explicit LastBit(std::shared_ptr<const Kernel> kernel) : kernel_(std::move(kernel)) {}
  std::string name() const override { return kernel_->name(); }
  std::string arithmetic() const override { return kernel_->arithmetic(); }
  std::string refusal(const Problem& problem) const override { return kernel_->refusal(problem); }
  Outputs run(const Problem& problem) const override {
    Outputs outputs = kernel_->run(problem);
    if (!outputs.tensors["o"].bytes.empty()) outputs.tensors["o"].bytes.front() ^= std::byte{1};
    return outputs;
  }

 private:
  std::shared_ptr<const Kernel> kernel_;
};

TEST(KernelCampaign, TakesEveryKernelInTurn) {
  const KernelTally tally = run_kernel_campaign(small_campaign());
  EXPECT_EQ(tally.problems, 16);
  EXPECT_EQ(tally.kernels.size(), built_in_kernels().size());
  EXPECT_EQ(tally.alarms(), 0) << tally.markdown();
  EXPECT_GT(tally.properties.size(), 4u) << "laws, too";
  EXPECT_TRUE(tally.properties.contains("stage_nan"));
}

TEST(KernelCampaign, AlarmComesWithTheCommandThatGivesItAgain) {
  KernelCampaign campaign = small_campaign();
  campaign.problems = 2;
  std::vector<std::string> alarms;
  campaign.report_alarm = [&](const std::string& text) { alarms.push_back(text); };
  campaign.damaged = [](std::shared_ptr<const Kernel> kernel) { return std::make_shared<LastBit>(std::move(kernel)); };
  const KernelTally tally = run_kernel_campaign(campaign);
  EXPECT_GT(tally.alarms(), 0);
  EXPECT_EQ(static_cast<std::int64_t>(alarms.size()), tally.alarms());
  ASSERT_FALSE(alarms.empty());
  EXPECT_NE(alarms[0].find("deltaproof check --kernel recurrent --property "), std::string::npos) << alarms[0];
  EXPECT_NE(alarms[0].find("--problem 'regime="), std::string::npos) << alarms[0];
}

TEST(KernelCampaign, StopsAtItsTime) {
  KernelCampaign campaign = small_campaign();
  campaign.problems = 1'000'000;
  campaign.seconds = 0.5;
  const KernelTally tally = run_kernel_campaign(campaign);
  EXPECT_GT(tally.problems, 0);
  EXPECT_LT(tally.problems, 1'000'000);
}

}  // namespace
}  // namespace deltaproof::campaign
