#include "properties/stages/read_answer.hpp"

#include <algorithm>

#include "reference/bounds/read_bound.hpp"
#include "reference/oracle/hola_read.hpp"

namespace deltaproof {
namespace {

// sigmoid of it is 1 but for e^-800.
constexpr double open_gate = 800;

struct Judged {
  Matrix value, bound;
};

Judged judged(const HeadInputs& head, const CacheSets& sets, const ReadFormats& formats) {
  const CacheReadAnswer exact = cache_read_answer(head, sets);
  const Matrix bound = read_bound(head, sets, formats, false).sum(head.tokens, head.V);
  return {exact.o, bound + exact.o_radius};
}

// Queries that see the cache alone: each is the last token of a sequence of its own that holds what it sees, in one
// block. Nothing visible: 0, exactly.
Judged of_cache_alone(const ReadInput& input, const HeadInputs& head, const StageSequence& sequence, std::int64_t h,
                      const ReadFormats& formats) {
  Judged result{Matrix::Zero(head.tokens, head.V), Matrix::Zero(head.tokens, head.V)};
  for (Index t = 0; t < head.tokens; ++t) {
    const std::vector<Index> visible = row_of(input, sequence, t / input.C, h);
    if (visible.empty()) continue;
    HeadInputs alone = head;
    alone.tokens = alone.options.hola.cache_block = static_cast<Index>(visible.size());
    alone.q = head.q.row(t).replicate(alone.tokens, 1);
    alone.k = head.k(visible, Eigen::all);
    alone.v = head.v(visible, Eigen::all);
    const Judged own = judged(alone, {{}}, formats);
    result.value.row(t) = own.value.row(alone.tokens - 1);
    result.bound.row(t) = own.bound.row(alone.tokens - 1);
  }
  return result;
}

Judged of_all(const ReadInput& input, const HeadInputs& head, const StageSequence& sequence, std::int64_t h) {
  const ReadFormats formats = stage_read_formats(input, head);
  if (!input.read_block) return of_cache_alone(input, head, sequence, h, formats);
  CacheSets sets;
  for (Index n = 0; n < sequence.blocks; ++n) {
    sets.push_back(row_of(input, sequence, n, h));
    std::sort(sets.back().begin(), sets.back().end());
  }
  return judged(head, sets, formats);
}

}  // namespace

ReadFormats stage_read_formats(const ReadInput& input, const HeadInputs& head) {
  const Format& format = dtype_format(input.q.dtype);
  ReadFormats formats = read_formats("deltaproof-chunk", head, format, format, *find_tensor_core("any"));
  formats.state = not_rounded;  // o is handed in as it is stored
  return formats;
}

ReadAnswer read_answer(const ReadInput& input, const StageSequence& sequence, std::int64_t head) {
  HeadInputs inputs = head_of(input, sequence, head);
  const Judged share = of_all(input, inputs, sequence, head);
  inputs.cache_gate = open_gate;
  const Judged read = of_all(input, inputs, sequence, head);
  return {read.value, read.bound, share.value, share.bound};
}

}  // namespace deltaproof
