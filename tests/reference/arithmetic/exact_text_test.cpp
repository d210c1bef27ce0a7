// A text without rounding computes the recurrence: 256-bit arithmetic, to 2^-180 of the largest value. Any one
// operation off by 2^-100 is seen.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "reference/arithmetic/choices.hpp"
#include "reference/arithmetic/exact.hpp"
#include "reference/arithmetic/run_text.hpp"
#include "reference/rules/recurrence.hpp"
#include "tests/reference/arithmetic/support.hpp"

namespace deltaproof {
namespace {

using namespace arithmetic_tests;
using Exactly = Exact<Mpfr>;
using MpfrMatrix = Exactly::Block;

constexpr int precision = 256;
const double agreement = std::ldexp(1.0, -180);

struct Answer {
  MpfrMatrix o, state;
};

MpfrMatrix matrix_of(const std::vector<Mpfr>& values, Index rows, Index cols) {
  return Eigen::Map<const MpfrMatrix>(values.data(), rows, cols);
}

Answer by_recurrence(const HeadInputs& head) {
  const Steps<Mpfr> steps = make_steps<Mpfr>(head);
  Answer answer{MpfrMatrix(head.tokens, head.V), head.initial_state.cast<Mpfr>()};
  recurrence(steps, answer.state.data(), answer.o.data(), NoObserver{});
  return answer;
}

template <class R>
Answer by_text(const R& r, const HeadInputs& head) {
  const Steps<Mpfr> steps = make_steps<Mpfr>(head);
  const MpfrMatrix q = matrix_of(steps.q, head.tokens, head.K), k = matrix_of(steps.k, head.tokens, head.K);
  const MpfrMatrix beta = matrix_of(steps.b, head.tokens, 1), v = r.given(head.v);
  const MpfrMatrix g = head.g.size() == 0 ? r.zero(head.tokens, 1) : r.given(head.g);
  Answer answer{MpfrMatrix(head.tokens, head.V), r.given(head.initial_state)};
  for (Index begin = 0; begin < head.tokens; begin += head.options.chunk_size) {
    const Index n = std::min<Index>(head.options.chunk_size, head.tokens - begin);
    TextInput<R> in;
    in.q = q.middleRows(begin, n);
    in.k = k.middleRows(begin, n);
    in.v = v.middleRows(begin, n);
    in.g = g.middleRows(begin, n);
    in.beta = beta.middleRows(begin, n);
    in.state = answer.state;
    in.scale = r.constant(head.options.scale);
    in.residual = steps.residual;
    const TextOutput<R> out = run_text(r, in);
    answer.o.middleRows(begin, n) = out.o;
    answer.state = out.state;
  }
  return answer;
}

// Largest difference, relative to the largest value.
double distance(const MpfrMatrix& x, const MpfrMatrix& y) {
  Mpfr difference = 0, size = 0;
  for (Index i = 0; i < x.size(); ++i) {
    difference = std::max(difference, Mpfr(abs(x.data()[i] - y.data()[i])));
    size = std::max(size, Mpfr(abs(y.data()[i])));
  }
  return to_double(Mpfr(difference / size));
}

template <class R>
double distance_from_recurrence(const R& r, const HeadInputs& head) {
  const Answer answer = by_recurrence(head), text = by_text(r, head);
  return std::max(distance(text.o, answer.o), distance(text.state, answer.state));
}

// A partial last chunk, of 1 to 4 blocks of 16; chunks of one token; one chunk; K < V and K > V.
constexpr Shape shapes[] = {{37, 5, 3, 16}, {3, 4, 6, 1}, {67, 3, 2, 64}, {33, 2, 5, 32}, {20, 3, 3, 64}};
constexpr const char* families[] = {"rand_sig_gdn", "near_parallel", "b_1.98_a1", "resets", "kla_mixnorm"};

TEST(ExactText, IsTheRecurrenceForEveryRule) {
  const WorkingPrecision scope(precision);
  std::size_t turn = 0;
  for (const TextCase& each : text_cases()) {
    for (const Shape& shape : shapes) {
      const Regime& family = *find_regime(families[turn++ % std::size(families)]);
      HeadInputs head = family_head(family, each.rule, formats::bf16, shape, turn, turn % 4 != 0);
      if (turn % 3 == 0) head.options.qk_l2norm = L2Norm::both;
      EXPECT_LE(distance_from_recurrence(Exactly(each.declared), head), agreement)
          << each.name() << ", " << family.name << ", tokens " << shape.tokens << ", chunk " << shape.chunk;
    }
  }
}

// Choices of rounding points and of parts are nothing to a reading that does not round.
TEST(ExactText, IsTheRecurrenceForEveryChoiceOfOrder) {
  const WorkingPrecision scope(precision);
  for (const TextCase& each : text_cases()) {
    const HeadInputs head = family_head(*find_regime("rand_sig_gdn"), each.rule, formats::bf16, {50, 2, 1, 48}, 5, true);
    const Answer answer = by_recurrence(head);
    for (const Variation& variation : variations(each.declared)) {
      if (variation.declared.at != each.declared.at || variation.declared.parts != each.declared.parts) continue;
      const Answer text = by_text(Exactly(variation.declared), head);
      EXPECT_LE(std::max(distance(text.o, answer.o), distance(text.state, answer.state)), agreement)
          << each.name() << ", " << variation.difference;
    }
  }
}

// One operation whose results are too large by 2^-100, or that takes the decay of the token before.
enum class Fault { add, subtract, times, fma, exp2, log2e, scan, shifted_scan, lower, mma, merge, inverse, channel_sum,
                   lane_dot, scaled_sum, round };
constexpr std::pair<Fault, const char*> faults[] = {
    {Fault::add, "add"}, {Fault::subtract, "subtract"}, {Fault::times, "times"}, {Fault::fma, "fma"},
    {Fault::exp2, "exp2"}, {Fault::log2e, "log2e"}, {Fault::scan, "scan"}, {Fault::shifted_scan, "shifted scan"},
    {Fault::lower, "lower"}, {Fault::mma, "mma"}, {Fault::merge, "merge"}, {Fault::inverse, "inverse"},
    {Fault::channel_sum, "channel_sum"}, {Fault::lane_dot, "lane_dot"}, {Fault::scaled_sum, "scaled_sum"},
    {Fault::round, "round"}};

class Faulty : public Exactly {
 public:
  Faulty(const Declared& declared, Fault fault) : Exactly(declared), fault_(fault) {}

  bool was_used() const { return used_; }
  Block add(const Block& a, const Block& b) const { return out(Fault::add, Exactly::add(a, b)); }
  Block subtract(const Block& a, const Block& b) const { return out(Fault::subtract, Exactly::subtract(a, b)); }
  Block times(const Block& a, const Block& b) const { return out(Fault::times, Exactly::times(a, b)); }
  Block fma(const Block& a, const Block& b, const Block& c) const { return out(Fault::fma, Exactly::fma(a, b, c)); }
  Block exp2(const Block& a) const { return out(Fault::exp2, Exactly::exp2(a)); }
  Block log2e() const { return out(Fault::log2e, Exactly::log2e()); }
  Block scan(const Block& g) const {
    Block sums = out(Fault::scan, Exactly::scan(g));
    if (fault_ != Fault::shifted_scan) return sums;
    used_ = true;
    return Exactly::subtract(sums, g);
  }
  Block lower(const Block& a) const { return out(Fault::lower, Exactly::lower(a)); }
  Block mma(const Block& c, const Block& a, const Block& b, Product p) const {
    return out(Fault::mma, Exactly::mma(c, a, b, p));
  }
  Block merge(const Block& c, const Block& a, const Block& b) const {
    return out(Fault::merge, Exactly::merge(c, a, b));
  }
  Block inverse(const Block& L) const { return out(Fault::inverse, Exactly::inverse(L)); }
  Block channel_sum(const Block& a, const Block& b) const {
    return out(Fault::channel_sum, Exactly::channel_sum(a, b));
  }
  Block lane_dot(const Block& S, const Block& x, Index lanes) const {
    return out(Fault::lane_dot, Exactly::lane_dot(S, x, lanes));
  }
  Block scaled_sum(const Block& x, const Block& y, const Block& s) const {
    return out(Fault::scaled_sum, Exactly::scaled_sum(x, y, s));
  }
  Block round(const Block& a, Point point) const { return out(Fault::round, Exactly::round(a, point)); }

 private:
  Block out(Fault operation, Block result) const {
    if (operation != fault_) return result;
    used_ = true;
    return Block(result * Mpfr(1 + ldexp(Mpfr(1), -100)));
  }

  Fault fault_;
  mutable bool used_ = false;
};

TEST(ExactText, IsNotTheRecurrenceIfOneOperationIsOff) {
  const WorkingPrecision scope(precision);
  for (const TextCase& each : text_cases()) {
    if (rule_info(each.rule).decay == Decay::none) continue;  // the scan of zeros cannot be wrong
    const HeadInputs head = family_head(*find_regime("rand_sig_gdn"), each.rule, formats::bf16, {34, 3, 2, 32}, 3, true);
    int used = 0;
    for (const auto& [fault, name] : faults) {
      const Faulty r(each.declared, fault);
      const double off = distance_from_recurrence(r, head);
      EXPECT_EQ(off > agreement, r.was_used()) << each.name() << ", " << name << ": " << off;
      used += r.was_used();
    }
    EXPECT_GE(used, 5) << each.name();
  }
}

}  // namespace
}  // namespace deltaproof
