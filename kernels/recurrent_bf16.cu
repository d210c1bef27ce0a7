#include "kernels/recurrent.cuh"

namespace deltaproof {

template void launch_recurrent<simt::bf16>(const KernelCall& call);

}  // namespace deltaproof
