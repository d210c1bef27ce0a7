#pragma once

#include "kernels/built_in/cache_contents.hpp"
#include "reference/problem/case_file.hpp"

namespace deltaproof {

/// `hola_decode`: one token of every sequence a call, state and cache in place between them.
class HolaDecoder {
 public:
  /// At the first tokens of the sequences, with an empty cache.
  HolaDecoder(const Device& device, const Problem& problem);
  /// At tokens `begin` of the sequences, with states and cache as tokens before left them. Rows of
  /// tokens before keep their poison.
  HolaDecoder(const Device& device, const Problem& problem, std::int64_t begin, Tensor states, CacheContents cache);

  /// The next token of every sequence that has one. Throws KernelError.
  void step();
  bool done() const;
  /// o, final_state, chunk_states, scores and selected so far.
  const Outputs& outputs() const { return outputs_; }
  const CacheContents& cache() const { return cache_; }

 private:
  void keep_rows(const Tensor& selected);

  const Device& device_;
  const Problem& problem_;
  Problem part_;  ///< of the state
  std::int64_t t_;
  CacheContents cache_;
  Outputs outputs_;
};

/// All tokens. Outputs as run_hola's. Throws KernelError.
Outputs run_hola_decode(const Device& device, const Problem& problem);

}  // namespace deltaproof
