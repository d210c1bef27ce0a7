#include <algorithm>

#include "properties/golden/routes.hpp"
#include "properties/golden/second_cache.hpp"
#include "properties/golden/streaming.hpp"
#include "reference/rules/chunk_wy.hpp"

namespace deltaproof::golden {
namespace {

using Numbers = std::vector<Interval>;

Numbers zeros(Index count) { return Numbers(static_cast<std::size_t>(count), Interval(0)); }

HeadIntervals of_chunks(const HeadInputs& head, const ChunkForm<Interval>& chunks) {
  HeadIntervals result;
  result.o = chunks.o;
  const auto every = static_cast<std::size_t>(head.options.states_every / head.options.chunk_size);
  for (std::size_t n = every; n < chunks.states.size(); n += every) result.states.push_back(chunks.states[n - 1]);
  result.states.push_back(chunks.states.empty() ? elements<Interval>(head.initial_state) : chunks.states.back());
  return result;
}

HeadIntervals by_chunks(const HeadInputs& head) {
  const ChunkForm<Interval> chunks = chunk_wy<Interval>(head.state_part(), head.options.chunk_size);
  HeadIntervals result = of_chunks(head, chunks);
  if (head.options.rule == Rule::hola) add_cache(head, chunks, result);
  return result;
}

Interval dot(const Interval* x, const Interval* y, Index count) {
  Interval sum(0);
  for (Index i = 0; i < count; ++i) sum += x[i] * y[i];
  return sum;
}

HeadIntervals by_streaming(const HeadInputs& head) {
  const Index K = head.K, V = head.V;
  const Numbers q = queries<Interval>(head), k = keys<Interval>(head), v = elements<Interval>(head.v);
  const Interval scale(head.options.scale);
  HeadIntervals result;
  for (Index t = 0; t < head.tokens; ++t) {
    Streaming sums(V, head.sink);
    for (Index j = 0; j <= t; ++j)
      sums.add(scale * dot(q.data() + t * K, k.data() + j * K, K), v.data() + j * V);
    for (Index c = 0; c < V; ++c) result.o.push_back(sums.value(static_cast<std::size_t>(c)));
  }
  return result;
}

/// One element S_t[i, j] = f_t .. f_1 S_0 + sum_s f_t .. f_{s+1} d_s v_s k_s[i] of longhorn, with
/// f = (1 + b (|k|^2 - k_i^2)) / (1 + b |k|^2): nothing is subtracted from 1.
class LonghornColumns {
 public:
  explicit LonghornColumns(const HeadInputs& head)
      : head_(head), k_(keys<Interval>(head)), S0_(elements<Interval>(head.initial_state)) {
    for (Index t = 0; t < head.tokens; ++t)
      for (Index j = 0; j < head.V; ++j) add(t, j);
  }

  /// After token t; -1: the initial state.
  Numbers state(Index t) const {
    Numbers S = zeros(head_.K * head_.V);
    for (Index i = 0; i < head_.K; ++i)
      for (Index j = 0; j < head_.V; ++j) S[static_cast<std::size_t>(i * head_.V + j)] = element(t, i, j);
    return S;
  }

 private:
  void add(Index t, Index j) {
    const Interval* k = k_.data() + t * head_.K;
    const Interval b(head_.write(t, j)), total = square_sum(k, head_.K), divisor = Interval(1) + b * total;
    written_.push_back(b * Interval(head_.v(t, j)) / divisor);
    for (Index i = 0; i < head_.K; ++i) {
      Interval others(0);
      for (Index m = 0; m < head_.K; ++m)
        if (m != i) others += k[m] * k[m];
      factor_.push_back((Interval(1) + b * others) / divisor);
    }
  }

  Interval element(Index t, Index i, Index j) const {
    Interval product(1), sum(0);
    for (Index s = t; s >= 0; --s) {
      const auto at = static_cast<std::size_t>(s * head_.V + j);
      sum += product * written_[at] * k_[static_cast<std::size_t>(s * head_.K + i)];
      product *= factor_[at * static_cast<std::size_t>(head_.K) + static_cast<std::size_t>(i)];
    }
    return sum + product * S0_[static_cast<std::size_t>(i * head_.V + j)];
  }

  const HeadInputs& head_;
  Numbers k_, S0_;
  Numbers written_;  ///< tokens x V: d v
  Numbers factor_;   ///< tokens x V x K
};

HeadIntervals by_sums(const HeadInputs& head) {
  const LonghornColumns columns(head);
  const Numbers q = queries<Interval>(head);
  const Interval scale(head.options.scale);
  HeadIntervals result;
  for (Index t = 0; t < head.tokens; ++t) {
    const Numbers S = columns.state(t);
    for (Index j = 0; j < head.V; ++j) {
      Interval sum(0);
      for (Index i = 0; i < head.K; ++i) sum += q[static_cast<std::size_t>(t * head.K + i)] * S[static_cast<std::size_t>(i * head.V + j)];
      result.o.push_back(scale * sum);
    }
    if ((t + 1) % head.options.states_every == 0 && t + 1 < head.tokens) result.states.push_back(S);
  }
  result.states.push_back(columns.state(head.tokens - 1));
  return result;
}

/// Slots of gsa as sums: after token t slot m holds P_m x_0 + sum_j c_mj x_j, c_mj = (1 - a_j) a_{j+1} .. a_t.
class SlotSums {
 public:
  explicit SlotSums(const HeadInputs& head) : head_(head), start_(zeros(head.slots)), share_(static_cast<std::size_t>(head.slots)) {
    for (Interval& x : start_) x = Interval(1);
  }

  void take(Index t) {
    for (Index m = 0; m < head_.slots; ++m) {
      const Interval a(head_.slot_decay(t, m));
      start_[static_cast<std::size_t>(m)] *= a;
      for (Interval& x : share_[static_cast<std::size_t>(m)]) x *= a;
      share_[static_cast<std::size_t>(m)].push_back(Interval(1) - a);
    }
  }
  const Interval& start(Index m) const { return start_[static_cast<std::size_t>(m)]; }
  const Numbers& share(Index m) const { return share_[static_cast<std::size_t>(m)]; }

  /// The slots' contents: slots x width, from rows x of the tokens so far and the initial contents.
  Numbers contents(const Numbers& initial, const Numbers& rows, Index width) const {
    Numbers all;
    for (Index m = 0; m < head_.slots; ++m)
      for (Index c = 0; c < width; ++c) {
        Interval sum = start(m) * initial[static_cast<std::size_t>(m * width + c)];
        for (std::size_t j = 0; j < share(m).size(); ++j)
          sum += share(m)[j] * rows[j * static_cast<std::size_t>(width) + static_cast<std::size_t>(c)];
        all.push_back(sum);
      }
    return all;
  }

 private:
  const HeadInputs& head_;
  Numbers start_;
  std::vector<Numbers> share_;
};

/// exp(z) / sum exp(z): exponents of MPFR need no shift.
Numbers weights_of(const Numbers& logits) {
  using std::exp;
  Numbers weights;
  Interval total(0);
  for (const Interval& z : logits) {
    weights.push_back(exp(z));
    total += weights.back();
  }
  for (Interval& w : weights) w /= total;
  return weights;
}

HeadIntervals by_slot_sums(const HeadInputs& head) {
  const Index K = head.K, V = head.V, M = head.slots;
  const Numbers q = queries<Interval>(head), k = keys<Interval>(head), v = elements<Interval>(head.v);
  const Numbers keys0 = elements<Interval>(head.initial_state), values0 = elements<Interval>(head.initial_slot_values);
  const Interval scale(head.options.scale);
  SlotSums slots(head);
  HeadIntervals result;
  for (Index t = 0; t < head.tokens; ++t) {
    slots.take(t);
    Numbers scores, logits;  // q_t . k_j
    for (Index j = 0; j <= t; ++j) scores.push_back(dot(q.data() + t * K, k.data() + j * K, K));
    for (Index m = 0; m < M; ++m)
      logits.push_back(scale * (slots.start(m) * dot(q.data() + t * K, keys0.data() + m * K, K) +
                                dot(slots.share(m).data(), scores.data(), t + 1)));
    const Numbers weights = weights_of(logits);
    Numbers of_token = zeros(t + 1);
    for (Index m = 0; m < M; ++m)
      for (Index j = 0; j <= t; ++j)
        of_token[static_cast<std::size_t>(j)] += weights[static_cast<std::size_t>(m)] * slots.share(m)[static_cast<std::size_t>(j)];
    for (Index c = 0; c < V; ++c) {
      Interval sum(0);
      for (Index m = 0; m < M; ++m)
        sum += weights[static_cast<std::size_t>(m)] * slots.start(m) * values0[static_cast<std::size_t>(m * V + c)];
      for (Index j = 0; j <= t; ++j) sum += of_token[static_cast<std::size_t>(j)] * v[static_cast<std::size_t>(j * V + c)];
      result.o.push_back(sum);
    }
  }
  result.states = {slots.contents(keys0, k, K)};
  result.slot_values = slots.contents(values0, v, V);
  return result;
}

}  // namespace

HeadIntervals second_route(const HeadInputs& head) {
  switch (rule_info(head.options.rule).system) {
    case System::update_family:
    case System::hola:
      return by_chunks(head);
    case System::longhorn:
      return by_sums(head);
    case System::softmax:
      return by_streaming(head);
    case System::gsa:
      return by_slot_sums(head);
  }
  throw std::logic_error("a system without a second route");
}

}  // namespace deltaproof::golden
