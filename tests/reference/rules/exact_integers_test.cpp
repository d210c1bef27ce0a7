#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "reference/rules/chunk_wy.hpp"
#include "reference/rules/recurrence.hpp"
#include "tests/reference/rules/small_heads.hpp"

namespace deltaproof {
namespace {

Matrix integers(Index rows, Index columns) {
  Matrix matrix(rows, columns);
  for (Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = *rc::gen::inRange(-2, 3);
  return matrix;
}

// Small integers and beta in {0, 1/2, 1}: a step adds at most log2(3 * 2 * 2 + 1) + 1 < 5 bits to
// the state's entries, so after 8 of them double still holds every intermediate exactly.
HeadInputs integer_head() {
  HeadInputs head;
  head.options.rule = Rule::delta;
  head.options.scale = 0.5;
  head.tokens = *rc::gen::inRange(1, 9);
  head.K = *rc::gen::inRange(1, 4);
  head.V = *rc::gen::inRange(1, 7);
  head.q = integers(head.tokens, head.K);
  head.k = integers(head.tokens, head.K);
  head.v = integers(head.tokens, head.V);
  head.initial_state = integers(head.K, head.V);
  head.write = Matrix(head.tokens, 1);
  for (Index t = 0; t < head.tokens; ++t) head.write(t, 0) = *rc::gen::inRange(0, 3) / 2.0;
  return head;
}

template <class R>
std::vector<double> answers(const HeadInputs& head) {
  std::vector<R> state = elements<R>(head.initial_state), o(head.tokens * head.V, R(0));
  recurrence(make_steps<R>(head), state.data(), o.data(), NoObserver{});
  std::vector<double> all;
  for (const R& x : o) all.push_back(to_double(x));
  for (const R& x : state) all.push_back(to_double(x));
  return all;
}

RC_GTEST_PROP(ExactIntegers, DoubleMpfrAndTheChunkFormAgreeInEveryBit, ()) {
  const WorkingPrecision precision(256);
  const HeadInputs head = integer_head();
  const std::vector<double> exact = answers<Mpfr>(head);
  RC_ASSERT(answers<double>(head) == exact);
  const ChunkForm<double> chunk = chunk_wy<double>(head, *rc::gen::inRange<Index>(1, 9));
  std::vector<double> by_chunk = chunk.o;
  by_chunk.insert(by_chunk.end(), chunk.states.back().begin(), chunk.states.back().end());
  RC_ASSERT(by_chunk == exact);
}

}  // namespace
}  // namespace deltaproof
