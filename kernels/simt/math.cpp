#include "kernels/simt/math_abi.hpp"
#include "reference/approximations.hpp"

extern "C" {

float simt_ex2_approx(float x) { return deltaproof::ex2_approx(x); }
float simt_ex2_approx_ftz(float x) { return deltaproof::ex2_approx_ftz(x); }
float simt_rsqrt_approx(float x) { return deltaproof::rsqrt_approx(x); }
float simt_rsqrt_approx_ftz(float x) { return deltaproof::rsqrt_approx_ftz(x); }
float simt_rcp_approx(float x) { return deltaproof::rcp_approx(x); }
float simt_rcp_approx_ftz(float x) { return deltaproof::rcp_approx_ftz(x); }

}  // extern "C"
