#include "properties/claims/hola_reads.hpp"

#include <algorithm>

namespace deltaproof::claims {
namespace {

std::string text_of(const std::vector<RationalVector>& vectors) {
  std::string all;
  for (const RationalVector& each : vectors) all.append(all.empty() ? "" : " ").append(text(each));
  return all.empty() ? "none" : all;
}

/// 4^x for a whole number x, or 2^x.
Rational power(int base, const Rational& x) {
  Rational result = 1;
  const Rational factor = x >= 0 ? Rational(base) : Rational(1, base);
  for (Rational left = abs(x); left > 0; left -= 1) result *= factor;
  return result;
}

}  // namespace

std::vector<Named> inputs_of(const Read& read) {
  return {{"S", text(read.state)},
          {"q", text(read.query)},
          {"keys", text_of(read.keys)},
          {"values", text_of(read.values)},
          {"persistent", std::to_string(read.persistent)},
          {"lambda", text(read.gate)}};
}

Rational exponential(const RationalVector& query, const RationalVector& key) { return power(4, dot(query, key)); }
Rational gaussian(const RationalVector& query, const RationalVector& key) {
  return power(2, -squared_norm(query - key));
}

RationalVector regression(const Read& read, const Kernel& kernel, bool sink, std::size_t first) {
  Rational total = sink ? 1 : 0;
  RationalVector sum(read.state.columns());
  for (std::size_t i = first; i < read.keys.size(); ++i) {
    const Rational weight = kernel(read.query, read.keys[i]);
    total += weight;
    for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += weight * read.values[i][j];
  }
  if (total != 0) {
    for (Rational& each : sum) each /= total;
  }
  return sum;
}

RationalVector softmax(const Read& read) {
  RationalVector sum(read.state.columns());
  if (read.keys.empty()) return sum;
  Rational largest = dot(read.query, read.keys[0]), total = 0;
  for (const RationalVector& key : read.keys) largest = std::max(largest, dot(read.query, key));
  for (const RationalVector& key : read.keys) total += power(4, Rational(dot(read.query, key) - largest));
  for (std::size_t i = 0; i < read.keys.size(); ++i) {
    const Rational weight = power(4, Rational(dot(read.query, read.keys[i]) - largest)) / total;
    for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += weight * read.values[i][j];
  }
  return sum;
}

RationalMatrix output(const Read& read, const Rational& state, const Rational& gate, bool sink, std::size_t first) {
  return state * row(transposed_times(read.state, read.query)) + gate * row(regression(read, exponential, sink, first));
}

std::vector<Read> reads(const Effort& effort) {
  std::vector<Read> all;
  const std::vector<RationalVector> whole{{1}, {0}, {2}};
  for (std::size_t entries = 0; entries <= 2; ++entries) {
    for (std::size_t combination = 0; combination < 81; ++combination) {
      Read read{RationalMatrix(1, 1), {1}, {}, {}, 0, 1};
      read.state(0, 0) = 1;
      std::size_t rest = combination;
      const auto next = [&] {
        const std::size_t i = rest % 3;
        rest /= 3;
        return whole[i];
      };
      for (std::size_t i = 0; i < entries; ++i) {
        read.keys.push_back(next());
        read.values.push_back(next());
      }
      if (rest > 0) break;
      for (read.persistent = 0; read.persistent <= entries; ++read.persistent) {
        for (const Rational& gate : {Rational(1), Rational(0)}) {
          read.gate = gate;
          all.push_back(read);
        }
      }
    }
  }
  RationalDraw draw(effort.seed + 5);
  for (int i = 0; i < 150; ++i) {
    const auto dk = static_cast<std::size_t>(draw.integer(1, 3)), dv = static_cast<std::size_t>(draw.integer(1, 3));
    Read read{draw.matrix(dk, dv), {}, {}, {}, 0, i % 4 == 0 ? Rational(0) : draw.positive()};
    const auto whole_vector = [&] {
      RationalVector vector(dk);
      for (Rational& each : vector) each = draw.integer(-2, 2);
      return vector;
    };
    read.query = whole_vector();
    for (auto entries = draw.integer(0, 5); entries > 0; --entries) {
      read.keys.push_back(whole_vector());
      read.values.push_back(draw.vector(dv));
    }
    read.persistent = static_cast<std::size_t>(draw.integer(0, std::ssize(read.keys)));
    all.push_back(read);
  }
  return all;
}

}  // namespace deltaproof::claims
