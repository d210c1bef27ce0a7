#pragma once

/// The approximate instructions of the device (reference/approximations.hpp) for kernels compiled for the host.
/// The executable has and exports them, so that a kernel library holds no second copy of the tables.
extern "C" {

float simt_ex2_approx(float x);
float simt_ex2_approx_ftz(float x);
float simt_rsqrt_approx(float x);
float simt_rsqrt_approx_ftz(float x);
float simt_rcp_approx(float x);
float simt_rcp_approx_ftz(float x);

}  // extern "C"
