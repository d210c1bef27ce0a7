#include "kernels/chunk.cuh"

namespace deltaproof {

extern template void launch_prepare_channels<float, 16>(const KernelCall& call);
extern template void launch_prepare_channels<float, 32>(const KernelCall& call);
extern template void launch_prepare_channels<float, 64>(const KernelCall& call);

template void launch_chunk<float>(const KernelCall& call);

}  // namespace deltaproof
