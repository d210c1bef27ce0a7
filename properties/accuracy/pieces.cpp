#include "properties/accuracy/pieces.hpp"

#include <algorithm>

namespace deltaproof {
namespace {

// [pool, HV, rows, columns], always row-major: the two parts of a gsa state.
Matrix slot_state(const Tensor& tensor, const Problem& problem, std::int64_t row, std::int64_t head) {
  const Index rows = tensor.shape[2], columns = tensor.shape[3];
  Matrix m(rows, columns);
  const std::int64_t start = (row * problem.dims().HV + head) * rows * columns;
  for (Index i = 0; i < m.size(); ++i) m.data()[i] = tensor.value(start + i);
  return m;
}

void add_chunk_states(const Problem& problem, const Tensor& states, const Unit& unit,
                      std::vector<Piece>& pieces) {
  const std::int64_t every = problem.options().states_every;
  const std::int64_t end = unit.begin + unit.length;
  for (std::int64_t token = unit.begin + 1; token <= end; ++token) {
    if (token % every != 0 && token != unit.sequence->length) continue;
    const std::int64_t row = chunk_state_row(states, *unit.sequence, (token - 1) / every);
    pieces.push_back({"chunk_states", true, token, false, state_of(states, problem, row, unit.head)});
  }
}

void add_final_state(const Problem& problem, const Outputs& outputs, const Unit& unit,
                     std::vector<Piece>& pieces) {
  const std::int64_t row = unit.sequence->state_row, end = unit.sequence->length;
  if (rule_info(problem.options().rule).system != System::gsa) {
    const Tensor* state = outputs.find("final_state");
    if (state == nullptr) return;
    pieces.push_back({"final_state", true, end, false, state_of(*state, problem, row, unit.head)});
    return;
  }
  for (const bool values : {false, true}) {
    const char* name = values ? "final_slot_values" : "final_slot_keys";
    const Tensor* state = outputs.find(name);
    if (state == nullptr) continue;
    pieces.push_back({name, true, end, values, slot_state(*state, problem, row, unit.head)});
  }
}

}  // namespace

std::vector<Piece> pieces_of(const Problem& problem, const Outputs& outputs, const Unit& unit) {
  std::vector<Piece> pieces;
  if (const Tensor* o = outputs.find("o"); o != nullptr && unit.length > 0) {
    const Matrix rows = output_rows(*o, problem, *unit.sequence, unit.head);
    pieces.push_back({"o", false, unit.begin, false, rows.middleRows(unit.begin, unit.length)});
  }
  if (const Tensor* states = outputs.find("chunk_states")) add_chunk_states(problem, *states, unit, pieces);
  if (unit.begin + unit.length == unit.sequence->length) add_final_state(problem, outputs, unit, pieces);
  return pieces;
}

std::size_t state_after(const Unit& unit, std::int64_t token, std::int64_t every) {
  return static_cast<std::size_t>(std::max<std::int64_t>((token - unit.begin + every - 1) / every, 1) - 1);
}

ComparedBlock block_of(const Problem& problem, const Unit& unit, const std::string& tensor, bool is_state,
                       std::int64_t token) {
  ComparedBlock block;
  block.tensor = tensor;
  block.sequence = unit.sequence->index;
  block.head = unit.head;
  block.is_state = is_state;
  block.first_token = token;
  block.chunk_size = problem.options().chunk_size;
  return block;
}

Matrix state_before(const Problem& problem, const Outputs& outputs, const Unit& unit, const HeadInputs& head) {
  if (unit.known_state < 0) return head.initial_state;
  const Tensor& states = *outputs.find("chunk_states");
  return state_of(states, problem, chunk_state_row(states, *unit.sequence, unit.known_state), unit.head);
}

Matrix initial_state_error(const Problem& problem, const Unit& unit, const Matrix& state) {
  const Tensor* initial = problem.find("initial_state");
  if (unit.known_state >= 0 || initial == nullptr || initial->dtype != Dtype::f64) return {};
  return state.unaryExpr([](double x) { return half_ulp(formats::f32, x); });
}

}  // namespace deltaproof
