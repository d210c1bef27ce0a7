#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>

#include "reference/arithmetic/bits.hpp"
#include "reference/problem/head.hpp"

namespace deltaproof {

/// One chunk of a faulty run, and what its text has made so far.
struct ChunkStep {
  const Bits& bits;        ///< the arithmetic without the fault
  TextInput<Bits> in;
  std::array<MatrixF, product_count> products = {};
  std::array<MatrixF, point_count> stored = {};

  const MatrixF& operator[](Product product) const { return products[static_cast<std::size_t>(product)]; }
  const MatrixF& operator[](Point point) const { return stored[static_cast<std::size_t>(point)]; }
};

/// What is wrong in a kernel that otherwise computes its declared text: edits at places of the text, which itself
/// is neither copied nor changed. What is not set does nothing.
struct Fault {
  std::int64_t head = -1;  ///< the only value head it is in; -1: all
  Index chunk = -1;        ///< the only chunk of a sequence it is in; -1: all. `run_inputs` knows no chunks

  std::function<void(Declared&)> declaration = {};
  std::function<void(const Problem&, const Sequence&, std::int64_t head, HeadInputs&)> run_inputs = {};
  std::function<void(TextInput<Bits>&)> chunk_inputs = {};
  std::function<void(Product, MatrixF& a, MatrixF& b)> factors = {};           ///< before they are multiplied
  std::function<void(const ChunkStep&, Product, MatrixF&)> product = {};       ///< what came out
  std::function<void(const ChunkStep&, Point, MatrixF&)> before_rounding = {};
  std::function<void(const ChunkStep&, Point, MatrixF&)> after_rounding = {};
  std::function<void(const ChunkStep&, MatrixF&)> next_state = {};
  std::optional<double> log2e = {};
};

}  // namespace deltaproof
