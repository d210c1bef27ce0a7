#pragma once

#include <cstdint>

#include "kernels/simt/abi.hpp"
#include "reference/tensor_core.hpp"

namespace deltaproof {

/// d = a b + c for the fragments of a warp, [lane][register] as PTX lays them out (fragments.hpp). Each element of
/// d has the bits of `tensor_core_dot` under `model`. d may be c. Throws std::logic_error where the model has no
/// arithmetic for the kind's type.
void mma_tile(simt_mma_kind kind, const TensorCoreModel& model, const std::uint32_t (&a)[32][4],
              const std::uint32_t (&b)[32][2], const float (&c)[32][4], float (&d)[32][4]);

}  // namespace deltaproof
