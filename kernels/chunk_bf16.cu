#include "kernels/chunk.cuh"

namespace deltaproof {

extern template void launch_prepare_channels<simt::bf16, 16>(const KernelCall& call);
extern template void launch_prepare_channels<simt::bf16, 32>(const KernelCall& call);
extern template void launch_prepare_channels<simt::bf16, 64>(const KernelCall& call);

template void launch_chunk<simt::bf16>(const KernelCall& call);

}  // namespace deltaproof
