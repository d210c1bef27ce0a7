#include "noise_draws.hpp"

#include <cmath>

#include "reference/bounds/chunk_noise.hpp"
#include "reference/oracle/answer.hpp"
#include "small_problems.hpp"

namespace deltaproof {
std::vector<ModelledChunk> modelled_chunks(std::int64_t heads, std::int64_t chunks) {
  constexpr std::int64_t size = 32, channels = 16;
  Sizes sizes;
  sizes.T = size * chunks;
  sizes.H = sizes.HV = heads;
  sizes.K = sizes.V = channels;
  const Problem problem = make_problem("gated_delta", "fla-chunk", small_inputs("gated_delta", sizes),
                                       {{"chunk_size", "32"}, {"states_every", "32"}});
  const ChunkFormats formats =
      chunk_formats("fla-chunk", rule_info(Rule::gated_delta), formats::bf16, size).value();
  std::vector<ModelledChunk> list;
  for (std::int64_t head = 0; head < heads; ++head) {
    const HeadInputs inputs = head_inputs(problem, problem.sequences().front(), head);
    Matrix state = inputs.initial_state;
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
      const HeadInputs slice = inputs.slice(chunk * size, size, state);
      const HeadAnswer answer = answer_double(slice, {.every = size, .trace = false, .u = false});
      const ChunkNoise noise = chunk_noise(chunk_input(slice, state, {}), formats, *find_tensor_core("any"));
      list.push_back({head, chunk, answer.o, noise.o});
      state = answer.states[0].cast<float>().cast<double>();
    }
  }
  return list;
}

double NoiseDraws::uniform(double low, double high) {
  return low + (high - low) * static_cast<double>(random_() >> 11) * 0x1p-53;
}

Matrix NoiseDraws::uniform(const Matrix& half_width) {
  return half_width.unaryExpr([this](double h) { return uniform(-h, h); });
}

std::vector<int> NoiseDraws::choose_known(const Noise& noise) {
  std::vector<int> chosen;
  for (const KnownRounding& known : noise.known) {
    chosen.push_back(static_cast<int>(random_() % (known.effects.size() + 1)) - 1);
  }
  return chosen;
}

Matrix NoiseDraws::errors(const ModelledChunk& chunk, const std::vector<int>& known, double worst) {
  const Noise& noise = chunk.noise;
  Matrix sum = worst * noise.worst.cwiseProduct(chunk.expected.cwiseSign());
  for (const NoiseSource& source : noise.random) {
    sum += source.carried(uniform((3 * source.variance).cwiseSqrt()));
  }
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (known[i] >= 0) sum += noise.known[i].effects[static_cast<std::size_t>(known[i])];
  }
  return sum;
}

Matrix deviations_of(const Noise& noise, const Matrix& error) {
  const Matrix above = error - noise.high() - noise.worst, below = noise.low() - noise.worst - error;
  return above.cwiseMax(below).cwiseMax(0).cwiseQuotient(noise.variance().cwiseSqrt());
}

GroupSums groups_of(const std::vector<ModelledChunk>& chunks, const std::vector<Matrix>& errors) {
  GroupSums sums;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const ModelledChunk& at = chunks[i];
    const Matrix z = deviations_of(at.noise, errors[i]), variance = at.noise.variance();
    const Matrix rehearsed = rehearsed_energy(at.noise, variance);
    add_groups({false, at.head, at.chunk, errors[i], at.expected, z, at.noise, variance, rehearsed}, sums);
  }
  return sums;
}

}  // namespace deltaproof
