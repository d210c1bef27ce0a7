#include "kernels/recurrent.cuh"

namespace deltaproof {

template void launch_recurrent<simt::f16>(const KernelCall& call);

}  // namespace deltaproof
