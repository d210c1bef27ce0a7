#pragma once

#include <memory>

#include "kernels/built_in/device.hpp"
#include "kernels/simt/schedule.hpp"

namespace deltaproof::fuzz {

/// The host executor on one OS thread, opened at its first use and kept: one for each schedule.
std::shared_ptr<const Device> host(Schedule schedule);

}  // namespace deltaproof::fuzz
