#include "properties/claims/hola_streams.hpp"

#include <algorithm>
#include <numeric>

namespace deltaproof::claims {
namespace {

Positions in_position_order(const Stream& stream) {
  Positions all(stream.scores.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// Larger score first, of equal ones the earlier position: a total order.
bool before(const Stream& stream, int a, int b) {
  const int score_a = stream.scores[static_cast<std::size_t>(a)], score_b = stream.scores[static_cast<std::size_t>(b)];
  return score_a != score_b ? score_a > score_b : a < b;
}

/// The best `count` of `positions`.
Positions best(const Stream& stream, Positions positions, int count) {
  std::sort(positions.begin(), positions.end(), [&](int a, int b) { return before(stream, a, b); });
  positions.resize(std::min(positions.size(), static_cast<std::size_t>(count)));
  std::sort(positions.begin(), positions.end());
  return positions;
}

Positions arriving(const Stream& stream, const std::vector<int>& order) {
  Positions kept;
  for (const int position : order) {
    kept.push_back(position);
    kept = best(stream, kept, stream.w);
  }
  return kept;
}

int sum(const std::vector<int>& values) { return std::accumulate(values.begin(), values.end(), 0); }

/// Every list of `length` scores from 0 to 2, by their sum.
std::vector<std::vector<int>> small_scores(int length) {
  std::vector<std::vector<int>> all{{}};
  for (int i = 0; i < length; ++i) {
    std::vector<std::vector<int>> longer;
    for (const std::vector<int>& begun : all) {
      for (int score = 0; score <= 2; ++score) {
        longer.push_back(begun);
        longer.back().push_back(score);
      }
    }
    all = longer;
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return sum(a) < sum(b); });
  return all;
}

/// Every way to write n as a sum, in order.
std::vector<std::vector<int>> compositions(int n) {
  if (n == 0) return {{}};
  std::vector<std::vector<int>> all;
  for (int first = n; first >= 1; --first) {
    for (const std::vector<int>& rest : compositions(n - first)) {
      all.push_back({first});
      all.back().insert(all.back().end(), rest.begin(), rest.end());
    }
  }
  return all;
}

std::vector<std::vector<int>> orders(int n) {
  std::vector<int> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  std::vector<std::vector<int>> all;
  do all.push_back(order);
  while (std::next_permutation(order.begin(), order.end()));
  return all;
}

Stream random_stream(RationalDraw& draw) {
  Stream stream;
  const auto tokens = draw.integer(6, 40);
  for (std::int64_t i = 0; i < tokens; ++i) stream.scores.push_back(static_cast<int>(draw.integer(0, 12)));
  stream.order = in_position_order(stream);
  for (std::size_t i = stream.order.size(); i > 1; --i) {
    std::swap(stream.order[i - 1],
              stream.order[static_cast<std::size_t>(draw.integer(0, static_cast<std::int64_t>(i) - 1))]);
  }
  for (int left = static_cast<int>(tokens); left > 0; left -= stream.blocks.back()) {
    stream.blocks.push_back(static_cast<int>(draw.integer(1, left)));
  }
  stream.w = static_cast<int>(draw.integer(1, 8));
  return stream;
}

void add_random(std::vector<Stream>& streams, const Effort& effort) {
  RationalDraw draw(effort.seed + 4);
  for (int i = 0; i < 200; ++i) streams.push_back(random_stream(draw));
}

}  // namespace

std::string text(const std::vector<int>& values) {
  std::string all;
  for (const int value : values) all.append(all.empty() ? "" : ", ").append(std::to_string(value));
  return "(" + all + ")";
}

std::vector<Named> inputs_of(const Stream& stream) {
  return {{"scores", text(stream.scores)},
          {"order", text(stream.order)},
          {"blocks", text(stream.blocks)},
          {"w", std::to_string(stream.w)}};
}

Positions top(const Stream& stream) { return best(stream, in_position_order(stream), stream.w); }

Positions one_by_one(const Stream& stream) { return arriving(stream, in_position_order(stream)); }

Positions in_order(const Stream& stream) { return arriving(stream, stream.order); }

Positions first_come(const Stream& stream) {
  const auto score = [&](int position) { return stream.scores[static_cast<std::size_t>(position)]; };
  Positions kept;
  for (const int position : stream.order) {
    if (kept.size() < static_cast<std::size_t>(stream.w)) {
      kept.push_back(position);
      continue;
    }
    const auto smallest = std::min_element(kept.begin(), kept.end(), [&](int a, int b) { return score(a) < score(b); });
    if (score(position) > score(*smallest)) *smallest = position;
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

Positions by_blocks(const Stream& stream, int offered) {
  Positions kept;
  int begin = 0;
  for (const int size : stream.blocks) {
    Positions block(static_cast<std::size_t>(size));
    std::iota(block.begin(), block.end(), begin);
    begin += size;
    block = best(stream, block, offered);
    kept.insert(kept.end(), block.begin(), block.end());
    kept = best(stream, kept, stream.w);
  }
  return kept;
}

Positions recent(const Stream& stream) {
  const Positions all = in_position_order(stream);
  return {all.end() - std::min<std::ptrdiff_t>(std::ssize(all), stream.w), all.end()};
}

Positions ageing(const Stream& stream) {
  Positions kept;
  for (int now = 0; now < static_cast<int>(stream.scores.size()); ++now) {
    kept.push_back(now);
    if (kept.size() <= static_cast<std::size_t>(stream.w)) continue;
    const auto aged = [&](int position) -> Rational {
      return Rational(stream.scores[static_cast<std::size_t>(position)], std::int64_t{1} << (now - position));
    };
    kept.erase(std::min_element(kept.begin(), kept.end(), [&](int a, int b) { return aged(a) < aged(b); }));
  }
  return kept;
}

RationalMatrix as_row(const Positions& positions) { return row({positions.begin(), positions.end()}); }

std::vector<Stream> streams_in_blocks(const Effort& effort) {
  std::vector<Stream> streams;
  for (int tokens = 1; tokens <= 5; ++tokens) {
    for (int w = 1; w <= 3; ++w) {
      for (const std::vector<int>& scores : small_scores(tokens)) {
        for (const std::vector<int>& blocks : compositions(tokens)) {
          Stream stream{scores, {}, blocks, w};
          stream.order = in_position_order(stream);
          streams.push_back(stream);
        }
      }
    }
  }
  add_random(streams, effort);
  return streams;
}

std::vector<Stream> streams_in_orders(const Effort& effort) {
  std::vector<Stream> streams;
  for (int tokens = 1; tokens <= 4; ++tokens) {
    for (int w = 1; w <= 3; ++w) {
      for (const std::vector<int>& scores : small_scores(tokens)) {
        for (const std::vector<int>& order : orders(tokens)) streams.push_back({scores, order, {tokens}, w});
      }
    }
  }
  add_random(streams, effort);
  return streams;
}

}  // namespace deltaproof::claims
