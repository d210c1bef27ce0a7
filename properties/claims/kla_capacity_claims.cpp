#include "properties/claims/exact_elimination.hpp"
#include "properties/claims/kla_parts.hpp"
#include "properties/claims/kla_search.hpp"
#include "properties/claims/kla_step.hpp"

namespace deltaproof::claims {
namespace {

struct Shape {
  std::size_t dk, dv;
};

std::vector<Shape> shapes() {
  std::vector<Shape> all;
  for (std::size_t dk = 1; dk <= 6; ++dk) {
    for (std::size_t dv = 1; dv <= 3; ++dv) all.push_back({dk, dv});
  }
  return all;
}

/// Row i is 1, i, i^2, ..: any dk of them are linearly independent.
RationalMatrix generic_keys(std::size_t count, std::size_t dk) {
  RationalMatrix keys(count, dk);
  for (std::size_t i = 0; i < count; ++i) {
    Rational power = 1;
    for (std::size_t j = 0; j < dk; ++j, power *= static_cast<std::int64_t>(i + 1)) keys(i, j) = power;
  }
  return keys;
}

/// Values that no smaller number of keys explains: 0, but for the last, which is 1.
RationalMatrix last_value(std::size_t count, std::size_t dv) {
  RationalMatrix values(count, dv);
  for (std::size_t j = 0; j < dv; ++j) values(count - 1, j) = 1;
  return values;
}

/// Some S has K S = V.
bool recallable(const RationalMatrix& keys, const RationalMatrix& values) {
  return rank(beside(keys, values)) == rank(keys);
}

using Capacity = std::function<std::size_t(const Shape&)>;

/// Every number of generic keys up to what is said is met by some state, and one more is not.
Result capacity(const Effort&, const Capacity& says) {
  std::size_t count = 0;
  return search(
      shapes(),
      [&](const Shape& shape) -> Fault {
        for (count = 1; count <= says(shape); ++count) {
          if (recallable(generic_keys(count, shape.dk), last_value(count, shape.dv))) continue;
          return fmt::format("no state reads {} keys as these values: K has rank {}, K and V together {}", count,
                             rank(generic_keys(count, shape.dk)),
                             rank(beside(generic_keys(count, shape.dk), last_value(count, shape.dv))));
        }
        if (!recallable(generic_keys(count, shape.dk), last_value(count, shape.dv))) return std::nullopt;
        return fmt::format("{} keys are read as these values by some state", count);
      },
      [&](const Shape& shape) {
        return std::vector<Named>{{"dk", std::to_string(shape.dk)},
                                  {"dv", std::to_string(shape.dv)},
                                  {"K", text(generic_keys(count, shape.dk))},
                                  {"V", text(last_value(count, shape.dv))}};
      });
}

Claim exact_recall() {
  return {"kla.capacity",
          {"kla", "Section 3.2; Section 6", "4-5, 9-10"},
          "a state recalls at most dk associations with keys in general position exactly, whatever "
          "the write rule; "
          "normalising the step does not add to that",
          "any values",
          "ranks in exact arithmetic for dk to 6, dv to 3, keys (1, x, x^2, ..). In general: K S = "
          "V has a solution for "
          "every V only if K has as many independent rows as associations, so at most dk; the "
          "write rule does not enter",
          bound(capacity, Capacity([](const Shape& shape) { return shape.dk; })),
          {{"it recalls dk + 1 of them", Outcome::refuted,
            bound(capacity, Capacity([](const Shape& shape) { return shape.dk + 1; }))},
           {"it recalls dk dv of them", Outcome::refuted,
            bound(capacity, Capacity([](const Shape& shape) { return shape.dk * shape.dv; }))}}};
}

enum class Keys { orthogonal, independent };

/// dk pairs written one after the other with eta = 1 and no decay, each then read.
Result one_pass(const Effort& effort, Keys kind) {
  RationalDraw draw(effort.seed);
  RationalMatrix keys, values;
  return search(
      shapes(),
      [&](const Shape& shape) -> Fault {
        keys = generic_keys(shape.dk, shape.dk);
        if (kind == Keys::orthogonal) {
          keys = RationalMatrix(shape.dk, shape.dk);
          for (std::size_t i = 0; i < shape.dk; ++i) keys(i, i) = draw.positive();
        }
        values = RationalMatrix(shape.dk, shape.dv);
        for (std::size_t i = 0; i < shape.dk; ++i) {
          for (std::size_t j = 0; j < shape.dv; ++j) values(i, j) = static_cast<std::int64_t>(1 + i + j);
        }
        RationalMatrix state(shape.dk, shape.dv);
        std::vector<Step> pairs;
        for (std::size_t i = 0; i < shape.dk; ++i) {
          Step step{state, 1, RationalVector(shape.dk), RationalVector(shape.dv), 1, 0};
          for (std::size_t j = 0; j < shape.dk; ++j) step.k[j] = keys(i, j);
          for (std::size_t j = 0; j < shape.dv; ++j) step.v[j] = values(i, j);
          state = written(state, step, *coefficient(step));
          pairs.push_back(std::move(step));
        }
        for (const Step& pair : pairs) {
          const RationalVector left = residual(state, pair);
          if (squared_norm(left) == 0) continue;
          return fmt::format("after all writes {} is read as {}", text(pair.v), text(transposed_times(state, pair.k)));
        }
        return std::nullopt;
      },
      [&](const Shape&) {
        return std::vector<Named>{{"K", text(keys)}, {"V", text(values)}};
      });
}

Claim orthogonal_pass() {
  return {"kla.orthogonal-recall",
          {"kla", "Section 3.2", "4-5"},
          "dk pairs with orthogonal keys are all recalled exactly after one pass of writes",
          "eta = 1, epsilon = 0, no decay",
          "exact rational arithmetic, dk to 6, dv to 3",
          bound(one_pass, Keys::orthogonal),
          {{"so are dk pairs with keys that are only linearly independent", Outcome::refuted,
            bound(one_pass, Keys::independent)}}};
}

}  // namespace

std::vector<Claim> kla_capacity_claims() { return {exact_recall(), orthogonal_pass()}; }

}  // namespace deltaproof::claims
