#include "tests/reference/bounds/simulated/kernels.hpp"

#include <initializer_list>

namespace deltaproof::simulated {
namespace {

using enum Point;

ChunkKernel with_points(const Format& input, std::initializer_list<Point> points) {
  ChunkKernel kernel;
  const bool tf32 = input == formats::f32;
  kernel.operand = tf32 ? Operand::tf32 : input == formats::f16 ? Operand::f16 : Operand::bf16;
  // fp32 inputs: nothing is stored narrower; the dots truncate their operands.
  kernel.roundings.format = input;
  for (const Point point : points) kernel.roundings.at(point) = tf32 ? How::kept : How::nearest;
  return kernel;
}

// Points in the order of each kernel's text (semantics page, F1 to F22 and the lines after them).
ChunkKernel fla_chunk(const Format& input) {
  return with_points(input, {T, rv, rw, u, w, state_copy, v_new, v_scaled, P});
}

ChunkKernel nvlabs_chunk(const Format& input) {
  ChunkKernel kernel = with_points(
      input, {key_beta, T, rv, u, w, w_decayed, state_copy, v_new, k_scaled, q_scaled, P});
  kernel.two_inverses = kernel.beta_first = kernel.scale_first = kernel.scale_keys = true;
  kernel.chained_state = false;
  kernel.merge = Merge::none;
  kernel.scan = Scan::sklansky;
  return kernel;
}

ChunkKernel simple_gla_chunk(const Format& input) {
  return with_points(input, {state_copy, v_scaled, P});
}

ChunkKernel kda_chunk(const Format& input) {
  ChunkKernel kernel =
      with_points(input, {T, rv, rw, u, w, state_copy, v_new, k_scaled, q_scaled, P});
  kernel.scale_keys = true;
  return kernel;
}

ChunkKernel gla_chunk(const Format& input) {
  ChunkKernel kernel = with_points(input, {state_copy, k_scaled, q_scaled, P});
  kernel.scale_keys = true;
  return kernel;
}

ChunkKernel generic(const Format& input) {
  ChunkKernel kernel = with_points(input, {key_beta, product, L, T, rv, rw, u, w, state_copy, v_new,
                                           v_scaled, k_scaled, q_scaled, P, gram_operand});
  kernel.gram_operand = kernel.operand;
  kernel.beta_first = kernel.rescale_rounded = true;
  kernel.scan = Scan::sequential;
  return kernel;
}

ChunkKernel base(const std::string& arithmetic, const Format& input) {
  if (arithmetic == "nvlabs-chunk") return nvlabs_chunk(input);
  if (arithmetic == "fla-simple-gla-chunk") return simple_gla_chunk(input);
  if (arithmetic == "fla-kda-chunk") return kda_chunk(input);
  if (arithmetic == "fla-gla-chunk") return gla_chunk(input);
  if (arithmetic == "generic") return generic(input);
  return fla_chunk(input);
}

}  // namespace

std::vector<NamedKernel> kernels_of(const std::string& arithmetic, const Format& input) {
  std::vector<NamedKernel> all;
  const auto add = [&](const char* variation, auto change) {
    ChunkKernel kernel = base(arithmetic, input);
    change(kernel);
    all.push_back(
        {arithmetic + " " + std::string(input.name) + ", " + variation, arithmetic, input, kernel});
  };
  add("as it is", [](ChunkKernel&) {});
  add("fp32 fma, other association, exp high", [](ChunkKernel& kernel) {
    kernel.dots = Dots::fma;
    if (kernel.merge == Merge::tf32_left) kernel.merge = Merge::tf32_right;
    kernel.exponential.push = 1;
    kernel.scan = Scan::blocks_of_8;
  });
  if (arithmetic == "nvlabs-chunk") return all;
  add("ampere, state added outside, exp low and flushed", [](ChunkKernel& kernel) {
    kernel.dots = Dots::ampere;
    kernel.chained_state = false;
    kernel.exponential = {-1, true};
  });
  add("IEEE merge, pairwise sums", [](ChunkKernel& kernel) {
    kernel.dots = Dots::pairwise;
    kernel.merge = Merge::ieee;
    kernel.scan = Scan::sklansky;
  });
  if (arithmetic != "generic") return all;
  add("keys scaled, one substitution", [](ChunkKernel& kernel) {
    kernel.scale_keys = true;
    kernel.merge = Merge::none;
  });
  add("q e^G as operand, k b e^G from the rounded k b", [](ChunkKernel& kernel) {
    kernel.decay_queries = true;
    kernel.rw_from_rounded = true;
  });
  add("scale folded into q, beta late", [](ChunkKernel& kernel) {
    kernel.scale_first = true;
    kernel.beta_first = false;
    kernel.rescale_rounded = false;
  });
  return all;
}

}  // namespace deltaproof::simulated
