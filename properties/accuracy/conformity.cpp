#include "properties/accuracy/conformity.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "properties/accuracy/over_units.hpp"
#include "properties/accuracy/pieces.hpp"
#include "properties/accuracy/read_parts.hpp"
#include "reference/arithmetic/emulate.hpp"
#include "reference/arithmetic/interval_rounding.hpp"
#include "reference/arithmetic/pin.hpp"

namespace deltaproof {
namespace {

// A token recurrence has no chunks of its own: any number of tokens gives the same.
Index chunk_of(const Problem& problem) { return problem.options().chunk_size; }

const Tensor& tensor_of(const Outputs& outputs, const Piece& piece) { return *outputs.find(piece.tensor); }

class UnitConformity {
 public:
  UnitConformity(const ConformityContext& context, const Unit& unit, const HeadInputs& run)
      : c_(context), unit_(unit), run_(run) {
    finite_ = run.initial_state.allFinite();
    state_error_ = initial_state_error(context.problem, unit, run.initial_state);
    state_was_given_ = context.problem.find("initial_state") != nullptr;
  }

  Conformity judge() {
    Conformity result;
    if (!finite_ || unit_.length == 0) return result;
    const std::vector<Piece> pieces = pieces_of(c_.problem, c_.outputs, unit_);
    if (c_.pin) compare_sets(pieces, result);
    if (c_.bits) compare_bits(pieces, result.bits);
    const bool pin_broken = result.pin.violations > 0, bits_differ = result.bits.unequal > 0;
    if (pin_broken || bits_differ) {
      result.bad.push_back({unit_, result.pin.violations, result.bits.unequal,
                            pin_broken ? result.pin.first_bad.location.token : 0,
                            bits_differ ? result.bits.first.token : 0});
    }
    return result;
  }

 private:
  // A state in fp32, stored to nearest in a narrower type. Of `o` the declaration says itself how it is stored.
  static SetBlock stored(SetBlock set, Dtype dtype) {
    if (dtype == Dtype::f32 || dtype == Dtype::f64) return set;
    for (Index i = 0; i < set.centre.size(); ++i) {
      double& centre = set.centre.data()[i];
      double& radius = set.radius.data()[i];
      const Ball ball = rounded_ball(centre, radius, [dtype](double x) { return stored_value(dtype, x); });
      centre = ball.centre;
      radius = ball.radius;
    }
    return set;
  }

  void compare_sets(const std::vector<Piece>& pieces, Conformity& result) const {
    const Index chunk = chunk_of(c_.problem);
    const PinnedRun pinned = pin(c_.resolved, tensor_core(c_.resolved.declared.mma), run_, chunk, state_error_,
                                 state_was_given_);
    for (const Piece& piece : pieces) {
      const SetBlock set = piece.is_state ? stored(pinned.states[state_after(unit_, piece.token, chunk)],
                                                   tensor_of(c_.outputs, piece).dtype)
                                          : with_read(pinned.o, piece);
      const Matrix zero = Matrix::Zero(set.rows(), set.cols());
      ComparedBlock block = block_of(c_.problem, unit_, piece.tensor, piece.is_state, piece.token);
      const Matrix late = one_step_late(pinned, set, piece, chunk);
      block.value = &piece.value;
      block.expected = &set.centre;
      block.bound = &set.radius;
      block.radius = &zero;
      block.shifted = &late;
      result.pin.add(block);
      if (c_.observe) c_.observe(block);
      result.unambiguous += (set.radius.array() == 0).count();
    }
  }

  // The state's output is the declared order's, in its stored type; the read is added to it by any of its own.
  SetBlock with_read(SetBlock set, const Piece& piece) const {
    if (c_.reads == nullptr) return set;
    const std::shared_ptr<const ReadPart> part = c_.reads->of(*unit_.sequence, unit_.head);
    const auto rows = [&](const Matrix& all) { return Matrix(all.middleRows(unit_.begin, unit_.length)); };
    const Matrix off = bound_rows(*part, unit_.begin, unit_.length) + rows(part->radius);
    const Matrix read = rows(part->value);
    const Matrix sum = sum_bound(set.centre.cwiseAbs() + set.radius, read.cwiseAbs() + off, part->formats);
    set.centre += read;
    set.radius += off + sum;
    const Format& stored_in = dtype_format(tensor_of(c_.outputs, piece).dtype);
    set.radius += (set.centre.cwiseAbs() + set.radius).unaryExpr([&](double x) { return half_ulp(stored_in, x); });
    set.radius *= 1 + 0x1p-40;
    forget_chosen(*part, unit_.begin, set.radius);
    return set;
  }

  // The wrong answer 'one step late' that a bound must reject.
  Matrix one_step_late(const PinnedRun& pinned, const SetBlock& set, const Piece& piece, Index chunk) const {
    if (piece.is_state) {
      const std::size_t at = state_after(unit_, piece.token, chunk);
      return at == 0 ? run_.initial_state : pinned.states[at - 1].centre;
    }
    Matrix late = set.centre;
    late.bottomRows(late.rows() - 1) = set.centre.topRows(late.rows() - 1);
    return late;
  }

  void compare_bits(const std::vector<Piece>& pieces, BitCount& bits) const {
    const Index chunk = chunk_of(c_.problem);
    const Emulation emulation = emulate(c_.resolved, run_, chunk, state_was_given_);
    for (const Piece& piece : pieces) {
      if (!piece.is_state && c_.reads != nullptr) continue;  // the whole run is emulated instead
      const MatrixF& value = piece.is_state ? emulation.states[state_after(unit_, piece.token, chunk)] : emulation.o;
      const Dtype dtype = tensor_of(c_.outputs, piece).dtype;
      BitCount found;
      for (Index i = 0; i < value.rows(); ++i) {
        for (Index j = 0; j < value.cols(); ++j) {
          const auto held = static_cast<double>(value(i, j));
          const double expected = piece.is_state ? stored_value(dtype, held) : held;
          ++found.compared;
          if (std::bit_cast<std::uint64_t>(expected) == std::bit_cast<std::uint64_t>(piece.value(i, j))) continue;
          if (found.unequal++ > 0) continue;
          found.first = place_in(block_of(c_.problem, unit_, piece.tensor, piece.is_state, piece.token), i, j);
        }
      }
      bits.merge(found);
    }
  }

  const ConformityContext& c_;
  const Unit& unit_;
  const HeadInputs& run_;
  Matrix state_error_;
  bool finite_ = true, state_was_given_ = false;
};

}  // namespace

void BitCount::merge(const BitCount& other) {
  if (other.unequal > 0 && (unequal == 0 || earlier(other.first, first))) first = other.first;
  compared += other.compared;
  unequal += other.unequal;
}

void Conformity::merge(const Conformity& other) {
  pin.merge(other.pin);
  unambiguous += other.unambiguous;
  bits.merge(other.bits);
  bad.insert(bad.end(), other.bad.begin(), other.bad.end());
}

std::optional<Declared> declared_order(const Kernel& kernel, const Problem& problem) {
  if (std::optional<Declared> own = kernel.declared()) return own;
  return built_in(kernel.arithmetic(), problem.options().rule);
}

Resolved resolve_for(const Problem& problem, const Outputs& outputs, const Declared& declared) {
  const Format& input = coarsest_input(problem);
  const Tensor* o = outputs.find("o");
  const Tensor* beta = problem.find("beta");
  const L2Norm which = problem.options().qk_l2norm;
  return resolve(declared, input, o == nullptr ? input : dtype_format(o->dtype),
                 which == L2Norm::q || which == L2Norm::both, which == L2Norm::k || which == L2Norm::both,
                 beta == nullptr || beta->dtype == Dtype::f32);
}

double stored_value(Dtype dtype, double x) {
  if (dtype == Dtype::f64) return x;
  return round_to_nearest_even(dtype_format(dtype), x);
}

HeadInputs inputs_of(const ConformityContext& context, const Unit& unit, const HeadInputs& head) {
  return head.slice(unit.begin, unit.length, state_before(context.problem, context.outputs, unit, head));
}

Conformity judge_unit_conformity(const ConformityContext& context, const Unit& unit, const HeadInputs& inputs) {
  return UnitConformity(context, unit, inputs).judge();
}

Conformity judge_conformity(const ConformityContext& context, const std::vector<Unit>& units, int threads,
                            const std::function<void(double)>& progress) {
  const auto head_of = [&](const Unit& unit) { return head_inputs(context.problem, *unit.sequence, unit.head); };
  const auto judge = [&](const Unit& unit, const HeadInputs& head) {
    return judge_unit_conformity(context, unit, inputs_of(context, unit, head));
  };
  const auto merge = [](Conformity& total, const Conformity& result) { total.merge(result); };
  return OverUnits<Conformity>(units, head_of, judge, merge).run(threads, progress);
}

}  // namespace deltaproof
