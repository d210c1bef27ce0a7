#include "properties/claims/exact.hpp"
#include "properties/claims/kla_count.hpp"
#include "properties/claims/kla_parts.hpp"
#include "properties/claims/kla_search.hpp"
#include "properties/claims/kla_sizes.hpp"

namespace deltaproof::claims {
namespace {

using Cost = std::function<std::int64_t(std::int64_t)>;

/// The same number of products more for every unit of length more.
Result linear(const Effort&, const Cost& cost) {
  const std::vector<std::int64_t> lengths{2, 3, 4, 5, 6, 7, 8};
  Result found = search(
      lengths,
      [&](std::int64_t n) -> Fault {
        const std::int64_t last = cost(n) - cost(n - 1), next = cost(n + 1) - cost(n);
        if (last == next && next > 0) return std::nullopt;
        return fmt::format("{}, {} and {} products: {} more, then {} more", cost(n - 1), cost(n), cost(n + 1), last,
                           next);
      },
      [](std::int64_t n) {
        return std::vector<Named>{{"lengths", fmt::format("{}, {}, {}", n - 1, n, n + 1)}};
      });
  found.numbers = {{"products for length 1", std::to_string(cost(1))},
                   {"for each more", std::to_string(cost(2) - cost(1))}};
  return found;
}

const char* const counting =
    "the recurrence and Eqs (7)-(9) carried out on a number that counts its products; dk = 4, dv = "
    "3, lengths 1 to 9";

Claim linear_chunks() {
  return {"kla.cost-linear-chunks",
          {"kla", "Section 4", "5-6"},
          "for fixed head dimensions and chunk length the chunk form's work grows linearly with "
          "the sequence",
          "",
          counting,
          bound(linear, Cost([](std::int64_t n) { return chunk_work(Rule::kaczmarz, 4, 3, 4, n).products; })),
          {{"the same with one chunk as long as the sequence", Outcome::refuted,
            bound(linear, Cost([](std::int64_t n) { return chunk_work(Rule::kaczmarz, 4, 3, n, 1).products; }))}}};
}

Claim linear_tokens() {
  return {"kla.cost-linear-tokens",
          {"kla", "Section 3.3; Section 4", "5-6", Voice::derived},
          "token by token the work grows linearly with the sequence",
          "",
          counting,
          bound(linear, Cost([](std::int64_t n) { return recurrence_work(Rule::kaczmarz, 4, 3, n).products; })),
          {{"it grows linearly with n for a state of n x n and n tokens", Outcome::refuted,
            bound(linear, Cost([](std::int64_t n) { return recurrence_work(Rule::kaczmarz, n, n, n).products; }))}}};
}

/// The products by which the Kaczmarz step exceeds the gated delta step.
Result extra_work(const Effort&, const SizeFormula& says) {
  std::vector<LayerSize> all = layer_sizes();
  all.push_back({128, 128, 1});
  Result found = search(
      all,
      [&](const LayerSize& size) -> Fault {
        const Work kla = recurrence_work(Rule::kaczmarz, size.dk, size.dv, size.tokens);
        const Work gdn = recurrence_work(Rule::gated_delta, size.dk, size.dv, size.tokens);
        const std::int64_t more = kla.products - gdn.products;
        if (more == says(size)) return std::nullopt;
        return fmt::format("KLA makes {} products, GDN {}: {} more", kla.products, gdn.products, more);
      },
      size_inputs);
  const Rational kla(recurrence_work(Rule::kaczmarz, 128, 128, 1).products);
  const Rational gdn(recurrence_work(Rule::gated_delta, 128, 128, 1).products);
  found.numbers = {{"products of a KLA token, dk = dv = 128", text(kla)},
                   {"products of a GDN token", text(gdn)},
                   {"ratio", decimal(kla / gdn, 6)}};
  return found;
}

Claim coefficient_cost() {
  return {"kla.cost-coefficient",
          {"kla", "Section 3.3; Section 4", "5-6", Voice::derived},
          "against GDN a KLA token costs dk products and one division more, next to 4 dk dv + dv: "
          "0.195 % for dk = dv = 128",
          "key norms are not worked out anyway",
          "products counted in the recurrence, dk, dv to 4 and 128",
          bound(extra_work, SizeFormula([](const LayerSize& size) { return size.dk * size.tokens; })),
          {{"it costs dk dv products more", Outcome::refuted,
            bound(extra_work, SizeFormula([](const LayerSize& size) { return size.dk * size.dv * size.tokens; }))}}};
}

}  // namespace

std::vector<Claim> kla_cost_claims() { return {linear_chunks(), linear_tokens(), coefficient_cost()}; }

}  // namespace deltaproof::claims
