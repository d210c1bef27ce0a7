#include "kernels/simt/host_math.cuh"
#include "tests/kernels/device/functions.hpp"

namespace deltaproof {

std::uint32_t host_unary(Unary function, std::uint32_t bits) {
  const float x = __uint_as_float(bits);
  switch (function) {
    case Unary::exp2_approx: return __float_as_uint(simt::exp2_approx(x));
    case Unary::exp2_approx_ftz: return __float_as_uint(simt::exp2_approx_ftz(x));
    case Unary::rsqrt_approx: return __float_as_uint(simt::rsqrt_approx(x));
    case Unary::rsqrt_approx_ftz: return __float_as_uint(simt::rsqrt_approx_ftz(x));
    case Unary::rcp_approx: return __float_as_uint(simt::rcp_approx(x));
    case Unary::rcp_approx_ftz: return __float_as_uint(simt::rcp_approx_ftz(x));
    case Unary::exp2f: return __float_as_uint(exp2f(x));
    case Unary::fast_expf: return __float_as_uint(__expf(x));
    case Unary::expf: return __float_as_uint(expf(x));
    case Unary::rsqrtf: return __float_as_uint(rsqrtf(x));
    case Unary::frcp_rn: return __float_as_uint(__frcp_rn(x));
    case Unary::sqrtf: return __float_as_uint(sqrtf(x));
    case Unary::to_bf16: return simt::from_float<simt::bf16>(x).bits;
    case Unary::to_f16: return simt::from_float<simt::f16>(x).bits;
    case Unary::from_bf16: return __float_as_uint(simt::to_float(simt::bf16{static_cast<std::uint16_t>(bits)}));
    case Unary::from_f16: return __float_as_uint(simt::to_float(simt::f16{static_cast<std::uint16_t>(bits)}));
    case Unary::count: break;
  }
  return 0;
}

std::uint32_t host_binary(Binary function, const Arguments& arguments) {
  const float x = __uint_as_float(arguments.x), y = __uint_as_float(arguments.y), z = __uint_as_float(arguments.z);
  switch (function) {
    case Binary::divide: return __float_as_uint(x / y);
    case Binary::fdividef: return __float_as_uint(__fdividef(x, y));
    case Binary::fminf: return __float_as_uint(fminf(x, y));
    case Binary::fmaxf: return __float_as_uint(fmaxf(x, y));
    case Binary::add: return __float_as_uint(x + y);
    case Binary::multiply: return __float_as_uint(x * y);
    case Binary::fmaf: return __float_as_uint(fmaf(x, y, z));
    case Binary::min: return __float_as_uint(min(x, y));
    case Binary::max: return __float_as_uint(max(x, y));
    case Binary::count: break;
  }
  return 0;
}

}  // namespace deltaproof
