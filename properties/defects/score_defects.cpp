// What HOLA's entries are ranked by: another residual, another weight, another norm, another token.
#include <cmath>

#include "properties/defects/tables.hpp"

namespace deltaproof {
namespace {

// b (v - S_{t-1}^T k), with the states of the tokens one after the other.
MatrixF undecayed_writes(const Bits& bits, const TextInput<Bits>& in) {
  const MatrixF decay = bits.exp2(bits.times(in.g, bits.log2e()));
  MatrixF S = in.state, writes(in.v.rows(), in.v.cols());
  for (Index t = 0; t < in.v.rows(); ++t) {
    const MatrixF k = in.k.row(t), v = in.v.row(t);
    const float b = in.beta(t, 0);
    writes.row(t) = b * (v - k * S);
    S *= decay(t, 0);
    S += k.transpose() * (b * (v - k * S)).eval();
  }
  return writes;
}

HolaFault of_undecayed() {
  HolaFault fault;
  fault.written = undecayed_writes;
  return fault;
}

// The score of each token from the right one.
template <class Change>
HolaFault each_score(Change change) {
  HolaFault fault;
  fault.scores = [change](const HolaHead& head, std::vector<float>& scores) {
    for (Index t = 0; t < std::ssize(scores); ++t) {
      float& score = scores[static_cast<std::size_t>(t)];
      score = change(head, t, score);
    }
  };
  return fault;
}

float without_b(const HolaHead& head, Index t, float score) {
  const float b = hola_write_size(head.inputs, t);
  return b == 0 ? 0 : score / b;
}

float b_twice(const HolaHead& head, Index t, float score) { return score * hola_write_size(head.inputs, t); }

float square(const HolaHead&, Index, float score) { return score * score; }

float absolute_sum(const HolaHead& head, Index t, float) { return head.state.written.row(t).cwiseAbs().sum(); }

float first_half(const HolaHead& head, Index t, float) {
  return head.state.written.row(t).head((head.inputs.V + 1) / 2).norm();
}

float of_value(const HolaHead& head, Index t, float) {
  return hola_write_size(head.inputs, t) * head.inputs.v.row(t).cast<float>().norm();
}

HolaFault of_token_before() {
  HolaFault fault;
  fault.scores = [](const HolaHead&, std::vector<float>& scores) {
    for (std::size_t t = scores.size(); t-- > 1;) scores[t] = scores[t - 1];
  };
  return fault;
}

HolaFault of_last_token() {
  HolaFault fault;
  fault.scores = [](const HolaHead& head, std::vector<float>& scores) {
    const auto block = static_cast<std::size_t>(head.inputs.options.hola.cache_block);
    for (std::size_t t = block - 1; t < scores.size(); t += block) scores[t] = 0;
  };
  return fault;
}

}  // namespace

std::vector<Defect> score_defects() {
  using enum Stage;
  constexpr Reach everywhere = Reach::everywhere;
  constexpr BugClass top_k = BugClass::eviction;
  constexpr Needs write = Needs::cache | Needs::write_score;
  return {
      {"score_undecayed", selection, BugClass::gates, "the score is of the residual against the state before its decay",
       "m = b |v - S_{t-1}^T k|", of_undecayed(), everywhere, write | Needs::gates | Needs::two_tokens},
      {"score_no_beta", selection, top_k, "the score leaves the write coefficient out", "m = |e|",
       each_score(without_b), everywhere, write | Needs::writes},
      {"score_beta_twice", selection, top_k, "the score is weighed with the write coefficient twice", "m = b^2 |e|",
       each_score(b_twice), everywhere, write | Needs::writes},
      {"score_square", selection, top_k, "the score is the square, without its root", "m = b^2 |e|^2",
       each_score(square), everywhere, write},
      {"score_l1", selection, top_k, "the score sums magnitudes", "m = b sum_c |e_c|", each_score(absolute_sum),
       everywhere, write | Needs::two_columns},
      {"score_half", selection, top_k, "the score is of half of the value channels", "m = b |e_{c < V/2}|",
       each_score(first_half), everywhere, write | Needs::two_columns},
      {"score_value", selection, top_k, "the score is of the value, not of its residual", "m = b |v|",
       each_score(of_value), everywhere, write | Needs::two_tokens},
      {"score_before", selection, top_k, "a token has the score of the one before", "m_{t-1}", of_token_before(),
       everywhere, write | Needs::two_tokens},
      {"score_last_lost", selection, top_k, "the last token of each block is scored 0", "m_{nC + C - 1} = 0",
       of_last_token(), everywhere, write | Needs::two_blocks},
  };
}

}  // namespace deltaproof
