#pragma once

#include <string>
#include <vector>

#include "reference/bounds/chunk_noise.hpp"
#include "tests/reference/bounds/disturbed_text.hpp"

namespace deltaproof::noise_tests {

/// One chunk of a text, with its model.
struct ChunkCase {
  std::string name;
  Rule rule;
  Declared declared;
  ChunkFormats formats;
  HeadInputs head;
  ChunkInput in;
  Matrix g;  ///< log decays, C x 1
  ChunkNoise noise;
};

struct ChunkShape {
  Index tokens = 64, K = 6, V = 4;
};

/// `regime`: of the inputs (families.hpp), in bf16, with an initial state. `b_in_16_bits`: b k is rounded, too.
ChunkCase chunk_case(std::string_view text, Rule rule, std::string_view regime, const ChunkShape& shape,
                     std::uint64_t seed, bool b_in_16_bits = false);

/// Each text with scalar decay and each kind of rule; some with an incomplete last block of 16 tokens.
std::vector<ChunkCase> chunk_cases();

struct Outputs {
  Matrix o, state;
};

/// How the outputs move with a disturbance at one place, to first order: the difference between the disturbed text
/// and the exact one, divided by a step so small (2^-60, in 192 bits) that the second order is below 2^-50 of the
/// first.
struct Derivative {
  Outputs outputs;
  Matrix disturbance;
  Matrix value;  ///< at that place
};
Derivative derivative(const ChunkCase& chunk, Place place, By by);

/// Of the text without any disturbance.
Outputs exact_outputs(const ChunkCase& chunk);

/// The difference that the whole disturbance makes: nothing left out.
Outputs difference(const ChunkCase& chunk, Place place, By by);

/// Of the truncations of all operands of all merges: what they do, and that to first order in them.
struct MergeEffect {
  Matrix o, first_order_o;
};
MergeEffect merge_effect(const ChunkCase& chunk);

/// a b, where 0 x 0 stands for the identity.
Matrix product(const Matrix& a, const Matrix& b);

/// nullptr if there is none of this name.
const NoiseSource* find(const Noise& noise, std::string_view name);
const KnownRounding* find_known(const Noise& noise, std::string_view name);

/// left d right; zero without a source.
Matrix of_source(const NoiseSource* source, const Matrix& d, Index rows, Index cols);

/// Largest difference, relative to the largest value of `exact`; 0 if both are zero.
double distance(const Matrix& found, const Matrix& exact);

}  // namespace deltaproof::noise_tests
