#include "kernels/chunk_channels.cuh"

namespace deltaproof {

template void launch_prepare_channels<simt::bf16, 16>(const KernelCall& call);
template void launch_prepare_channels<simt::bf16, 32>(const KernelCall& call);
template void launch_prepare_channels<simt::bf16, 64>(const KernelCall& call);

}  // namespace deltaproof
