#include <gtest/gtest.h>

#include "reference/rules/chunk_wy.hpp"
#include "reference/rules/recurrence.hpp"
#include "tests/reference/rules/small_heads.hpp"

// The recurrence against a naive text with one mistake each: every mistake must be seen.

namespace deltaproof {
namespace {

enum class Mistake {
  none,
  residual_from_undecayed,
  decay_twice,
  decay_after_write,
  read_before_write,
  last_write_skipped,
  key_channel_dropped,
  residual_sign,
  no_residual,
  no_scale,
};

struct Trajectory {
  std::vector<double> o, state;
  bool operator==(const Trajectory&) const = default;
};

// One value column, written as the semantics page has it. Numbers are dyadic: double is exact.
Trajectory naive(const Steps<double>& steps, std::vector<double> S, Mistake mistake) {
  Trajectory run;
  for (Index t = 0; t < steps.tokens; ++t) {
    const double* k = steps.k.data() + t * steps.K;
    const double* q = steps.q.data() + t * steps.K;
    const std::vector<double> before = S;
    const double a = steps.alpha[t];
    if (mistake != Mistake::decay_after_write)
      for (double& s : S) s *= mistake == Mistake::decay_twice && t == 1 ? a * a : a;
    double p = 0;
    for (Index i = mistake == Mistake::key_channel_dropped; i < steps.K; ++i)
      p += (mistake == Mistake::residual_from_undecayed ? before : S)[i] * k[i];
    if (mistake == Mistake::residual_sign) p = -p;
    if (mistake == Mistake::no_residual) p = 0;
    const double w = steps.b[t] * (steps.v[t] - p);
    const std::vector<double> decayed = S;
    if (!(mistake == Mistake::last_write_skipped && t + 1 == steps.tokens))
      for (Index i = 0; i < steps.K; ++i) S[i] += k[i] * w;
    if (mistake == Mistake::decay_after_write)
      for (double& s : S) s *= a;
    double read = 0;
    for (Index i = 0; i < steps.K; ++i)
      read += (mistake == Mistake::read_before_write ? decayed : S)[i] * q[i];
    run.o.push_back(mistake == Mistake::no_scale ? read : steps.scale * read);
  }
  run.state = S;
  return run;
}

Steps<double> dyadic_steps(HeadInputs& head) {
  head = two_token_head(Rule::gated_delta);
  head.g = matrix_of({{-1}, {-1}});
  head.write = matrix_of({{0.5}, {0.25}});
  Steps<double> steps = make_steps<double>(head);
  steps.alpha = {0.5, 0.5};
  return steps;
}

TEST(Mutations, TheRecurrenceIsTheNaiveTextAndNoneOfItsMistakes) {
  HeadInputs head;
  const Steps<double> steps = dyadic_steps(head);
  Trajectory run{std::vector<double>(2), elements<double>(head.initial_state)};
  recurrence(steps, run.state.data(), run.o.data(), NoObserver{});
  const std::vector<double> start = elements<double>(head.initial_state);
  EXPECT_EQ(run, naive(steps, start, Mistake::none));
  for (int m = 1; m <= static_cast<int>(Mistake::no_scale); ++m)
    EXPECT_FALSE(run == naive(steps, start, static_cast<Mistake>(m)))
        << "mistake " << m << " is not seen";
}

// ln(1/2) is not a double: the chunk form's enclosure has to tell the mistakes apart from the right
// text at the alpha = exp(g) of the double g. 2^-40 separates any two of these answers.
TEST(Mutations, TheChunkFormEnclosesTheRightAnswerAlone) {
  const WorkingPrecision precision(256);
  HeadInputs head;
  Steps<double> steps = dyadic_steps(head);
  const double g = std::log(0.5);
  head.g = matrix_of({{g}, {g}});
  const ChunkForm<Interval> chunk = chunk_wy<Interval>(head, 2);
  const auto near = [](const Interval& x, double y) {
    const double slack = 0x1p-40;
    return lower(x) - slack <= y && y <= upper(x) + slack;
  };
  for (int m = 0; m <= static_cast<int>(Mistake::no_scale); ++m) {
    const Trajectory run =
        naive(steps, elements<double>(head.initial_state), static_cast<Mistake>(m));
    bool agrees = true;
    for (std::size_t t = 0; t < 2; ++t) agrees = agrees && near(chunk.o[t], run.o[t]);
    for (std::size_t i = 0; i < 2; ++i)
      agrees = agrees && near(chunk.states.back()[i], run.state[i]);
    EXPECT_EQ(agrees, m == 0) << "mistake " << m;
  }
}

}  // namespace
}  // namespace deltaproof
