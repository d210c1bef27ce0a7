// The corollary of theorem 7 (docs/certificate.md): eight times the radius of a softmax in double
// holds for online evaluations too. The kernel here shares no code with the oracle.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "heads.hpp"
#include "reference/oracle/answer.hpp"

namespace deltaproof::testing {
namespace {

struct Online {
  Index block = 1;
  bool normalised = false;  ///< o is kept divided by the sum so far
  bool base_two = false;
  Index forgotten = -1;  ///< the token whose rescaling the kernel forgets
};

template <class F>
struct Accumulator {
  F maximum, sum;
  std::vector<F> o;
};

template <class F>
F exponential(F x, const Online& kernel) {
  return kernel.base_two ? std::exp2(x) : std::exp(x);
}

// Logits of query t against all keys up to it.
template <class F>
std::vector<F> logits_of(const HeadInputs& head, Index t, const Online& kernel) {
  const F scale = static_cast<F>(head.options.scale) *
                  (kernel.base_two ? static_cast<F>(1.4426950408889634) : F(1));
  std::vector<F> z;
  for (Index j = 0; j <= t; ++j) {
    F dot = 0;
    for (Index i = 0; i < head.K; ++i)
      dot += static_cast<F>(head.q(t, i)) * static_cast<F>(head.k(j, i));
    z.push_back(dot * scale);
  }
  return z;
}

template <class F>
void take_block(const HeadInputs& head, const std::vector<F>& z, Index begin, Index end,
                const Online& kernel, Accumulator<F>& a) {
  F highest = a.maximum;
  for (Index j = begin; j < end; ++j) highest = std::max(highest, z[static_cast<std::size_t>(j)]);
  F keep = exponential(a.maximum - highest, kernel);
  if (kernel.forgotten >= begin && kernel.forgotten < end) keep = 1;
  const F sum_before = a.sum;
  a.sum *= keep;
  for (F& x : a.o) x = (kernel.normalised ? x * sum_before : x) * keep;
  for (Index j = begin; j < end; ++j) {
    const F p = exponential(z[static_cast<std::size_t>(j)] - highest, kernel);
    a.sum += p;
    for (Index c = 0; c < head.V; ++c)
      a.o[static_cast<std::size_t>(c)] += p * static_cast<F>(head.v(j, c));
  }
  if (kernel.normalised)
    for (F& x : a.o) x /= a.sum;
  a.maximum = highest;
}

template <class F>
Matrix online_softmax(const HeadInputs& head, const Online& kernel) {
  Matrix o(head.tokens, head.V);
  for (Index t = 0; t < head.tokens; ++t) {
    const std::vector<F> z = logits_of<F>(head, t, kernel);
    Accumulator<F> a{-HUGE_VALF, 0, std::vector<F>(static_cast<std::size_t>(head.V))};
    if (head.sink) {
      a.maximum = static_cast<F>(*head.sink) * (kernel.base_two ? F(1.4426950408889634) : F(1));
      a.sum = 1;
    }
    for (Index begin = 0; begin <= t; begin += kernel.block)
      take_block(head, z, begin, std::min(begin + kernel.block, t + 1), kernel, a);
    for (Index c = 0; c < head.V; ++c) {
      const F x = a.o[static_cast<std::size_t>(c)];
      o(t, c) = static_cast<double>(kernel.normalised ? x : x / a.sum);
    }
  }
  return o;
}

// The largest error, with the radius of the answer it is measured from, over the double radius.
double worst_ratio(const HeadInputs& head, const Matrix& o) {
  const HeadAnswer exact = answer_mpfr(head, {}, 200), in_double = answer_double(head, {});
  EXPECT_TRUE(in_double.o_radius.allFinite());
  double worst = 0;
  for (Index i = 0; i < o.size(); ++i) {
    const double error = std::abs(o.data()[i] - exact.o.data()[i]) + exact.o_radius.data()[i];
    const double ratio = error / in_double.o_radius.data()[i];
    worst = ratio <= worst ? worst : ratio;
  }
  return worst;
}

// Logits that rise from key to key by `step`: every key rescales what came before.
HeadInputs rising(double step, Index tokens = 100) {
  HeadInputs head = random_head(Rule::softmax, {.tokens = tokens, .K = 4, .V = 4}, 31);
  head.q.setOnes();
  for (Index t = 0; t < tokens; ++t) head.k.row(t).setConstant(step * static_cast<double>(t));
  head.k = exact_in_float(head.k / (4 * head.options.scale));
  return head;
}

std::vector<NamedHead> softmax_heads() {
  std::vector<NamedHead> heads{{"random", random_head(Rule::softmax, {100, 16, 4}, 32)}};
  for (const double step : {1e-3, 0.1, 1.0, 37.3, 720.0, -0.1, -720.0})
    heads.push_back({"logits rising by " + std::to_string(step), rising(step)});
  for (const double sink : {-800.0, 0.0, 800.0}) {
    heads.push_back({"sink " + std::to_string(sink), rising(0.5)});
    heads.back().head.sink = sink;
  }
  return heads;
}

TEST(OnlineSoftmax, IsWithinEightRadii) {
  for (const NamedHead& named : softmax_heads()) {
    double worst = 0;
    for (const Index block : {1, 3, 16})
      for (const bool normalised : {false, true})
        for (const bool base_two : {false, true})
          worst = std::max(worst,
                           worst_ratio(named.head, online_softmax<double>(
                                                       named.head, {block, normalised, base_two})));
    EXPECT_LE(worst, 8) << named.name;
    std::printf("%-32s error/radius %.3f\n", named.name.c_str(), worst);
  }
}

TEST(OnlineSoftmax, AForgottenRescalingIsOutside) {
  const HeadInputs head = rising(1e-3);
  for (const Index block : {1, 16})
    EXPECT_GT(worst_ratio(head, online_softmax<double>(head, {.block = block, .forgotten = 40})),
              8);
}

TEST(OnlineSoftmax, FloatIsOutside) {
  const HeadInputs head = random_head(Rule::softmax, {}, 33);
  EXPECT_GT(worst_ratio(head, online_softmax<float>(head, {})), 8);
}

}  // namespace
}  // namespace deltaproof::testing
