#include "properties/accuracy/unit_spread.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "properties/accuracy/pieces.hpp"
#include "reference/bounds/chunk_noise.hpp"

namespace deltaproof {
namespace {

// Beyond this condition of the triangular solve, second-order errors no longer vanish beside the first.
constexpr double largest_condition = 1000;

// Beyond this mean square of the errors that rounding the exact values would make, in units of their variance, errors
// add up that the model takes for independent. Where every value lies at a tie it is 3.
constexpr double largest_rehearsal = 3.5;

// How far e is beyond what is not random, in standard deviations; infinite where nothing is random.
double deviations(double e, double low, double high, double worst, double variance) {
  if (!std::isfinite(e)) return std::numeric_limits<double>::infinity();
  const double beyond = std::max({0.0, e - high - worst, low - worst - e});
  if (beyond == 0) return 0;
  if (!(variance > 0)) return std::numeric_limits<double>::infinity();
  return beyond / std::sqrt(variance);
}

class UnitSpread {
 public:
  UnitSpread(const JudgeContext& context, const Unit& unit, const HeadInputs& head, double limit, bool correlation)
      : c_(context), unit_(unit), limit_(limit), with_correlation_(correlation) {
    const std::int64_t chunk = context.problem.options().chunk_size;
    rest_ = std::max<std::int64_t>(0, (unit.length + chunk - 1) / chunk - 1);
    unit_.length = std::min(unit.length, chunk);
    whole_ = rest_ == 0;
    state_ = state_before(context.problem, context.outputs, unit, head);
    if (state_.allFinite()) run_ = head.slice(unit_.begin, unit_.length, state_);
  }

  Spread judge() {
    if (rest_ > 0) leave_out(rest_, "the state that they begin with was not recorded");
    if (unit_.length == 0) return result_;
    if (!state_.allFinite()) return leave_out(1, "the state that they begin with is not finite");
    const ChunkInput in = chunk_input(run_, state_, initial_state_error(c_.problem, unit_, state_));
    ChunkNoise noise = chunk_noise(in, formats_of(c_.arithmetic, run_, coarsest_input(c_.problem), chunk()), c_.tensor_core);
    if (!(noise.condition <= largest_condition)) {
      return leave_out(1, fmt::format("the condition of their triangular solve is above {}", largest_condition));
    }
    const HeadAnswer answer = answer_double(run_, {.every = chunk(), .trace = false, .u = false});
    if (!noise.o.worst.allFinite() || !noise.state.worst.allFinite()) {
      return leave_out(1, "errors of fp32 arithmetic are not bounded there");
    }
    std::vector<Compared> pieces;
    std::optional<Piece> state;
    for (const Piece& piece : pieces_of(c_.problem, c_.outputs, unit_)) {
      if (!piece.is_state) {
        pieces.push_back(compared(piece, answer.o, answer.o_radius, std::move(noise.o)));
      } else if (whole_ && piece.token == unit_.begin + unit_.length) {
        // final_state and the last of chunk_states are one state: the one that is stored with more bits.
        if (!state || bits_of(piece) > bits_of(*state)) state = piece;
      }
    }
    if (state) {
      pieces.push_back(
          compared(*state, answer.states[0], answer.state_radius[0].replicate(run_.K, 1), std::move(noise.state)));
    }
    for (const Compared& c : pieces) {
      if (!(c.rehearsed.mean() <= largest_rehearsal)) return leave_out(1, "their roundings repeat");
    }
    ++result_.judged;
    for (const Compared& c : pieces) compare(c);
    return result_;
  }

 private:
  Index chunk() const { return c_.problem.options().chunk_size; }

  const Format& stored_type(const Piece& piece) const { return dtype_format(c_.outputs.find(piece.tensor)->dtype); }
  int bits_of(const Piece& piece) const { return stored_type(piece).significant_bits; }

  const Spread& leave_out(std::int64_t chunks, const std::string& why) {
    result_.left_out += chunks;
    result_.why_left_out = why;
    return result_;
  }

  // What the kernel put out, the right answer, and the noise about it.
  struct Compared {
    Piece piece;
    Matrix expected;
    Noise noise;
    Matrix variance, rehearsed;  // of the noise: rehearsed_energy
  };

  Compared compared(const Piece& piece, const Matrix& expected, const Matrix& radius, Noise noise) const {
    add_storage(piece, expected, noise);
    noise.worst += radius;
    Compared c{piece, expected, combined(noise), {}, {}};
    c.variance = c.noise.variance();
    c.rehearsed = rehearsed_energy(c.noise, c.variance);
    return c;
  }

  void compare(const Compared& c) {
    Matrix error = c.piece.value - c.expected;
    const Matrix low = c.noise.low(), high = c.noise.high();
    const ComparedBlock block = block_of(c_.problem, unit_, c.piece.tensor, c.piece.is_state, c.piece.token);
    Matrix z(error.rows(), error.cols());
    for (Index i = 0; i < error.rows(); ++i) {
      for (Index j = 0; j < error.cols(); ++j) {
        z(i, j) = deviations(error(i, j), low(i, j), high(i, j), c.noise.worst(i, j), c.variance(i, j));
        count(z(i, j), block, i, j);
        if (!std::isfinite(error(i, j))) error(i, j) = 0;  // counted; it would hide every other error in a sum
      }
    }
    add_groups({c.piece.is_state, unit_.head, unit_.begin / chunk(), error, c.expected, z, c.noise, c.variance, c.rehearsed},
               result_.groups);
    if (with_correlation_) result_.correlation = std::max(result_.correlation, correlation_norm(c.noise));
  }

  void count(double z, const ComparedBlock& block, Index i, Index j) {
    ++result_.compared;
    if (!(z <= limit_)) ++result_.outside;
    if (z > result_.largest) {
      result_.largest = z;
      result_.worst = place_in(block, i, j);
    }
  }

  // A value held in fp32 and stored in a narrower type is rounded once more.
  void add_storage(const Piece& piece, const Matrix& expected, Noise& noise) const {
    const Format& stored = stored_type(piece);
    if (stored.significant_bits < formats::f32.significant_bits) {
      noise.random.push_back(
          rounding_noise("stored type", {}, {}, expected, nearest(stored), (noise.high() - noise.low()) / 2));
    } else if (!piece.is_state) {
      noise.worst += nearest(formats::f32).error(Matrix(expected.cwiseAbs() + noise.worst));
    }
  }

  const JudgeContext& c_;
  Unit unit_;
  double limit_;
  bool with_correlation_, whole_ = true;
  std::int64_t rest_ = 0;  // chunks beyond the first
  Matrix state_;
  HeadInputs run_;
  Spread result_;
};

}  // namespace

void Spread::merge(const Spread& other) {
  judged += other.judged;
  left_out += other.left_out;
  if (!other.why_left_out.empty()) why_left_out = std::max(why_left_out, other.why_left_out);
  compared += other.compared;
  outside += other.outside;
  if (other.largest > largest || (other.largest == largest && largest > 0 && earlier(other.worst, worst))) {
    largest = other.largest;
    worst = other.worst;
  }
  for (const auto& [key, group] : other.groups) groups[key].add(group);
  correlation = std::max(correlation, other.correlation);
}

Spread unit_spread(const JudgeContext& context, const Unit& unit, const HeadInputs& head, double limit,
                   bool with_correlation) {
  return UnitSpread(context, unit, head, limit, with_correlation).judge();
}

std::int64_t compared_values(const JudgeContext& context, const Unit& unit) {
  const Dimensions& d = context.problem.dims();
  return std::min(unit.length, context.problem.options().chunk_size) * d.V + d.K * d.V;
}

}  // namespace deltaproof
