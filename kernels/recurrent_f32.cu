#include "kernels/recurrent.cuh"

namespace deltaproof {

template void launch_recurrent<float>(const KernelCall& call);

}  // namespace deltaproof
