#include "properties/claims/kla_figure_checks.hpp"
#include "properties/claims/kla_parts.hpp"
#include "properties/claims/kla_search.hpp"

namespace deltaproof::claims {
namespace {

using Text = std::string;

Source setup() { return {"kla", "Section 5.1; Appendix C", "6, 18"}; }

Claim heads() {
  return {"kla.heads",
          derived(setup()),
          "8 heads of 128 channels make the hidden size, 1024",
          "",
          figure_method,
          bound(product_is, Text("model.heads"), Text("model.head_dim"), Text("1024")),
          {{"they make 512", Outcome::refuted,
            bound(product_is, Text("model.heads"), Text("model.head_dim"), Text("512"))}}};
}

Claim budget() {
  return {
      "kla.training-budget",
      {"kla", "Appendix C", "18", Voice::derived},
      "a run on 4 GPUs of about 4 hours is 16 GPU hours",
      "4 hours as printed; they are said to be approximate",
      figure_method,
      bound(product_is, Text("model.gpus"), Text("model.hours"), Text("16")),
      {{"it is 4 GPU hours", Outcome::refuted, bound(product_is, Text("model.gpus"), Text("model.hours"), Text("4"))}}};
}

/// Parameters of the layers for every choice that the published shape leaves open: feed-forward layers of 2 or 3
/// matrices, an output gate or none. Embeddings come on top, of a vocabulary that is not published: as many as one
/// likes.
Result parameters(const Effort&, const Text& billions) {
  const auto of = [](const char* key) { return figure("kla", key).value; };
  const Rational square = of("model.hidden") * of("model.hidden");
  const Rational most_said = printed(billions).range.high * 1000000000;
  Result found;
  Rational least = 0, most = 0;
  for (const int matrices : {2, 3}) {
    for (const int projections : {4, 5}) {
      const Rational count = of("model.layers") * square * (projections + matrices * of("model.ffn"));
      if (found.cases == 0 || count < least) least = count;
      if (count > most) most = count;
      ++found.cases;
    }
  }
  found.numbers = {{"fewest parameters of the layers", text(least)}, {"most parameters of the layers", text(most)}};
  found.finding = fmt::format(
      "the layers alone have {} to {} parameters, by choices that are not published; embeddings add {} for each word "
      "of a "
      "vocabulary whose size is not published either",
      text(least), text(most), text(of("model.hidden")));
  if (least > most_said) {
    found.outcome = Outcome::refuted;
    found.counterexample = Counterexample{{{"fewest parameters of the layers", text(least)}},
                                          fmt::format("they are more than {} billion already", billions)};
  }
  return found;
}

Claim size() {
  return {"kla.parameters",
          setup(),
          "24 layers of hidden size 1024 with 4-fold feed-forward layers have 0.4 billion parameters",
          "",
          "the matrices of the layers are counted for every choice that is not published (kind of feed-forward layer, "
          "output "
          "gate); nothing is assumed of the vocabulary, so there is a lower bound alone",
          bound(parameters, figure("kla", "model.parameters").text),
          {{"they have 0.2 billion", Outcome::refuted, bound(parameters, Text("0.2"))}}};
}

/// The residual after one pair was written again and again with a gate alone: it does not grow.
Result gate_alone(const Effort&, const std::vector<Rational>& squared_norms) {
  struct Run {
    Rational energy, gate;
  };
  std::vector<Run> runs;
  for (const Rational& energy : squared_norms) {
    for (const Rational& gate : {Rational(1, 10), Rational(1, 2), Rational(9, 10), Rational(999, 1000)})
      runs.push_back({energy, gate});
  }
  return search(
      runs,
      [](const Run& run) -> Fault {
        Rational left = 1;
        for (int t = 0; t < 8; ++t) left *= 1 - run.gate * run.energy;
        if (abs(left) <= 1) return std::nullopt;
        return fmt::format("after 8 writes the residual is {} times the first (factor {} a write)", text(left),
                           text(Rational(1 - run.gate * run.energy)));
      },
      [](const Run& run) {
        return std::vector<Named>{{"|k|^2", text(run.energy)}, {"beta = sigmoid(b)", text(run.gate)}};
      });
}

Claim nonorm_stability() {
  return {"kla.nonorm-stable",
          {"kla", "Table 5; Appendix D", "9, 19", Voice::reading},
          "with beta = sigmoid(b) and keys as they are, writing a pair again and again does not "
          "increase its residual",
          "keys of 128 channels of any size",
          "exact rational arithmetic on |k|^2 from 1/4 to 128 (entries of size 1) and gates from "
          "0.1 to 0.999, 8 writes; by "
          "kla.residual-after-write the factor of a write is 1 - beta |k|^2",
          bound(gate_alone, std::vector<Rational>{Rational(1, 4), 1, 2, 4, 128}),
          {{"with keys of norm 1 it does not increase", Outcome::holds, bound(gate_alone, std::vector<Rational>{1})},
           {"with keys of squared norm up to 2 it does not increase", Outcome::holds,
            bound(gate_alone, std::vector<Rational>{Rational(1, 4), 1, 2})},
           {"with keys whose 128 entries have size 1 it does not increase", Outcome::refuted,
            bound(gate_alone, std::vector<Rational>{128})}}};
}

}  // namespace

std::vector<Claim> kla_model_claims() { return {heads(), budget(), size(), nonorm_stability()}; }

}  // namespace deltaproof::claims
