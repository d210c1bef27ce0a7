#include "reference/problem/arithmetics.hpp"

namespace deltaproof {
namespace {

constexpr ArithmeticInfo kArithmetics[] = {
    {"fla-chunk",
     "flash-linear-attention, chunked (gated) delta rule: tensor cores, TF32 merge, "
     "fp32 state"},
    {"fla-recurrent",
     "flash-linear-attention, token recurrence in fp32; its bound holds for sums in any order"},
    {"fla-simple-gla-chunk", "flash-linear-attention, chunked scalar decay (Mamba-2, simple GLA)"},
    {"fla-kda-chunk", "flash-linear-attention, chunked delta rule with per-channel decay (KDA)"},
    {"fla-gla-chunk", "flash-linear-attention, chunked per-channel decay without residual (GLA)"},
    {"nvlabs-chunk", "NVlabs and official KLA chunk kernel: two inverses, more rounding points"},
    {"deltaproof-chunk", "the chunk kernel of this repository, every rule: fp32 state and merges, IEEE fp32 products of "
                         "fp32 inputs"},
    {"deltaproof-recurrent", "the recurrent kernel of this repository, every rule: token by token in fp32"},
    {"fp64", "token recurrence in double, rounded once to the output's type"},
    {"generic",
     "assumed where nothing is declared: chunk 64, intermediates in the input's type, "
     "TF32 merge, fp32 state"},
};

}  // namespace

std::span<const ArithmeticInfo> arithmetic_table() { return kArithmetics; }

const ArithmeticInfo* find_arithmetic(std::string_view name) {
  for (const ArithmeticInfo& info : kArithmetics)
    if (info.name == name) return &info;
  return nullptr;
}

}  // namespace deltaproof
