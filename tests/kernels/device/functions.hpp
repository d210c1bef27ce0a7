#pragma once

#include <cstdint>

/// The functions that this program evaluates on a GPU and on the host. Arguments and results as bits.
namespace deltaproof {

enum class Unary {
  exp2_approx, exp2_approx_ftz, rsqrt_approx, rsqrt_approx_ftz, rcp_approx, rcp_approx_ftz,
  exp2f, fast_expf, expf, rsqrtf, frcp_rn, sqrtf, to_bf16, to_f16, from_bf16, from_f16, count
};
enum class Binary { divide, fdividef, fminf, fmaxf, add, multiply, fmaf, min, max, count };

/// How it is called in the table, and over how many arguments, 0 to inputs - 1 as bits, it is defined.
struct UnaryInfo {
  const char* name;
  std::uint64_t inputs;
  bool one_nan;  ///< the host follows the bits of a NaN too
};
constexpr std::uint64_t all_floats = std::uint64_t{1} << 32;
constexpr UnaryInfo unary_info[] = {
    {"ex2.approx.f32", all_floats, true},       {"ex2.approx.ftz.f32", all_floats, true},
    {"rsqrt.approx.f32", all_floats, true},     {"rsqrt.approx.ftz.f32", all_floats, true},
    {"rcp.approx.f32", all_floats, true},       {"rcp.approx.ftz.f32", all_floats, true},
    {"exp2f", all_floats, true},                {"__expf", all_floats, true},
    {"expf", all_floats, true},                 {"rsqrtf", all_floats, true},
    {"__frcp_rn", all_floats, true},            {"sqrtf", all_floats, false},
    {"fp32 to bf16", all_floats, true},         {"fp32 to f16", all_floats, true},
    {"bf16 to fp32", 0x10000, true},            {"f16 to fp32", 0x10000, true},
};

struct BinaryInfo {
  const char* name;
  bool one_nan;
};
constexpr BinaryInfo binary_info[] = {
    {"x / y", false}, {"__fdividef", true}, {"fminf", true},        {"fmaxf", true},   {"x + y", false},
    {"x * y", false}, {"fmaf", false},      {"min(float)", true},   {"max(float)", true},
};
constexpr std::uint64_t binary_inputs = std::uint64_t{1} << 28;

struct Arguments {
  std::uint32_t x, y, z;
};

/// Arguments number i of a function of several: any bits; a quarter of them near each other in size.
#ifdef __CUDACC__
__host__ __device__
#endif
inline Arguments arguments_at(std::uint64_t i) {
  std::uint64_t s = (i + 1) * 0x9e3779b97f4a7c15u;
  s = (s ^ (s >> 30)) * 0xbf58476d1ce4e5b9u;
  s = (s ^ (s >> 27)) * 0x94d049bb133111ebu;
  s ^= s >> 31;
  const auto x = static_cast<std::uint32_t>(s), y = static_cast<std::uint32_t>(s >> 32);
  const std::uint32_t z = x * 2654435761u ^ y;
  const std::uint32_t exponent = 0x7f800000u, near = 0x01800000u;  // two bits of the exponent vary
  if (i % 4 != 0) return {x, y, z};
  const std::uint32_t common = x & exponent;
  return {x, (y & (~exponent | near)) | (common & ~near), (z & (~exponent | near)) | (common & ~near)};
}

/// On the host: kernels/simt/host_math.cuh.
std::uint32_t host_unary(Unary function, std::uint32_t x);
std::uint32_t host_binary(Binary function, const Arguments& arguments);

/// On the GPU, for `count` arguments from number `first`, into `results` on the host. Throw std::runtime_error.
void gpu_unary(Unary function, std::uint64_t first, std::uint32_t count, std::uint32_t* results);
void gpu_binary(Binary function, std::uint64_t first, std::uint32_t count, std::uint32_t* results);

/// Arguments a call of the two above may take.
constexpr std::uint32_t largest_batch = 1u << 25;

}  // namespace deltaproof
