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

/// 1 for one key, 0 for the others.
RationalMatrix single_value(std::size_t count, std::size_t dv, std::size_t which) {
  RationalMatrix values(count, dv);
  for (std::size_t j = 0; j < dv; ++j) values(which, j) = 1;
  return values;
}

/// Some S has K S = V.
bool recallable(const RationalMatrix& keys, const RationalMatrix& values) {
  return rank(beside(keys, values)) == rank(keys);
}

struct Pairs {
  RationalMatrix keys;
  std::size_t dv;
};

/// So many keys of each shape: in general position, drawn, the last the first again.
std::vector<Pairs> key_sets(const Effort& effort, const std::function<std::size_t(std::size_t dk)>& count) {
  RationalDraw draw(effort.seed);
  std::vector<Pairs> all;
  for (const Shape& shape : shapes()) {
    const std::size_t keys = count(shape.dk);
    all.push_back({generic_keys(keys, shape.dk), shape.dv});
    all.push_back({draw.matrix(keys, shape.dk), shape.dv});
    all.push_back(all.back());
    for (std::size_t j = 0; j < shape.dk; ++j) all.back().keys(keys - 1, j) = all.back().keys(0, j);
  }
  return all;
}

std::size_t one_more(std::size_t dk) { return dk + 1; }
std::size_t as_many(std::size_t dk) { return dk; }

std::vector<Named> inputs_of(const Pairs& pairs) { return {{"K", text(pairs.keys)}, {"dv", std::to_string(pairs.dv)}}; }

/// There are values that no state reads for these keys: 1 for one of them and 0 for the others.
Result values_unmet(const Effort& effort, const std::function<std::size_t(std::size_t dk)>& count) {
  RationalDraw draw(effort.seed + 1);
  std::int64_t drawn = 0, met = 0;
  Result found = search(
      key_sets(effort, count),
      [&](const Pairs& pairs) -> Fault {
        const std::size_t keys = pairs.keys.rows();
        ++drawn;
        met += recallable(pairs.keys, draw.matrix(keys, pairs.dv)) ? 1 : 0;
        for (std::size_t i = 0; i < keys; ++i) {
          if (!recallable(pairs.keys, single_value(keys, pairs.dv, i))) return std::nullopt;
        }
        return fmt::format("K has rank {}: some state reads the {} keys as whatever values", rank(pairs.keys), keys);
      },
      inputs_of);
  found.numbers = {{"drawn values that some state reads", fmt::format("{} of {}", met, drawn)}};
  return found;
}

/// No state reads values that were made with one: K S for an S of ones.
Result never_recalled(const Effort& effort) {
  return search(
      key_sets(effort, one_more),
      [](const Pairs& pairs) -> Fault {
        RationalMatrix state(pairs.keys.columns(), pairs.dv);
        for (std::size_t i = 0; i < state.rows(); ++i) {
          for (std::size_t j = 0; j < pairs.dv; ++j) state(i, j) = 1;
        }
        const RationalMatrix values = pairs.keys * state;
        if (!recallable(pairs.keys, values)) return std::nullopt;
        return fmt::format("S = {} reads the {} keys as {}", text(state), pairs.keys.rows(), text(values));
      },
      inputs_of);
}

/// Values that were drawn are read for dk keys in general position by some state.
Result any_values_met(const Effort& effort) {
  RationalDraw draw(effort.seed);
  return search(
      shapes(),
      [&](const Shape& shape) -> Fault {
        const RationalMatrix keys = generic_keys(shape.dk, shape.dk);
        if (recallable(keys, draw.matrix(shape.dk, shape.dv))) return std::nullopt;
        return "no state reads these values";
      },
      [](const Shape& shape) { return inputs_of(Pairs{generic_keys(shape.dk, shape.dk), shape.dv}); });
}

Claim exact_recall() {
  return {
      "kla.capacity",
      {"kla", "Section 3.2; Section 6", "4-5, 9-10", Voice::derived},
      "more than dk pairs with arbitrary values cannot all be recalled, whatever the write rule: for any dk + 1 keys "
      "there are values that no state reads; normalising the step does not change that",
      "exact recall, S^T k = v for every pair; particular values may be read for more keys",
      "ranks in exact arithmetic for dk to 6, dv to 3, keys (1, x, x^2, ..), drawn and repeated. In general: if the "
      "dk + 1 values that are 1 for one key and 0 for the others were all read, K would have dk + 1 independent rows "
      "of dk entries; the write rule does not enter",
      bound(values_unmet, one_more),
      {{"no dk + 1 pairs can be recalled, whatever their values", Outcome::refuted, Check(never_recalled)},
       {"for any dk keys there are values that no state reads", Outcome::refuted, bound(values_unmet, as_many)},
       {"any values are read for dk keys in general position by some state", Outcome::holds, Check(any_values_met)}}};
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
          {"kla", "Section 3.2", "4-5", Voice::derived},
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
