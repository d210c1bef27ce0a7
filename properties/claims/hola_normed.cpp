#include "properties/claims/hola_normed.hpp"

#include <algorithm>

namespace deltaproof::claims {
namespace {

Rational mean_square(const RationalVector& x, const Rational& eps) {
  return squared_norm(x) / Rational(std::ssize(x)) + eps;
}

}  // namespace

std::vector<Named> inputs_of(const Normed& normed) {
  return {{"q", text(normed.query)},
          {"k", text(normed.key)},
          {"gamma_q", text(normed.gamma_query)},
          {"gamma_k", text(normed.gamma_key)},
          {"eps", text(normed.eps)}};
}

Rational dimension(const Normed& normed) { return std::ssize(normed.query); }

Rational normed_square(const Normed& normed) {
  Rational sum = 0;
  for (std::size_t i = 0; i < normed.query.size(); ++i) {
    const Rational scaled = normed.gamma_query[i] * normed.query[i];
    sum += scaled * scaled;
  }
  return sum / mean_square(normed.query, normed.eps);
}

Rational logit(const Normed& normed, const RationalVector& key) {
  Rational product = 0;
  for (std::size_t i = 0; i < key.size(); ++i)
    product += normed.gamma_query[i] * normed.query[i] * normed.gamma_key[i] * key[i];
  const Rational square =
      product * product / (mean_square(normed.query, normed.eps) * mean_square(key, normed.eps) * dimension(normed));
  return product < 0 ? Rational(-square) : square;
}

Rational cosine(const Normed& normed) {
  const Rational product = dot(normed.query, normed.key);
  return product * product / (squared_norm(normed.query) * squared_norm(normed.key));
}

bool plain(const Normed& normed) {
  const auto ones = [](const RationalVector& gamma) {
    return std::all_of(gamma.begin(), gamma.end(), [](const Rational& each) { return each == 1; });
  };
  return ones(normed.gamma_query) && ones(normed.gamma_key);
}

std::vector<Normed> normed_pairs(const Effort& effort) {
  std::vector<Normed> all;
  const RationalVector numbers{1, 2, -1, 7};
  std::vector<RationalVector> one, two;
  for (const Rational& x : numbers) {
    one.push_back({x});
    for (const Rational& y : numbers) two.push_back({x, y});
  }
  for (const auto& vectors : {one, two}) {
    const bool pair = vectors.front().size() == 2;
    const std::vector<RationalVector> scales =
        pair ? std::vector<RationalVector>{{1, 1}, {2, 1}} : std::vector<RationalVector>{{1}, {2}};
    for (const RationalVector& query : vectors) {
      for (const RationalVector& key : vectors) {
        for (const RationalVector& scale : scales) {
          for (const RationalVector& other : scales) {
            for (int eps = 0; eps <= 1; ++eps) all.push_back({query, key, scale, other, eps});
          }
        }
      }
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const Normed& a, const Normed& b) {
    const auto size = [](const Normed& x) -> Rational {
      return complexity_of(x.query) + complexity_of(x.key) + complexity_of(x.gamma_query) + complexity_of(x.gamma_key) +
             complexity_of(x.eps);
    };
    return size(a) < size(b);
  });
  RationalDraw draw(effort.seed + 6);
  for (int i = 0; i < 200; ++i) {
    const auto d = static_cast<std::size_t>(draw.integer(1, 5));
    Normed normed{draw.nonzero_vector(d), draw.nonzero_vector(d), RationalVector(d, 1), RationalVector(d, 1), 0};
    if (i % 3 == 1) normed.gamma_query = draw.vector(d), normed.gamma_key = draw.vector(d);
    if (i % 2 == 1) normed.eps = Rational(1, 1000000);
    if (i % 5 == 0) normed.key = normed.query;  // the largest logit
    all.push_back(normed);
  }
  return all;
}

}  // namespace deltaproof::claims
