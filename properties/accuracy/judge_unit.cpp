#include "properties/accuracy/judge_unit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "properties/accuracy/pieces.hpp"
#include "properties/accuracy/read_parts.hpp"

namespace deltaproof {
namespace {

// The reference must be this much closer to the exact answer than the bound it is used with; for a kernel
// that computes in double as the oracle does, only as close: what the oracle does not know is added to the bound.
double reference_share(BoundChoice::Kind kind) {
  return kind == BoundChoice::Kind::fp64 ? 1 : 0x1p-10;
}

// A token recurrence is bounded in blocks: longer ones follow errors with their signs for longer, at a cost
// that grows with the square of the length.
constexpr std::int64_t token_block = 256;

class UnitJudge {
 public:
  UnitJudge(const JudgeContext& context, const Unit& unit, const HeadInputs& head)
      : c_(context), unit_(unit), head_(head), options_(context.problem.options()), block_(options_.chunk_size) {
    if (context.choice.kind == BoundChoice::Kind::token) {
      // A recorded state needs a bound of its own.
      const bool states = context.outputs.find("chunk_states") != nullptr;
      block_ = states ? options_.states_every : token_block;
    }
  }

  UnitResult judge() {
    UnitResult result;
    if (!set_run()) {
      add_known_state(result.comparison);
      return result;
    }
    pieces_ = pieces_of(c_.problem, c_.outputs, unit_);
    if (unit_.length > 0) answer_and_bound(false);
    if (unit_.length > 0 && c_.reads != nullptr) add_read(*c_.reads);
    for (const Piece& piece : pieces_) compare(piece, result.comparison);
    result.bits = answer_.bits;
    return result;
  }

  std::vector<BoundTerm> terms(const Location& where) {
    std::vector<BoundTerm> terms;
    if (!set_run() || unit_.length == 0) return terms;
    pieces_ = pieces_of(c_.problem, c_.outputs, unit_);
    answer_and_bound(true);
    if (c_.reads != nullptr) add_read(c_.reads->apart());
    for (const Piece& piece : pieces_) {
      if (piece.tensor != where.tensor) continue;
      if (piece.is_state && piece.token != where.token) continue;
      const Index row = piece.is_state ? where.row : where.token - unit_.begin;
      const Terms apart = terms_of(piece);
      for (const Terms::Term& term : apart.list()) {
        terms.push_back({term.name, term.value(row, where.column)});
      }
      const Matrix allowed = bound_of(piece);
      terms.push_back({"rounding to the stored type",
                       allowed(row, where.column) - sum_of(piece)(row, where.column)});
      terms.push_back({"reference", radius_of(piece)(row, where.column)});
      break;
    }
    std::sort(terms.begin(), terms.end(),
              [](const BoundTerm& a, const BoundTerm& b) { return a.value > b.value; });
    return terms;
  }

 private:
  // The tokens of the unit, from the state they start with; false if that state is not finite.
  bool set_run() {
    const Matrix state = state_before(c_.problem, c_.outputs, unit_, head_);
    if (unit_.known_state >= 0 && !state.allFinite()) return false;
    run_ = head_.slice(unit_.begin, unit_.length, state);
    if (c_.choice.kind != BoundChoice::Kind::fp64) initial_error_ = initial_state_error(c_.problem, unit_, state);
    return true;
  }

  // Nothing is known of what follows a state that is not finite. Whether a right kernel has it is judged with the unit
  // that ends with it.
  void add_known_state(Comparison& comparison) const {
    const Matrix state = state_before(c_.problem, c_.outputs, unit_, head_);
    const Matrix zero = Matrix::Zero(state.rows(), state.cols());
    const Matrix unknown = Matrix::Constant(state.rows(), state.cols(), std::numeric_limits<double>::infinity());
    ComparedBlock block = block_of(c_.problem, unit_, "chunk_states", true, unit_.begin);
    block.value = &state;
    block.expected = block.radius = &zero;
    block.bound = &unknown;
    comparison.add_non_finite(block);
  }

  // Index into the states of the answer.
  std::size_t boundary(const Piece& piece) const { return state_after(unit_, piece.token, block_); }

  void answer_and_bound(bool apart) {
    const AnswerRequest request{.every = block_, .trace = false, .u = false};
    answer_ = answer_double(run_, request);
    bound_ = bound_for(apart);
    AnswerTarget target;
    const double share = reference_share(c_.choice.kind);
    target.o = share * with_output_rounding(bound_.o.sum(run_.tokens, run_.V), answer_.o, "o");
    bool reached = (answer_.o_radius.array() <= target.o.array()).all();
    for (std::size_t n = 0; n < bound_.states.size(); ++n) {
      const Matrix& state = answer_.states[n];
      target.states.push_back(share * bound_.states[n].sum(state.rows(), state.cols()));
      const Matrix radius = answer_.state_radius[n].replicate(state.rows(), 1);
      reached = reached && (radius.array() <= target.states[n].array()).all();
    }
    if (reached) return;
    answer_ = answer_within(run_, request, target);
    bound_ = bound_for(apart);
  }

  HeadBound bound_for(bool apart) const {
    const Format& input = coarsest_input(c_.problem);
    return head_bound(c_.arithmetic, c_.choice.kind, run_, answer_, block_, input, initial_error_,
                      c_.tensor_core, apart);
  }

  // What the cache adds to the state's output: the kernel stores the sum, which is all that can be compared.
  void add_read(const ReadParts& reads) {
    const std::shared_ptr<const ReadPart> part = reads.of(*unit_.sequence, unit_.head);
    const auto rows = [&](const Matrix& all) { return all.middleRows(unit_.begin, unit_.length); };
    const Matrix state = answer_.o.cwiseAbs() + bound_.o.sum(run_.tokens, run_.V);
    for (const Terms::Term& term : part->bound.list()) bound_.o.add("cache read: " + term.name, rows(term.value));
    const Matrix whole = bound_rows(*part, unit_.begin, unit_.length);
    bound_.o.add("sum of both", sum_bound(state, rows(part->value).cwiseAbs() + whole, part->formats));
    answer_.o += rows(part->value);
    answer_.o_radius += rows(part->radius) + 0x1p-52 * answer_.o.cwiseAbs();
  }

  const Matrix& expected_of(const Piece& piece) const {
    if (!piece.is_state) return answer_.o;
    if (unit_.length == 0) return piece.slot_values ? run_.initial_slot_values : run_.initial_state;
    return piece.slot_values ? answer_.slot_values[boundary(piece)] : answer_.states[boundary(piece)];
  }

  Matrix radius_of(const Piece& piece) const {
    if (!piece.is_state) return answer_.o_radius;
    const Matrix& expected = expected_of(piece);
    if (unit_.length == 0) return Matrix::Zero(expected.rows(), expected.cols());
    const RowVector& column = piece.slot_values ? answer_.slot_values_radius[boundary(piece)]
                                                : answer_.state_radius[boundary(piece)];
    return column.replicate(expected.rows(), 1);
  }

  Terms terms_of(const Piece& piece) const {
    if (!piece.is_state) return bound_.o;
    if (piece.slot_values) return bound_.slot_values[boundary(piece)];
    return bound_.states[boundary(piece)];
  }

  Matrix sum_of(const Piece& piece) const {
    const Matrix& expected = expected_of(piece);
    if (unit_.length == 0) {
      if (initial_error_.size() != 0) return initial_error_;
      return Matrix::Zero(expected.rows(), expected.cols());
    }
    return terms_of(piece).sum(expected.rows(), expected.cols());
  }

  // Adds the rounding of a tensor to the type it is stored in. A state held in fp32 is stored as it is.
  Matrix with_output_rounding(const Matrix& bound, const Matrix& expected, const std::string& name) const {
    const Tensor* tensor = c_.outputs.find(name);
    if (tensor == nullptr) return bound;
    const Format& stored = dtype_format(tensor->dtype);
    const bool held_in_fp32 = c_.choice.kind != BoundChoice::Kind::fp64 && name != "o";
    if (held_in_fp32 && stored.significant_bits >= formats::f32.significant_bits) return bound;
    return bound + (expected.cwiseAbs() + bound).unaryExpr([&](double x) { return half_ulp(stored, x); });
  }

  Matrix bound_of(const Piece& piece) const {
    Matrix bound = with_output_rounding(sum_of(piece), expected_of(piece), piece.tensor);
    // inf - inf and 0 * inf inside a bound mean that nothing is known: never a verdict.
    return bound.unaryExpr([](double x) {
      return std::isnan(x) ? std::numeric_limits<double>::infinity() : x;
    });
  }

  void compare(const Piece& piece, Comparison& comparison) const {
    const Matrix& expected = expected_of(piece);
    const Matrix bound = bound_of(piece);
    const Matrix radius = radius_of(piece);
    Matrix shifted;
    ComparedBlock block = block_of(c_.problem, unit_, piece.tensor, piece.is_state, piece.token);
    if (piece.is_state) {
      shifted = previous_state(piece);
    } else {
      shifted = expected;
      shifted.bottomRows(expected.rows() - 1) = expected.topRows(expected.rows() - 1);
    }
    block.value = &piece.value;
    block.expected = &expected;
    block.bound = &bound;
    block.radius = &radius;
    if (shifted.size() != 0) block.shifted = &shifted;
    comparison.add(block);
    if (c_.observe) c_.observe(block);
  }

  Matrix previous_state(const Piece& piece) const {
    if (unit_.length == 0 || piece.slot_values) return {};
    return boundary(piece) == 0 ? run_.initial_state : answer_.states[boundary(piece) - 1];
  }

  const JudgeContext& c_;
  const Unit& unit_;
  const HeadInputs& head_;
  const Options& options_;
  std::int64_t block_;  // tokens between the states of the answer
  HeadInputs run_;
  Matrix initial_error_;
  std::vector<Piece> pieces_;
  HeadAnswer answer_;
  HeadBound bound_;
};

}  // namespace

UnitResult judge_unit(const JudgeContext& context, const Unit& unit, const HeadInputs& head) {
  return UnitJudge(context, unit, head).judge();
}

std::vector<BoundTerm> terms_at(const JudgeContext& context, const Unit& unit, const HeadInputs& head,
                                const Location& where) {
  return UnitJudge(context, unit, head).terms(where);
}

}  // namespace deltaproof
