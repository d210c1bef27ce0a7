#include <algorithm>
#include <cmath>
#include <utility>

#include "reference/bounds/noise_parts.hpp"

namespace deltaproof {
namespace {

Matrix on_and_below_diagonal(const Matrix& m) { return m.triangularView<Eigen::Lower>(); }

// The copy of the state, an exact input: in w S and in q S.
void state_copy(NoiseParts& p) {
  if (!rounds(p.f.state_copy)) return;
  const Matrix exact = Matrix::Zero(p.x.S.rows(), p.x.S.cols());
  KnownRounding o{"state copy", {}}, state{"state copy", {}};
  for (const Matrix& d : known_errors(p.x.S, exact, p.f.state_copy).of_x) {
    const Matrix of_u = -(p.x.W * d);
    o.effects.push_back(p.x.scale * scaled_rows(p.x.from_start, p.x.Q * d) + p.to_o(of_u));
    state.effects.push_back(p.to_state(of_u));
  }
  p.noise.o.known.push_back(std::move(o));
  p.noise.state.known.push_back(std::move(state));
}

// A rounding point of `value` whose errors enter o as factor left d right.
void add_to_o(NoiseParts& p, double factor, const char* name, const Matrix& left, const Matrix& right,
              const Matrix& value, const Rounding& rounding) {
  if (rounds(rounding)) p.noise.o.random.push_back(scaled(rounding_noise(name, left, right, value, rounding), factor));
}

// How far P may be off in fp32. e^{G_i - G_i} = 1 has no error: there the sum and a few roundings are left.
Matrix error_of_attention(const NoiseParts& p) {
  Matrix error = p.in_fp32.grams.queries.error;
  const Matrix sums = p.in_fp32.acc_K.error(p.x.Q.cwiseAbs(), Matrix(p.x.K.cwiseAbs().transpose()));
  error.diagonal() = error.diagonal().cwiseMin(sums.diagonal() + 4 * u32 * p.x.P.diagonal().cwiseAbs());
  return error;
}

// How far rounding q moves P: where q and k are nearly orthogonal, by more than P itself.
Matrix moved_attention(const NoiseParts& p) {
  if (!rounds(p.f.q_scaled) || p.x.scale == 0) return Matrix::Zero(p.c.C, p.c.C);
  const Matrix d = (round_all(p.x.scale * p.x.Q, p.f.q_scaled) / p.x.scale) - p.x.Q;
  return on_and_below_diagonal((d * p.x.K.transpose()).cwiseProduct(p.x.between)).cwiseAbs();
}

// P is a function of the inputs, but not after an earlier rounding of its factors.
void attention(NoiseParts& p) {
  if (!rounds(p.f.P)) return;
  const bool in_query = p.f.scale == ChunkFormats::Scale::query;
  const bool rounded_before = rounds(p.f.q_scaled) || rounds(p.f.product);
  if (rounded_before) {
    const double factor = in_query ? p.x.scale : 1;  // in P when it is rounded
    if (rounds(p.f.P) && p.x.scale != 0) {
      p.noise.o.random.push_back(scaled(
          rounding_noise("P", {}, p.x.U, factor * p.x.P, p.f.P, factor * moved_attention(p)), p.x.scale / factor));
    }
    if (in_query) return;
  }
  const Matrix error = error_of_attention(p);
  KnownRounding known{"P", {}};
  Matrix half_width = Matrix::Zero(p.c.C, p.c.C), rehearsal = half_width;
  const auto rounded_with = [&](double factor) {  // the scale, where it may be in P when P is rounded
    const KnownErrors errors = known_errors(factor * p.x.P, std::abs(factor) * error, p.f.P);
    for (const Matrix& d : errors.of_x) known.effects.push_back(p.x.scale / factor * (d * p.x.U));
    half_width = half_width.cwiseMax(errors.half_width / std::abs(factor));
    if (known.effects.size() == errors.of_x.size()) rehearsal = errors.rehearsal / factor;
  };
  rounded_with(1);
  if (p.f.scale == ChunkFormats::Scale::either && p.x.scale != 0) rounded_with(p.x.scale);
  p.noise.o.known.push_back(std::move(known));
  if (half_width.isZero(0)) return;
  p.noise.o.random.push_back(
      bounded_noise("P, either way", {}, p.x.U, std::abs(p.x.scale) * half_width, p.x.scale * rehearsal));
}

// q scale, and, where no order is declared, q e^G with the scale in it or not.
void scaled_queries(NoiseParts& p) {
  if (!rounds(p.f.q_scaled) || p.x.scale == 0) return;
  const Matrix exact = Matrix::Zero(p.x.Q.rows(), p.x.Q.cols());
  const auto errors = [&](const Matrix& q, double factor) {  // of q, rounded after a multiplication by `factor`
    std::vector<Matrix> of_q;
    for (const Matrix& d : known_errors(factor * q, exact, p.f.q_scaled).of_x) of_q.push_back(d / factor);
    return of_q;
  };
  const auto in_state = [&](const Matrix& d) { return Matrix(p.x.scale * (d * p.x.S)); };  // d: of q e^G
  const auto in_both = [&](const Matrix& d) {                                              // d: of q
    const Matrix dP = on_and_below_diagonal((d * p.x.K.transpose()).cwiseProduct(p.x.between));
    return Matrix(in_state(scaled_rows(p.x.from_start, d)) + p.x.scale * (dP * p.x.U));
  };
  KnownRounding known{"q scale", {}};
  const std::vector<Matrix> early = errors(p.x.Q, p.x.scale);
  known.effects.push_back(in_both(early.front()));
  if (p.f.scale == ChunkFormats::Scale::either) {
    const Matrix decayed = scaled_rows(p.x.from_start, p.x.Q);
    const Matrix twice = scaled_rows(p.x.from_start, p.x.Q + early.front());
    known.effects.push_back(in_state(errors(decayed, 1).front()));
    known.effects.push_back(in_state(errors(decayed, p.x.scale).front()));
    known.effects.push_back(in_both(early.front()) + in_state(errors(twice, p.x.scale).front()));
  }
  for (std::size_t i = 1; i < early.size(); ++i) known.effects.push_back(in_both(early[i]));
  p.noise.o.known.push_back(std::move(known));
}

// The values as they are when u has been rounded: where w S is small, rounding them again changes little.
Matrix rehearsed_values(const NoiseParts& p) {
  if (!rounds(p.f.u)) return p.x.U;
  return round_all(p.x.T * round_all(p.x.RV, p.f.rv), p.f.u) - p.x.W * p.x.S;
}

// A rounding of the values, perhaps scaled, rehearsed after that of u.
NoiseSource rounding_of_values(const NoiseParts& p, const char* name, const Matrix& left, const Matrix& scaled_by,
                               const Rounding& rounding) {
  const auto rows = [&](const Matrix& m) { return scaled_by.size() == 0 ? m : scaled_rows(scaled_by, m); };
  NoiseSource source = rounding_noise(name, left, {}, rows(p.x.U), rounding);
  const Matrix rehearsed = rows(rehearsed_values(p));
  source.rehearsal = round_all(rehearsed, rounding) - rehearsed;
  return source;
}

void read_out(NoiseParts& p) {
  const bool in_query = p.f.scale == ChunkFormats::Scale::query;
  attention(p);
  add_to_o(p, in_query ? 1 : p.x.scale, "q k^T", {}, p.x.U, in_query ? Matrix(p.x.scale * p.x.P) : p.x.P, p.f.product);
  if (p.c.in.residual && rounds(p.f.v_new)) {
    p.noise.o.random.push_back(rounding_of_values(p, "v_new", p.x.scale * p.x.P, {}, p.f.v_new));
  }
  add_to_o(p, p.x.scale, "q S", {}, {}, scaled_rows(p.x.from_start, p.x.Q * p.x.S), p.f.product);
  add_to_o(p, p.x.scale, "P v", {}, {}, p.x.P * p.x.U, p.f.product);
  scaled_queries(p);
  if (rounds(p.f.q_scaled)) {
    // Where P is moved by more than its own size, what it multiplies is a first-order error of o, too: u, v_new and P.
    const double each = 2 * unit_roundoff(p.f.q_scaled.format);
    p.noise.o.worst += (3 * each * std::abs(p.x.scale)) * (moved_attention(p) * p.x.U.cwiseAbs());
  }
}

// A function of the inputs whose known errors d enter the state as left d right.
void known_in_state(NoiseParts& p, const std::string& name, const Matrix& left, const Matrix& right,
                    const KnownErrors& errors) {
  KnownRounding known{name, {}};
  for (const Matrix& d : errors.of_x) known.effects.push_back(left * d * right);
  p.noise.state.known.push_back(std::move(known));
  if (errors.half_width.isZero(0)) return;
  p.noise.state.random.push_back(
      bounded_noise(name + ", either way", left, right, errors.half_width, errors.rehearsal));
}

// The written values or the keys, scaled by e^{G_C - G_i}.
void update(NoiseParts& p) {
  const Matrix one_K = Matrix::Identity(p.c.K, p.c.K), one_V = Matrix::Identity(p.c.V, p.c.V);
  if (rounds(p.f.v_scaled)) {
    if (p.c.in.residual) {
      p.noise.state.random.push_back(
          rounding_of_values(p, "v_new, scaled", p.x.K.transpose(), p.x.to_end, p.f.v_scaled));
    } else {
      const Matrix written = scaled_rows(p.x.to_end, p.x.U);
      const Matrix error = hadamard(exactly(p.x.U), p.in_fp32.to_end, u32).error;
      known_in_state(p, "v, scaled", p.x.K.transpose(), one_V, known_errors(written, error, p.f.v_scaled));
    }
  }
  if (rounds(p.f.k_scaled)) {
    const Matrix error = hadamard(p.in_fp32.k_stored, p.in_fp32.to_end, u32).error;
    known_in_state(p, "k e^{..}", one_K, p.x.U,
                   known_errors(p.x.K_to_end.transpose(), error.transpose(), p.f.k_scaled));
    if (p.c.in.residual && rounds(p.f.v_new)) {
      p.noise.state.random.push_back(rounding_of_values(p, "v_new", p.x.K_to_end.transpose(), {}, p.f.v_new));
    }
  }
  if (rounds(p.f.product)) {
    p.noise.state.random.push_back(rounding_noise("K^T v", {}, {}, p.x.K_to_end.transpose() * p.x.U, p.f.product));
  }
}

}  // namespace

void add_output_noise(NoiseParts& p) {
  state_copy(p);
  read_out(p);
  update(p);
}

}  // namespace deltaproof
