#include <cmath>
#include <span>
#include <string>

#include "properties/regimes/draw.hpp"

namespace deltaproof {
namespace {

// Streams of the generator: what is drawn does not change what is drawn beside it.
enum Stream : std::uint64_t {
  key_stream,
  query_stream,
  value_stream,
  gate_stream,
  write_stream,
  slot_stream,
  state_stream
};

// Of any rule but hola.
HeadInputs state_head(const draw::HeadDraw& draw) {
  const auto& [regime, rule, shape, place] = draw;
  const auto stream = [&place](Stream s, std::int64_t head) {
    return Generator(place.seed, {s, std::uint64_t(place.batch), std::uint64_t(head)});
  };
  const auto of_key = [&](Stream s) { return stream(s, place.key_head); };
  const auto of_head = [&](Stream s) { return stream(s, place.head); };
  Generator k = of_key(key_stream), q = of_key(query_stream), v = of_head(value_stream),
            g = of_head(gate_stream), w = of_head(write_stream), a = of_head(slot_stream),
            s = of_head(state_stream);
  const RuleInfo& info = rule_info(rule);
  HeadInputs head;
  head.options.rule = rule;
  head.options.scale = regime.unit_scale ? 1 : 1 / std::sqrt(static_cast<double>(shape.K));
  head.options.scale_given = regime.unit_scale;
  head.tokens = shape.tokens, head.K = shape.K, head.V = shape.V;
  head.k = draw::keys(draw, k);
  head.q = draw::queries(draw, q);
  head.v = draw::values(draw, head.k, v);
  if (info.decay != Decay::none)
    head.g = draw::gates(draw, info.decay == Decay::scalar ? 1 : shape.K, g);
  if (info.system == System::gsa) {
    head.slots = shape.slots;
    head.slot_decay = draw::slot_decays(draw, a);
  } else if (!info.write.empty()) {
    head.write = draw::writes(draw, head.k, info.system == System::longhorn ? shape.V : 1, w);
  }
  if (info.system == System::softmax) return head;
  const auto state = [&](Index rows, Index columns) {
    return shape.initial_state ? draw::state(draw, rows, columns, s) : Matrix(Matrix::Zero(rows, columns));
  };
  const bool is_gsa = info.system == System::gsa;
  head.initial_state = is_gsa ? state(shape.slots, shape.K) : state(shape.K, shape.V);
  if (is_gsa) head.initial_slot_values = state(shape.slots, shape.V);
  return head;
}

// The rule whose gates, writes and states are drawn.
Rule drawn_rule(Rule rule, const RegimeShape& shape) { return rule == Rule::hola ? shape.state_rule : rule; }

HeadInputs head_at(const draw::HeadDraw& draw) {
  HeadInputs head = state_head({draw.regime, drawn_rule(draw.rule, draw.shape), draw.shape, draw.place});
  if (draw.rule != Rule::hola) return head;
  head.options.rule = Rule::hola;
  head.options.qk_l2norm = L2Norm::both;
  head.options.hola.state_rule = draw.shape.state_rule;
  head.options.hola.cache_size = draw.shape.cache_size;
  head.options.hola.cache_block = draw.shape.cache_block;
  draw::cache_parameters(draw, head);
  return head;
}

// Values of a tensor [B, T, heads, width], filled head by head.
struct TokenTensor {
  std::int64_t T, heads, width;
  std::vector<double> values;

  TokenTensor(std::int64_t B, std::int64_t tokens, std::int64_t head_count, std::int64_t row_width)
      : T(tokens),
        heads(head_count),
        width(row_width),
        values(static_cast<std::size_t>(B * tokens * head_count * row_width)) {}
  void set(std::int64_t batch, std::int64_t head, const Matrix& rows) {
    for (Index t = 0; t < rows.rows(); ++t)
      for (Index c = 0; c < rows.cols(); ++c)
        values[static_cast<std::size_t>(((batch * T + t) * heads + head) * width + c)] = rows(t, c);
  }
};

using Part = Matrix HeadInputs::*;

// Collects one part of every head; `scalar_row`: the tensor has no last axis.
Tensor token_tensor(const std::vector<HeadInputs>& all, Part part, Dtype dtype, std::int64_t B,
                    std::int64_t heads, bool scalar_row) {
  const Matrix& first = all.front().*part;
  const auto per_row = static_cast<std::int64_t>(all.size()) / B;
  TokenTensor tensor(B, first.rows(), heads, first.cols());
  for (std::int64_t b = 0; b < B; ++b)
    for (std::int64_t h = 0; h < heads; ++h)
      tensor.set(b, h, all[static_cast<std::size_t>(b * per_row + h * per_row / heads)].*part);
  std::vector<std::int64_t> dims{B, first.rows(), heads};
  if (!scalar_row) dims.push_back(first.cols());
  return Tensor::from(dtype, dims, tensor.values);
}

Tensor state_tensor(const std::vector<HeadInputs>& all, Part part, std::int64_t B) {
  const Matrix& first = all.front().*part;
  std::vector<double> values;
  for (const HeadInputs& head : all) {
    const Matrix& state = head.*part;
    values.insert(values.end(), state.data(), state.data() + state.size());
  }
  return Tensor::from(Dtype::f32,
                      {B, static_cast<std::int64_t>(all.size()) / B, first.rows(), first.cols()},
                      values);
}

// One row a head: [HV], or [HV, width].
Tensor parameter_tensor(const std::vector<Matrix>& rows, bool scalar_row) {
  std::vector<double> values;
  for (const Matrix& row : rows) values.insert(values.end(), row.data(), row.data() + row.size());
  std::vector<std::int64_t> dims{static_cast<std::int64_t>(rows.size())};
  if (!scalar_row) dims.push_back(rows.front().cols());
  return Tensor::from(Dtype::f32, dims, values);
}

void add_cache(const std::vector<HeadInputs>& all, const RegimeShape& shape, TensorMap& tensors, Metadata& metadata) {
  std::vector<Matrix> sinks, gates, gamma_q, gamma_k;
  for (const HeadInputs& head : std::span(all).first(static_cast<std::size_t>(shape.HV))) {
    sinks.push_back(Matrix::Constant(1, 1, head.sink.value()));
    gates.push_back(Matrix::Constant(1, 1, head.cache_gate));
    gamma_q.push_back(head.gamma_q);
    gamma_k.push_back(head.gamma_k);
  }
  tensors["sink"] = parameter_tensor(sinks, true);
  tensors["cache_gate"] = parameter_tensor(gates, true);
  tensors["gamma_q"] = parameter_tensor(gamma_q, false);
  tensors["gamma_k"] = parameter_tensor(gamma_k, false);
  metadata["qk_l2norm"] = "kernel";
  metadata["state_rule"] = rule_info(shape.state_rule).name;
  metadata["cache_size"] = std::to_string(shape.cache_size);
  metadata["cache_block"] = std::to_string(shape.cache_block);
}

}  // namespace

HeadInputs regime_head(const Regime& regime, Rule rule, const RegimeShape& shape,
                       std::uint64_t seed) {
  return head_at({regime, rule, shape, {.seed = seed}});
}

Problem regime_problem(const Regime& regime, Rule rule, const RegimeShape& shape,
                       std::uint64_t seed) {
  const RuleInfo& info = rule_info(drawn_rule(rule, shape));
  std::vector<HeadInputs> all;
  for (std::int64_t b = 0; b < shape.B; ++b)
    for (std::int64_t h = 0; h < shape.HV; ++h)
      all.push_back(head_at({regime, rule, shape, {seed, b, h / (shape.HV / shape.H), h}}));

  TensorMap tensors;
  const auto add = [&](const char* name, Part part, Dtype dtype, std::int64_t heads,
                       bool scalar_row) {
    tensors[name] = token_tensor(all, part, dtype, shape.B, heads, scalar_row);
  };
  add("q", &HeadInputs::q, shape.input, shape.H, false);
  add("k", &HeadInputs::k, shape.input, shape.H, false);
  add("v", &HeadInputs::v, shape.input, shape.HV, false);
  if (info.decay != Decay::none)
    add("g", &HeadInputs::g, Dtype::f32, shape.HV, info.decay == Decay::scalar);
  const bool is_gsa = info.system == System::gsa;
  if (is_gsa)
    add("a", &HeadInputs::slot_decay, Dtype::f32, shape.HV, false);
  else if (!info.write.empty())
    tensors[std::string(info.write)] = token_tensor(all, &HeadInputs::write, Dtype::f32, shape.B,
                                                    shape.HV, info.system != System::longhorn);
  if (shape.initial_state && info.system != System::softmax) {
    tensors[is_gsa ? "initial_slot_keys" : "initial_state"] =
        state_tensor(all, &HeadInputs::initial_state, shape.B);
    if (is_gsa)
      tensors["initial_slot_values"] = state_tensor(all, &HeadInputs::initial_slot_values, shape.B);
  }
  Metadata metadata{{"format", "deltaproof.case/1"}, {"rule", std::string(rule_info(rule).name)}};
  if (regime.unit_scale) metadata.emplace("scale", "1");
  if (rule == Rule::hola) add_cache(all, shape, tensors, metadata);
  return Problem::make(std::string(regime.name), metadata, std::move(tensors));
}

}  // namespace deltaproof
