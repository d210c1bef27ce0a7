#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "reference/arithmetic/bits.hpp"
#include "reference/arithmetic/emulate.hpp"
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

/// Kernels that a fault can be in.
enum class Kernels { any, chunk, recurrent };

/// What is wrong in a kernel that otherwise computes its declared text: edits at places of the text, which itself
/// is neither copied nor changed. What is not set does nothing.
struct Fault {
  Kernels kernels = Kernels::any;
  std::int64_t sequence = -1;  ///< the only sequence it is in; -1: all
  std::int64_t head = -1;      ///< the only value head; -1: all
  Index chunk = -1;            ///< the only chunk of a sequence; -1: all. Edits of whole runs know no chunks

  std::function<void(Declared&)> declaration = {};
  /// Edits of whole runs: their inputs (normalised in the kernel if options.qk_l2norm still says so), the state that
  /// enters a chunk (of the initial state and those after each chunk so far), and what is kept of the run.
  std::function<void(const Problem&, const Sequence&, std::int64_t head, HeadInputs&)> run_inputs = {};
  std::function<MatrixF(std::span<const MatrixF> states)> entering = {};
  std::function<void(const HeadInputs& stored, Emulation&)> kept = {};

  std::function<void(TextInput<Bits>&)> chunk_inputs = {};
  std::function<void(Product, MatrixF& a, MatrixF& b)> factors = {};           ///< before they are multiplied
  std::function<void(const ChunkStep&, Product, MatrixF&)> product = {};       ///< what came out
  std::function<void(const ChunkStep&, Point, MatrixF&)> before_rounding = {};
  std::function<void(const ChunkStep&, Point, MatrixF&)> after_rounding = {};
  std::function<void(const MatrixF& whole, MatrixF& masked)> lower = {};           ///< i >= j is kept, of scores
  std::function<void(const MatrixF& whole, MatrixF& masked)> strictly_lower = {};  ///< i > j is kept, of L
  std::function<void(const MatrixF& L, MatrixF& inverse)> block_inverse = {};      ///< of a diagonal block
  std::function<void(MatrixF& merged)> off_diagonal = {};                          ///< a block merged of others
  std::function<void(const ChunkStep&, MatrixF&)> next_state = {};
  std::optional<double> log2e = {};
  /// Read in the place of the text of a kernel without chunks.
  std::function<TextOutput<Bits>(const Bits&, const TextInput<Bits>&)> recurrence = {};

  // Which products and points the edits above are at: what `is_in` looks for in a text.
  std::vector<Product> products = {};
  std::vector<Point> points = {};
};

/// Whether a kernel of this declaration has any place that the fault is at.
bool is_in(const Fault& fault, const Declared& declared);

}  // namespace deltaproof
