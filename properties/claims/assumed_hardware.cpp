// What is taken to be so of GPUs. Numbers are those that the bounds and the emulation use.
#include <fmt/format.h>

#include <cmath>

#include "properties/claims/assumption_groups.hpp"
#include "reference/approximations.hpp"
#include "reference/arithmetic/declared.hpp"
#include "reference/bounds/gates.hpp"
#include "reference/bounds/read_bound.hpp"
#include "reference/problem/arithmetics.hpp"
#include "reference/tensor_core.hpp"

namespace deltaproof::claims {
namespace {

constexpr const char* exhaustive = "docs/gpu-results.md: all 2^32 arguments on one H200";
constexpr const char* bound_wrong =
    "bounds may be too small: a correct kernel could be `failed` or `nonconforming`; no wrong one passes for it";
constexpr const char* envelope_wrong =
    "it rests on Ampere's model, published and not checked here, also at lengths of sums that kernels have: if that is too "
    "wide, a wrong kernel may be `passed`; if too narrow, a correct one `failed`";
constexpr const char* bits_wrong =
    "bits of the emulation are not the device's: a correct kernel is `suspect` or a declaration is not recognised";

// "2^-21", "2^-22.71".
std::string as_power(double error) {
  const double exponent = std::log2(error);
  return exponent == std::floor(exponent) ? fmt::format("2^{:.0f}", exponent) : fmt::format("2^{:.2f}", exponent);
}

std::string documented_exp() {
  return fmt::format("relative {} in LOC and ADJ, {} in PIN, {} in reads of a cache", as_power(GateRounding{}.exp_error),
                     as_power(Declared{}.exp_error), as_power(ReadFormats{}.exp_error));
}

Assumption instruction(const char* what, std::string value, const char* source, const char* if_wrong,
                       const char* supported_by) {
  return {"instructions", what, std::move(value), source, if_wrong, supported_by};
}

std::string operands(const TensorCoreModel& model) {
  if (model.accumulation == Accumulation::envelope) return "largest bound of all but Volta";
  if (model.accumulation == Accumulation::fp32_fma) return "a chain of fp32 fma, to nearest";
  std::string text = fmt::format("F = {}, {} products a pass", model.fraction_bits, model.depth_16);
  return text + (model.depth_tf32 > 0 ? fmt::format(", {} in TF32", model.depth_tf32) : ", no TF32");
}

Assumption model_of(const TensorCoreModel& model) {
  const bool measured = model.name == "hopper";
  const bool envelope = model.accumulation == Accumulation::envelope;
  const bool ieee = model.accumulation == Accumulation::fp32_fma;
  std::string source = measured ? "inferred from outputs of an H200; NVIDIA documents no order and no rounding"
                                : "published measurements of others; not compared with hardware here";
  if (envelope) source = "follows from the models it covers";
  if (ieee) source = "IEEE 754 and the CUDA documentation of fmaf";
  const char* support = measured ? "docs/tensor-core.md; golden/vectors/mma_h200, mma_edges_h200" : "";
  if (ieee) support = "docs/gpu-results.md: fmaf";
  if (envelope) support = "tests/reference/tensor_core_bound_test.cpp: that it covers the models, not that they are right";
  std::string what = "tensor core ";
  what.append(model.name);
  const char* wrong = measured || ieee ? bound_wrong : "bounds and bits under --tensor-core with this name mean nothing";
  return {"tensor cores", std::move(what), operands(model), std::move(source), envelope ? envelope_wrong : wrong, support};
}

}  // namespace

std::vector<Assumption> instruction_assumptions() {
  return {
      instruction("error of the instruction behind 2^x and e^x (ex2.approx, exp2f, __expf, expf), its argument given, on any GPU",
                  documented_exp(),
                  "PTX ISA, ex2.approx.f32: 2 ulp from the correctly rounded result, 2.5 ulp = 1.25 2^-22 in all",
                  bound_wrong, exhaustive),
      instruction("argument of e^x on any GPU, where a kernel multiplies by log2 e and subtracts",
                  "3.5 u |x| besides the instruction's error, u = 2^-24",
                  "docs/loc.md, Lemma 1: the constant in fp32, the product, one subtraction, and expf's own product",
                  bound_wrong, "docs/loc.md, Lemma 1"),
      instruction("largest error of ex2.approx on an H200", as_power(ex2_approx_relative_error_h200),
                  "measured over every argument", "nothing: bounds use the documented error", exhaustive),
      instruction("largest error of rsqrt.approx on an H200", as_power(rsqrt_approx_relative_error_h200),
                  "measured over every argument; documented: 2^-22.9 relative", "nothing: bounds charge roots by ulp",
                  exhaustive),
      instruction("largest error of rcp.approx on an H200", as_power(rcp_approx_relative_error_h200),
                  "measured over every argument; documented: 1 ulp", "nothing: bounds charge divisions by ulp",
                  exhaustive),
      instruction("bits of ex2, rsqrt and rcp.approx", "tables of coefficients of one unit, sm_90",
                  "recovered from dumps of every argument of an H200, where they are the only solution", bits_wrong,
                  exhaustive),
      instruction("division and root where a kernel forms b, normalises a row or divides by a softmax's sum",
                  "2 ulp each", "CUDA programming guide, table of maximum errors: division 2 ulp, sqrtf 1, rsqrtf 2",
                  bound_wrong, "docs/loc.md, 5; docs/read-bound.md"),
      instruction("logarithm where a kernel forms a gate itself", "2 ulp",
                  "CUDA programming guide, table of maximum errors: logf 1 ulp", bound_wrong, ""),
      instruction("fp32 operations outside tensor cores", "IEEE 754, to nearest even; of exponentials alone, a result below 2^-126 may be flushed",
                  "CUDA programming guide: IEEE 754 compliant without -use_fast_math", bound_wrong,
                  "docs/gpu-results.md: +, *, /, sqrtf, fmaf, conversions"),
      instruction("conversions to bf16, fp16; TF32 operands", "to nearest even; TF32 cut to 10 fraction bits",
                  "PTX ISA, cvt.rn; that mma cuts TF32 operands is inferred from recordings and tiles", bound_wrong,
                  "docs/gpu-results.md; golden/vectors/mma_h200"),
  };
}

std::vector<Assumption> tensor_core_assumptions() {
  std::vector<Assumption> all;
  for (const TensorCoreModel& model : tensor_core_table()) all.push_back(model_of(model));
  return all;
}

std::vector<Assumption> device_assumptions() {
  return {
      {"devices", "bits of functions, instructions, tensor cores and of the built-in kernels",
       "one NVIDIA H200 (sm_90), driver 580.159.04, CUDA 13.0, 2026-12-01", "docs/gpu-results.md",
       "another device or driver may have other bits: the host executor then says `failed` where both are right, or "
       "follows a device that nobody has",
       "docs/gpu-results.md"},
      {"devices", "recordings of kernels of others", "an NVIDIA H200, torch 2.11.0, triton 3.6.0", "golden/README.md",
       "an order of operations that another compiler version chooses is not the declared one: `nonconforming` or "
       "`suspect` there",
       "docs/recordings.md: 0 of their values differ from the emulation"},
      {"devices", "generations other than Hopper", "compiled for sm_80 and sm_120, never run",
       "docs/gpu.md; models as published", "bits there are not known; bounds under `any` cover the published models", ""},
  };
}

std::vector<Assumption> arithmetic_assumptions() {
  std::vector<Assumption> all;
  for (const ArithmeticInfo& info : arithmetic_table()) {
    const bool own = info.name.starts_with("deltaproof-");
    const bool assumed = info.name == "generic" || info.name == "fp64";
    std::string source = "read from the kernel's source, choices settled by recordings (docs/arithmetic.md)";
    if (own) source = "defined here (docs/arithmetic.md, Built-in kernels)";
    if (assumed) source = "a bound for a family, no order of operations (docs/bounds.md)";
    std::string what = "declared arithmetic ";
    what.append(info.name);
    const char* support = own ? "docs/gpu-results.md" : "docs/recordings.md";
    all.push_back({"declared arithmetics", std::move(what), std::string(info.summary), std::move(source),
                   "a kernel that computes so outside the family: `nonconforming`; its distance from the right answer is "
                   "still judged, by the bound of the family",
                   assumed ? "docs/false-alarms.md" : support});
  }
  return all;
}

}  // namespace deltaproof::claims
