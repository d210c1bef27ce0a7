// What a kernel library refuses of a call that no check stood before.
#include <gtest/gtest.h>

#include <functional>

#include "tests/kernels/built_in_bits.hpp"

namespace deltaproof {
namespace {

// A legal call but for its pointers, which a refused call does not follow.
KernelCall legal_call() {
  alignas(256) static float somewhere[64];
  KernelCall call{};
  call.B = call.T = call.N = 1, call.H = call.HV = 1, call.K = call.V = 16, call.chunk = 16;
  call.input = call.g_type = call.write_type = CallType::f32;
  call.coefficient = Coefficient::one;
  call.q = call.k = call.v = call.g = call.write = somewhere;
  call.o = somewhere;
  call.workspace = somewhere;
  return call;
}

std::string refusal(const char* kernel, const std::function<void(KernelCall&)>& change) {
  const auto device = host_device();
  const KernelLibrary& library = device->library();
  KernelCall call = legal_call();
  change(call);
  for (std::size_t i = 0; i < library.kernel_count; ++i) {
    if (std::string(library.kernels[i].name) != kernel) continue;
    char error[200] = "";
    const int status = library.kernels[i].run(call, nullptr, error, sizeof error);
    EXPECT_EQ(status, 1);
    return error;
  }
  return "no such kernel";
}

TEST(BuiltInLimits, SizesAreNamed) {
  EXPECT_EQ(refusal("recurrent", [](KernelCall& c) { c.K = 257; }), "recurrent: K is 257, must be from 1 to 256");
  EXPECT_EQ(refusal("recurrent", [](KernelCall& c) { c.V = 0; }), "recurrent: V is 0, must be from 1 to 256");
  EXPECT_EQ(refusal("chunk", [](KernelCall& c) { c.K = 12; }), "chunk: K 12 and V 16 must be multiples of 8");
  EXPECT_EQ(refusal("chunk", [](KernelCall& c) { c.V = 264; }), "chunk: V is 264, must be from 8 to 256");
  EXPECT_EQ(refusal("chunk", [](KernelCall& c) { c.chunk = 48; }),
            "chunk: the chunk size is 48, must be 16, 32 or 64");
  EXPECT_EQ(refusal("chunk", [](KernelCall& c) { c.H = 2, c.HV = 3; }), "chunk: HV 3 is not a multiple of H 2");
  EXPECT_EQ(refusal("recurrent", [](KernelCall& c) { c.N = 2; }),
            "recurrent: with cu_seqlens B is 1, without it N is B");
}

TEST(BuiltInLimits, MoreBlocksThanAGridHasAreRefused) {
  EXPECT_EQ(refusal("recurrent", [](KernelCall& c) { c.B = c.N = std::int64_t{1} << 31; }),
            "recurrent: the call takes 2147483648 blocks, a grid has at most 2147483647; divide the batch");
}

TEST(BuiltInLimits, PointersAreNamed) {
  EXPECT_EQ(refusal("recurrent", [](KernelCall& c) { c.v = nullptr; }), "recurrent: v is null");
  EXPECT_EQ(refusal("recurrent", [](KernelCall& c) { c.coefficient = Coefficient::given, c.write = nullptr; }),
            "recurrent: write is null");
  EXPECT_EQ(refusal("recurrent", [](KernelCall& c) { c.per_channel = true, c.g = nullptr; }),
            "recurrent: per_channel without g");
  EXPECT_EQ(refusal("chunk", [](KernelCall& c) { c.workspace = nullptr; }), "chunk: workspace is null");
  EXPECT_EQ(refusal("chunk", [](KernelCall& c) { c.q = static_cast<const char*>(c.q) + 2; }),
            "chunk: q is not aligned to 16 bytes");
}

TEST(BuiltInLimits, TypesAndRulesAreNamed) {
  EXPECT_EQ(refusal("recurrent", [](KernelCall& c) { c.input = static_cast<CallType>(7); }),
            "recurrent: an element type is none of f32, bf16, f16");
  EXPECT_EQ(refusal("chunk", [](KernelCall& c) { c.coefficient = Coefficient::given; }),
            "chunk: a rule without residual has the write coefficient 1");
}

TEST(BuiltInLimits, TheSolveNamesItsSizes) {
  const auto device = host_device();
  SolveCall call{1, 1, 48, false, nullptr, nullptr, nullptr};
  char error[200] = "";
  EXPECT_EQ(device->library().solve->run(call, nullptr, error, sizeof error), 1);
  EXPECT_STREQ(error, "triangular_solve: L is null");
  call.columns = 0;
  EXPECT_EQ(device->library().solve->run(call, nullptr, error, sizeof error), 1);
  EXPECT_STREQ(error, "triangular_solve: C is 48, must be 16, 32 or 64");
}

TEST(BuiltInLibrary, SaysHowItWasMade) {
  for (const HostBuild build : {HostBuild::plain, HostBuild::checked}) {
    HostDeviceOptions options;
    options.build = build;
    const auto device = host_device(options);
    const KernelLibrary& library = device->library();
    EXPECT_EQ(std::string(library.source_hash).size(), 64u);
    EXPECT_NE(std::string(library.flags).find("-ffp-contract=off"), std::string::npos);
    EXPECT_NE(std::string(library.compiler).find('.'), std::string::npos);
    EXPECT_EQ(std::string(library.flags).find("-fsanitize=thread") != std::string::npos, build == HostBuild::checked);
  }
}

}  // namespace
}  // namespace deltaproof
