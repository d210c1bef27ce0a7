#include "properties/stages/stage_problem.hpp"

#include <array>
#include <span>

namespace deltaproof {
namespace {

template <class Number>
Tensor tensor_of(Dtype type, std::vector<std::int64_t> shape, const std::vector<Number>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {type, std::move(shape), {bytes.begin(), bytes.end()}};
}

Outputs outputs_of(const Device& device, const ScoresInput& s) {
  Outputs outputs;
  outputs.tensors["scores"] = tensor_of(Dtype::f32, {s.shape.B, s.shape.T, s.shape.HV}, stage_scores(device, s));
  return outputs;
}

Outputs outputs_of(const Device& device, const SelectInput& s) {
  const std::vector<std::int64_t> shape{s.shape.B, s.shape.blocks(s.C), s.shape.HV, s.w};
  Outputs outputs;
  outputs.tensors["selected"] = tensor_of(Dtype::i32, shape, stage_select(device, s));
  return outputs;
}

Outputs outputs_of(const Device& device, const ReadInput& r) {
  const StageShape& d = r.shape;
  ReadOutput read = stage_read(device, r);
  Outputs outputs;
  outputs.tensors["o"] = std::move(read.o);
  outputs.tensors["cache_o"] = tensor_of(Dtype::f32, {d.B, d.T, d.HV, d.V}, read.cache_o);
  outputs.tensors["key_factors"] = tensor_of(Dtype::f32, {d.B, d.T, d.H}, read.key_factors);
  return outputs;
}

}  // namespace

std::string_view StageProblem::stage() const {
  static constexpr std::array<std::string_view, 3> names{"scores", "select", "cache_read"};  // as in `input`
  return names[input.index()];
}

const StageShape& StageProblem::shape() const {
  return std::visit([](const auto& each) -> const StageShape& { return each.shape; }, input);
}

std::int64_t StageProblem::block() const {
  if (const auto* select = std::get_if<SelectInput>(&input)) return select->C;
  if (const auto* read = std::get_if<ReadInput>(&input)) return read->C;
  return 1;
}

std::vector<StageSequence> sequences_of(const StageProblem& problem) {
  const StageShape& shape = problem.shape();
  std::vector<StageSequence> sequences;
  StageSequence next;
  for (; next.index < shape.sequences(); ++next.index) {
    next.length = shape.lengths.empty() ? shape.T : shape.lengths[static_cast<std::size_t>(next.index)];
    next.blocks = (next.length + problem.block() - 1) / problem.block();
    sequences.push_back(next);
    next.first += next.length;
    next.first_block += next.blocks;
  }
  return sequences;
}

Outputs run_stage(const Device& device, const StageProblem& problem) {
  return std::visit([&](const auto& each) { return outputs_of(device, each); }, problem.input);
}

Location place_in_stage(const StageProblem& problem, const std::string& tensor, std::int64_t flat) {
  const StageShape& d = problem.shape();
  Location where{.tensor = tensor};
  const bool sets = tensor == "selected";
  const std::int64_t heads = tensor == "key_factors" ? d.H : d.HV;
  const std::int64_t width = sets ? std::get<SelectInput>(problem.input).w
                             : tensor == "scores" || tensor == "key_factors" ? 1
                                                                             : d.V;
  if (width > 1) where.column = flat % width;
  where.head = flat / width % heads;
  const std::int64_t row = flat / (width * heads);
  for (const StageSequence& sequence : sequences_of(problem)) {
    const std::int64_t n = row - (sets ? sequence.first_block : sequence.first);
    if (n < 0 || n >= (sets ? sequence.blocks : sequence.length)) continue;
    where.sequence = sequence.index;
    where.token = sets ? n * problem.block() : n;
  }
  return where;
}

}  // namespace deltaproof
