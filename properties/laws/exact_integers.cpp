// Integers small enough that no arithmetic rounds: keys and queries are signed unit vectors, b is 0 or 1, there is no
// decay, v and S_0 are integers of size at most 3, scale 1. The right answer is then worked out in integers here,
// without the reference, and a kernel must give it exactly (but -0 and 0 are one value).
//
// Why nothing rounds, at most `most` = 80 tokens. With residual a write with b = 1 replaces a row of S by +-v, so
// |S| <= 3, |e| <= 6; without, |S| <= 3 + 3 x 80 = 243. exp(0) = 1. In a chunk L_ij is 0 or +-1 and rows of L with b
// = 0 are zero; a column of T = (I + L)^-1 solves 'write no value, then what L takes from later reads': after the
// first write along the same direction it is zero, so it has at most two entries +-1. u = T (b v), w = T (b k) have
// one column entry a write: |u| <= 6, |w| <= 2; |v_new| = |b e| <= 6; P = q k^T is 0 or +-1; every partial sum of P
// v_new and of k^T v_new is a difference of two states, at most 2 x 243 in an fp32 or wider accumulator, and what is
// rounded (the copy of the state, o) at most 243. A merge of blocks of T sums at most 64 products of size 1. bf16
// holds every integer up to 2^8, fp16 and TF32 up to 2^11, an fp32 accumulator of any generation up to 2^24 beside
// addends of that size: all are exact, in any order.
#include <cstdlib>

#include "properties/laws/applies.hpp"
#include "properties/laws/bounded.hpp"
#include "properties/laws/made.hpp"
#include "properties/laws/pieces.hpp"
#include "properties/laws/table.hpp"
#include "properties/laws/tensors.hpp"

namespace deltaproof::laws {
namespace {

constexpr std::int64_t most = 80;

std::string why_not(const Trial& trial) {
  if (trial.problem.options().rule == Rule::longhorn_exact)
    return "longhorn writes with b = 1/2, which halves integers";
  return not_to_be_cut(trial.problem);
}

// One row in `width`: +-1 at a drawn place among a few, so that directions meet again.
std::vector<double> unit_vectors(std::int64_t rows, std::int64_t width, Generator& draw) {
  std::vector<double> values(static_cast<std::size_t>(rows * width), 0);
  const int places = static_cast<int>(std::min<std::int64_t>(width, 6));
  for (std::int64_t r = 0; r < rows; ++r) {
    const std::int64_t place = draw.integer(0, places - 1) * width / places;
    values[static_cast<std::size_t>(r * width + place)] = draw.integer(0, 1) == 0 ? -1 : 1;
  }
  return values;
}

Problem integers(const Problem& problem, Generator& draw) {
  Made made(problem);
  const Dimensions& d = problem.dims();
  for (const char* name : {"q", "k"}) {
    made.inputs[name] =
        Tensor::from(made.inputs[name].dtype, {d.B, d.T, d.H, d.K}, unit_vectors(d.B * d.T * d.H, d.K, draw));
  }
  const auto small = [&] { return static_cast<double>(draw.integer(-3, 3)); };
  made.fill("v", small);
  made.fill_states(small);
  made.fill("g", 0);
  made.fill_writes([&] { return draw.integer(0, 3) == 0 ? 0.0 : 1.0; });
  made.options.qk_l2norm = L2Norm::none;
  made.options.scale = 1;
  made.options.scale_given = true;
  if (problem.options().rule == Rule::kla) made.options.variant = KlaVariant::no_norm;
  if (problem.options().rule == Rule::kla && !made.inputs.contains("eta")) {
    made.inputs["eta"] = filled({Dtype::f32, {d.B, d.T, d.HV}, {}}, 1);
  }
  return made.problem();
}

// The recurrence of one head in integers. `S`: K x V.
struct IntegerHead {
  const Problem& problem;
  const Sequence& sequence;
  std::int64_t head;
  std::vector<int> S;

  int at(const char* name, std::int64_t token, std::int64_t heads, std::int64_t h, std::int64_t width,
         std::int64_t i) const {
    const std::int64_t row = sequence.batch * problem.dims().T + sequence.begin + token;
    return static_cast<int>(problem.find(name)->value((row * heads + h) * width + i));
  }

  void step(std::int64_t token, std::vector<double>& o) {
    const Dimensions& d = problem.dims();
    const RuleInfo& rule = rule_info(problem.options().rule);
    const std::int64_t h = head / (d.HV / d.H);
    const std::string write(rule.write);
    const int b = write.empty() ? 1 : at(write.c_str(), token, d.HV, head, 1, 0);
    for (std::int64_t c = 0; c < d.V; ++c) {
      const auto element = [&](std::int64_t i) -> int& { return S[static_cast<std::size_t>(i * d.V + c)]; };
      int e = at("v", token, d.HV, head, d.V, c), read = 0;
      for (std::int64_t i = 0; rule.residual && i < d.K; ++i) e -= element(i) * at("k", token, d.H, h, d.K, i);
      for (std::int64_t i = 0; i < d.K; ++i) element(i) += b * e * at("k", token, d.H, h, d.K, i);
      for (std::int64_t i = 0; i < d.K; ++i) read += element(i) * at("q", token, d.H, h, d.K, i);
      const std::int64_t row = sequence.batch * d.T + sequence.begin + token;
      o[static_cast<std::size_t>((row * d.HV + head) * d.V + c)] = read;
    }
  }
};

Outputs worked_out(const Problem& problem) {
  const Dimensions& d = problem.dims();
  const bool vk = problem.options().state_layout == StateLayout::vk;
  const Tensor before = states_before(problem);
  std::vector<double> o(static_cast<std::size_t>(d.B * d.T * d.HV * d.V), 0), states = before.values();
  for (const Sequence& s : problem.sequences()) {
    for (std::int64_t h = 0; s.state_row >= 0 && h < d.HV; ++h) {
      const std::int64_t first = (s.state_row * d.HV + h) * d.K * d.V;
      const auto place = [&](std::int64_t e) {
        return static_cast<std::size_t>(first + (vk ? e % d.V * d.K + e / d.V : e));
      };
      IntegerHead head{problem, s, h, {}};
      for (std::int64_t e = 0; e < d.K * d.V; ++e) head.S.push_back(static_cast<int>(states[place(e)]));
      for (std::int64_t t = 0; t < s.length; ++t) head.step(t, o);
      for (std::int64_t e = 0; e < d.K * d.V; ++e) states[place(e)] = head.S[static_cast<std::size_t>(e)];
    }
  }
  Outputs outputs;
  outputs.tensors["o"] = Tensor::from(Dtype::f64, {d.B, d.T, d.HV, d.V}, o);
  outputs.tensors["final_state"] = Tensor::from(Dtype::f64, before.shape, states);
  return outputs;
}

void check(const Trial& trial, Verdict& verdict) {
  Generator draw = draws_of(trial, "exact_integers");
  const Problem problem = integers(first_tokens(trial.problem, most), draw);
  const Outputs exact = worked_out(problem);
  Outputs nothing = exact;
  for (auto& [name, tensor] : nothing.tensors) tensor = filled(tensor, 0);
  verdict.bound = "exact";
  Bounded bounded(verdict);
  bounded.about("small integers, which no arithmetic rounds");
  bounded.outputs(problem, exact, nothing, trial.kernel.run(problem));
  bounded.conclude();
}

}  // namespace

const Property exact_integers{
    "exact_integers", "signed unit vectors, b of 0 or 1 and small integers give the exact answer", &why_not, &check};

}  // namespace deltaproof::laws
