#include "properties/regimes/recorded.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>

#include "reference/problem/format.hpp"

namespace deltaproof::draw::recorded {
namespace {

#include "properties/regimes/recorded_words.inc"

// Every part of a head starts at the same recorded token.
std::size_t row_of(const Place& place, std::int64_t head, Index token) {
  const int first = turn_of_seed(place, kTokens);
  const auto recorded_token = static_cast<std::size_t>((first + token + 7 * place.batch) % kTokens);
  const auto recorded_head = static_cast<std::size_t>((first + head) % kHeads);
  return recorded_token * kHeads + recorded_head;
}

template <std::size_t size>
Matrix rows(const std::uint16_t (&words)[size], const Place& place, std::int64_t head, Index tokens, Index columns) {
  Matrix matrix(tokens, columns);
  for (Index t = 0; t < tokens; ++t) {
    const std::uint16_t* row = words + row_of(place, head, t) * kChannels;
    for (Index c = 0; c < columns; ++c) matrix(t, c) = bf16_to_double(row[c % kChannels]);
  }
  return matrix;
}

template <std::size_t size>
double number(const std::uint32_t (&words)[size], const Place& place, Index token) {
  return std::bit_cast<float>(words[row_of(place, place.head, token)]);
}

}  // namespace

Matrix keys(const Place& place, Index tokens, Index K) { return rows(kKeys, place, place.key_head, tokens, K); }
Matrix queries(const Place& place, Index tokens, Index K) { return rows(kQueries, place, place.key_head, tokens, K); }
Matrix values(const Place& place, Index tokens, Index V) { return rows(kValues, place, place.head, tokens, V); }
double gate(const Place& place, Index token) { return number(kGates, place, token); }
double eta(const Place& place, Index token) { return number(kEtas, place, token); }

}  // namespace deltaproof::draw::recorded
