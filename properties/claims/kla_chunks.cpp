#include <algorithm>

#include "properties/claims/kla_chunk.hpp"
#include "properties/claims/kla_step.hpp"

namespace deltaproof::claims {
namespace {

using Number = std::function<Rational()>;

RationalMatrix filled(std::size_t rows, std::size_t columns, const Number& number) {
  RationalMatrix result(rows, columns);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) result(i, j) = number();
  }
  return result;
}

Chunk filled_chunk(std::size_t c, std::size_t dk, std::size_t dv, const Number& number, const Number& gate,
                   const Number& decay) {
  Chunk chunk{filled(dk, dv, number), RationalVector(c),     RationalVector(c),
              filled(c, dk, number),  filled(c, dk, number), filled(c, dv, number)};
  for (Rational& each : chunk.decay) each = decay();
  for (Rational& each : chunk.beta) each = gate();
  return chunk;
}

/// C = dk = dv = 1, every entry from a few numbers.
void add_smallest(std::vector<Chunk>& all, const ChunkRanges& ranges) {
  std::vector<Rational> decays{1, Rational(1, 2)};
  if (ranges.zero_decays) decays.push_back(0);
  const auto one = [](const Rational& value) {
    return RationalMatrix::identity(1) * (value * RationalMatrix::identity(1));
  };
  for (const Rational& decay : decays) {
    for (const Rational& beta : {Rational(1), Rational(1, 2), Rational(0)}) {
      for (const int s : {0, 1, -1}) {
        for (const int k : {0, 1, 2}) {
          for (const int v : {0, 1}) {
            for (const int q : {1, 2}) all.push_back({one(s), {decay}, {beta}, one(k), one(q), one(v)});
          }
        }
      }
    }
  }
}

Rational size_of(const Chunk& chunk) {
  return complexity_of(chunk.before) + complexity_of(chunk.decay) + complexity_of(chunk.beta) +
         complexity_of(chunk.keys) + complexity_of(chunk.queries) + complexity_of(chunk.values);
}

/// Rows (3 c, 4 c, 0, ..), or (c) for one channel: their norms are 5 c and c.
void give_rational_norms(Chunk& chunk, RationalDraw& draw) {
  for (std::size_t i = 0; i < chunk.tokens(); ++i) {
    const Rational c = draw.integer(1, 3);
    for (std::size_t j = 0; j < chunk.queries.columns(); ++j) {
      chunk.queries(i, j) = chunk.queries.columns() == 1 ? c
                            : j == 0                     ? Rational(3 * c)
                            : j == 1                     ? Rational(4 * c)
                                                         : Rational(0);
    }
  }
}

}  // namespace

std::vector<Chunk> chunks(const Effort& effort, const ChunkRanges& ranges) {
  RationalDraw draw(effort.seed);
  std::vector<Chunk> all;
  add_smallest(all, ranges);
  const Rational tiny = 1 / Rational(boost::multiprecision::pow(boost::multiprecision::cpp_int(10), 30));
  const auto size = [&](std::int64_t largest) { return static_cast<std::size_t>(draw.integer(1, largest)); };
  const Number small = [&] { return Rational(draw.integer(0, 1)); };
  const Number small_gate = [&] { return Rational(draw.integer(1, 2), 2); };
  const Number small_decay = [&] { return Rational(draw.integer(ranges.zero_decays ? 0 : 1, 2), 2); };
  for (int i = 0; i < 300; ++i) {
    const std::size_t dk = size(2), dv = size(2);
    all.push_back(filled_chunk(size(2), dk, dv, small, small_gate, small_decay));
  }
  const Number any = [&] { return draw.any(); };
  const Number gate = [&] { return draw.integer(0, 9) == 0 ? tiny : draw.any(); };
  const Number decay = [&]() -> Rational {
    const std::int64_t kind = draw.integer(0, 9);
    if (kind == 0) return ranges.zero_decays ? Rational(0) : Rational(1);
    return kind == 1 ? tiny : draw.unit();
  };
  for (int i = 0; i < 60; ++i) {
    const std::size_t dk = size(4), dv = size(3);
    all.push_back(filled_chunk(size(6), dk, dv, any, gate, decay));
  }
  if (ranges.rational_query_norms) {
    for (Chunk& chunk : all) give_rational_norms(chunk, draw);
  }
  const auto entries = [](const Chunk& chunk) {
    return chunk.tokens() * chunk.keys.columns() * chunk.values.columns();
  };
  std::stable_sort(all.begin(), all.end(), [&](const Chunk& a, const Chunk& b) {
    return entries(a) != entries(b) ? entries(a) < entries(b) : size_of(a) < size_of(b);
  });
  return all;
}

}  // namespace deltaproof::claims
