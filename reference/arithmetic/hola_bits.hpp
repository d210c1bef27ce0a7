#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <vector>

#include "reference/arithmetic/emulate.hpp"
#include "reference/rules/cache_sets.hpp"

namespace deltaproof {

/// One head of one sequence of a run of rule `hola`, as the built-in kernels compute it (docs/arithmetic.md, 'HOLA's
/// cache').
struct HolaHead {
  std::int64_t sequence = 0, head = 0;
  HeadInputs inputs;          ///< as scores and reads use them: those handed in
  Emulation state;            ///< of the state path, o in the inputs' type
  std::vector<float> scores;  ///< of each token, fixed when it is written
  CacheSets rows;             ///< of each block, what its queries see of the tokens before it, best first
};

/// What is wrong in a kernel that otherwise computes HOLA as declared: edits at the places where scores, sets and reads
/// are made. What is not set does nothing.
struct HolaFault {
  /// Of what scores and reads are made; the state path has the right ones.
  std::function<void(const Problem&, const Sequence&, std::int64_t head, HeadInputs&)> inputs = {};
  std::function<MatrixF(const Bits&, const TextInput<Bits>&)> written = {};  ///< U of a chunk, for scores alone
  std::function<void(const HolaHead&, std::vector<float>&)> scores = {};
  /// The rows of one of `heads`, all of which have their scores and their right rows: what is exported and read with.
  std::function<void(std::span<const HolaHead> heads, const HolaHead& own, CacheSets&)> rows = {};
  /// What query t reads, cache first, behind what was exported.
  std::function<void(const HolaHead&, Index t, std::vector<Index>&)> entries = {};
  std::function<float(const HeadInputs&, float squares, bool key)> row_factor = {};  ///< that normalises q or a key
  bool shifts = true;         ///< exponents are taken less their maximum
  bool rescales = true;       ///< what was summed so far, when the maximum rises
  bool divides = true;        ///< by the sum of the weights
  bool sink_has_value = false;  ///< that of the first entry, in the place of 0
  std::function<float(float gate)> gate = {};  ///< in the place of the sigmoid
  std::function<float(float s, float read, float o)> combined = {};  ///< in the place of s read + o
};

/// By one warp a row (lane l has elements l, l + 32, ..): m_t from U, k, v and b, in fp32. Rule hola with any score but
/// `attention`; score `e` needs a state path that has e. Throws std::logic_error without.
std::vector<float> hola_scores(const HolaHead& head);

/// |b| of token t as the scores have it: formed from the norm of the key, not always to the bit that of the state path.
float hola_write_size(const HeadInputs& inputs, Index t);

/// A score that is NaN has no rank: the built-in kernels refuse it.
class UnrankedScore : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws UnrankedScore that names the token, the head and the sequence of a score that is NaN.
void refuse_nan_score(const HolaHead& head);

/// The rows of scores that rank: score descending, of equal ones the earlier token first.
CacheSets hola_rows(const HolaHead& head);

/// What the queries read of the cache, tokens x V, in fp32.
MatrixF hola_reads(const HolaHead& head, const HolaFault& fault = {});

/// o of the layer: the state path's, and the read through its gate, to nearest in `stored`.
MatrixF hola_outputs(const HolaHead& head, const Format& stored, const HolaFault& fault = {});

}  // namespace deltaproof
