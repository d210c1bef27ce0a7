#include "kernels/chunk_channels.cuh"

namespace deltaproof {

template void launch_prepare_channels<float, 16>(const KernelCall& call);
template void launch_prepare_channels<float, 32>(const KernelCall& call);
template void launch_prepare_channels<float, 64>(const KernelCall& call);

}  // namespace deltaproof
