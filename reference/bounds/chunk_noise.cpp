#include "reference/bounds/chunk_noise.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "reference/bounds/chunk.hpp"
#include "reference/bounds/chunk_bound.hpp"
#include "reference/bounds/inverse_error.hpp"

namespace deltaproof {
namespace {

using Mode = Rounding::Mode;

bool rounds(const Rounding& rounding) { return rounding.mode != Mode::exact; }

// The same family with nothing rounded below fp32, with or without the errors of its sums.
ChunkFormats without_roundings(ChunkFormats f, bool exact_sums) {
  f.exact_sums = exact_sums;
  for (Rounding* point : {&f.operand, &f.value, &f.normalised, &f.product, &f.key_beta, &f.key_beta_undecayed, &f.L, &f.T,
                          &f.rv, &f.rw, &f.u, &f.w, &f.w_decayed, &f.state_copy, &f.v_new, &f.v_scaled, &f.k_scaled,
                          &f.q_scaled, &f.gram_operand, &f.P, &f.merge}) {
    *point = not_rounded;
  }
  return f;
}

Matrix strictly_lower(const Matrix& m) { return m.triangularView<Eigen::StrictlyLower>(); }
Matrix on_and_below_diagonal(const Matrix& m) { return m.triangularView<Eigen::Lower>(); }
Matrix scaled_rows(const Matrix& column, const Matrix& m) { return column.col(0).asDiagonal() * m; }

// The blocks below those on the diagonal.
Matrix next_to_diagonal(const Matrix& m) {
  Matrix result = Matrix::Zero(m.rows(), m.cols());
  for (Index i = inverse_tile; i < m.rows(); i += inverse_tile) {
    const Index n = std::min(inverse_tile, m.rows() - i);
    result.block(i, i - inverse_tile, n, inverse_tile) = m.block(i, i - inverse_tile, n, inverse_tile);
  }
  return result;
}

// Zeroes what a merge copies from a truncated operand, which is not truncated again: the first row of X_ii and the
// last column of X_jj are those of the identity. `first`: X_ii L_ij next to the diagonal; `X`: the blocks as operands.
void leave_out_copies(Matrix& first, Matrix& X) {
  for (Index i = 0; i < X.rows(); ++i) {
    for (Index j = 0; j < i; ++j) {
      const Index distance = i / inverse_tile - j / inverse_tile;
      const bool first_row = i % inverse_tile == 0, last_column = j % inverse_tile == inverse_tile - 1;
      if (distance == 1 && first_row) first(i, j) = 0;
      if (distance == 1 ? last_column : distance > 1 && first_row) X(i, j) = 0;
    }
  }
}

// Exact matrices of one chunk, with the letters of docs/loc.md; scalar decay.
struct Exact {
  Matrix Q, K, S, between;      // between: e^{G_i - G_j}, j <= i
  Matrix from_start, to_end;    // C x 1
  Matrix K_to_end;              // C x K
  Matrix P;                     // unscaled
  Matrix U, W;
  Matrix RV, RW;                // b v, b k e^G
  Matrix L, T;
  double scale = 1;
};

Exact exact_chunk(const Chunk& c) {
  Exact x;
  x.Q = c.in.q;
  x.K = c.in.k;
  x.S = c.in.state;
  x.between = decay_between(c.in.decay, {}).exact;
  x.from_start = c.from_start.exact;
  x.to_end = c.to_end.exact;
  x.K_to_end = scaled_rows(x.to_end, x.K);
  x.P = c.grams.queries.exact;
  x.scale = c.in.scale;
  if (!c.in.residual) {
    x.U = c.in.v;
    x.W = Matrix::Zero(c.C, c.K);
    return x;
  }
  x.L = c.grams.keys.exact;
  x.T = unit_lower_inverse(x.L);
  x.RV = scaled_rows(c.in.b, c.in.v);
  x.RW = scaled_rows(c.in.b, scaled_rows(x.from_start, x.K));
  x.U = x.T * (x.RV - x.RW * x.S);
  x.W = x.T * x.RW;
  return x;
}

class Builder {
 public:
  /// `in_fp32`: the same chunk without roundings below fp32.
  Builder(const Chunk& c, const Chunk& in_fp32, ChunkNoise& noise)
      : c_(c), in_fp32_(in_fp32), f_(c.f), x_(exact_chunk(c)), noise_(noise) {}

  void build() {
    state_copy();
    if (c_.in.residual) {
      if (f_.inverse == ChunkFormats::Inverse::merged) merged_values(); else two_inverse_values();
      noise_.condition = (x_.T.cwiseAbs() * (Matrix::Identity(c_.C, c_.C) + x_.L).cwiseAbs()).rowwise().sum().maxCoeff();
    }
    read_out();
    update();
    sums();
    scan();
  }

 private:
  // What an error of U, the written values, does to o and to the state.
  Matrix to_o(const Matrix& of_u) const { return x_.scale * (x_.P * of_u); }
  Matrix to_state(const Matrix& of_u) const { return x_.K_to_end.transpose() * of_u; }

  // A rounding point of x, whose errors enter U as left d right.
  void value_noise(const char* name, const Matrix& left, const Matrix& right, const Matrix& x, const Rounding& rounding) {
    if (!rounds(rounding)) return;
    const Matrix whole = left.size() == 0 ? Matrix::Identity(c_.C, c_.C) : left;
    noise_.o.random.push_back(rounding_noise(name, to_o(whole), right, x, rounding));
    noise_.state.random.push_back(rounding_noise(name, to_state(whole), right, x, rounding));
  }

  // Known errors of U, any of which a kernel may make.
  void known_values(const char* name, const std::vector<Matrix>& of_u) {
    KnownRounding o{name, {}}, state{name, {}};
    for (const Matrix& effect : of_u) {
      o.effects.push_back(to_o(effect));
      state.effects.push_back(to_state(effect));
    }
    noise_.o.known.push_back(std::move(o));
    noise_.state.known.push_back(std::move(state));
  }

  Matrix error_of(const Matrix& x, const Rounding& rounding) const { return round_all(x, rounding) - x; }

  void state_copy() {
    if (!rounds(f_.state_copy)) return;
    const Matrix d = error_of(x_.S, f_.state_copy);
    const Matrix of_u = -(x_.W * d);
    noise_.o.known.push_back({"state copy", {x_.scale * scaled_rows(x_.from_start, x_.Q * d) + to_o(of_u)}});
    noise_.state.known.push_back({"state copy", {to_state(of_u)}});
  }

  void merged_values() {
    const Matrix X = x_.RV - x_.RW * x_.S;
    if (rounds(f_.rv)) known_values("b v", {x_.T * error_of(x_.RV, f_.rv)});
    keys_times_beta();
    early_keys();
    gram_noise(X);
    merge_noise(X);
    value_noise("T", {}, X, strictly_lower(x_.T), f_.T);
    value_noise("u", {}, {}, x_.T * x_.RV, f_.u);
    value_noise("w", {}, -x_.S, x_.W, f_.w);
    value_noise("w e^G", {}, -x_.S, x_.W, f_.w_decayed);
    value_noise("w S", {}, {}, x_.W * x_.S, f_.product);
  }

  // b k e^G: rounded once, or already before the decay.
  void keys_times_beta() {
    if (!rounds(f_.rw)) return;
    const auto effect = [&](const Matrix& stored) { return Matrix(-(x_.T * ((stored - x_.RW) * x_.S))); };
    std::vector<Matrix> effects = {effect(round_all(x_.RW, f_.rw))};
    const Rounding& inner = rounds(f_.product) ? f_.key_beta : f_.key_beta_undecayed;
    if (rounds(inner)) {
      const Matrix decayed = scaled_rows(x_.from_start, round_all(scaled_rows(c_.in.b, x_.K), inner));
      effects.push_back(effect(decayed));
      effects.push_back(effect(round_all(decayed, f_.rw)));
    }
    known_values("b k e^G", effects);
  }

  // b k as a factor of the Gram product.
  void early_keys() {
    if (!rounds(f_.key_beta)) return;
    const Matrix d = error_of(scaled_rows(c_.in.b, x_.K), f_.key_beta);
    const Matrix dL = strictly_lower((d * x_.K.transpose()).cwiseProduct(x_.between));
    known_values("b k", {Matrix(-(x_.T * (dL * x_.U)))});
  }

  // L and the product it comes from, where these are rounded.
  void gram_noise(const Matrix&) {
    value_noise("L", -x_.T, x_.U, x_.L, f_.L);
    value_noise("k k^T", -x_.T, x_.U, x_.L, f_.product);
  }

  // The merge of the blocks of the inverse (docs/advisory.md, 2): its operands N, X, the diagonal blocks, and the
  // product in between, (X_ii L_ij) X_jj next to the diagonal, X_ii (N X)_ij farther away. Truncation has a mean, which
  // a kernel that rounds them to nearest, or not, has not.
  void merge_noise(const Matrix& X) {
    const Matrix N = x_.L - block_diagonal(x_.L);
    if (!rounds(f_.merge) || N.isZero(0)) return;
    const Matrix D = Matrix::Identity(c_.C, c_.C) + block_diagonal(x_.L);
    const Matrix diagonal = block_diagonal(x_.T), TD = x_.T * D, Y = N * x_.T, below = strictly_lower(x_.T);
    Matrix mean = Matrix::Zero(c_.C, c_.V);
    const auto operand = [&](const char* name, const Matrix& left, const Matrix& right, const Matrix& x) {
      value_noise(name, left, right, x, f_.merge);
      if (f_.merge.mode != Mode::truncated) return;
      const Matrix shift = x.unaryExpr([&](double v) {
        return v == 0 ? 0 : std::copysign(half_ulp(f_.merge.format, v), -v);
      });
      mean += left * (shift * right);
    };
    Matrix first = next_to_diagonal(diagonal * N), inner = below;
    leave_out_copies(first, inner);
    operand("merge: L", -x_.T, x_.U, N);
    operand("merge: X", -(x_.T * N), X, inner);
    operand("merge: diagonal", -TD, N * x_.U, block_diagonal(below));
    operand("merge: product", -x_.T, X, Y - next_to_diagonal(Y));
    operand("merge: product next to the diagonal", -TD, diagonal * X, first);
    if (!mean.isZero(0)) known_values("merge, mean", {mean});
  }

  void two_inverse_values() {
    const Matrix& g = x_.from_start;
    const Matrix kb = scaled_rows(c_.in.b, x_.K);
    const Matrix plain = strictly_lower(kb * x_.K.transpose());
    const Matrix T_plain = unit_lower_inverse(plain);
    const Matrix w = T_plain * kb, decay = Matrix(g.col(0).asDiagonal());
    const Matrix U0 = x_.T * x_.RV;
    if (rounds(f_.rv)) known_values("b v", {x_.T * error_of(x_.RV, f_.rv)});
    if (rounds(f_.key_beta)) {
      const Matrix d = error_of(kb, f_.key_beta);
      const Matrix of_gram = d * x_.K.transpose();
      const Matrix of_w = T_plain * (d - strictly_lower(of_gram) * w);
      known_values("b k", {Matrix(-(x_.T * (strictly_lower(of_gram.cwiseProduct(x_.between)) * U0)) -
                                  scaled_rows(g, of_w * x_.S))});
    }
    if (c_.in.decay.sum.isZero(0)) {  // the two are the same, with the same errors
      value_noise("T", {}, x_.RV - x_.RW * x_.S, strictly_lower(x_.T), f_.T);
    } else {
      value_noise("T", {}, x_.RV, strictly_lower(x_.T), f_.T);
      value_noise("T, without decay", -decay, kb * x_.S, strictly_lower(T_plain), f_.T);
    }
    value_noise("u", {}, {}, U0, f_.u);
    value_noise("w", -decay, x_.S, w, f_.w);
    value_noise("w e^G", {}, -x_.S, scaled_rows(g, w), f_.w_decayed);
  }

  void read_out() {
    const bool scale_in_query = f_.scale == ChunkFormats::Scale::query;
    const Matrix P = scale_in_query ? Matrix(x_.scale * x_.P) : x_.P;
    const double after = scale_in_query ? 1 : x_.scale;
    attention(P, after);
    direct(after, "q k^T", {}, x_.U, P, f_.product);
    if (c_.in.residual) direct(1, "v_new", after * P, {}, x_.U, f_.v_new);
    direct(x_.scale, "q S", {}, {}, scaled_rows(x_.from_start, x_.Q * x_.S), f_.product);
    direct(x_.scale, "P v", {}, {}, x_.P * x_.U, f_.product);
    scaled_queries();
  }

  // A rounding point of x whose errors enter o as factor left d right.
  void direct(double factor, const char* name, const Matrix& left, const Matrix& right, const Matrix& x,
              const Rounding& rounding) {
    if (rounds(rounding)) noise_.o.random.push_back(scaled(rounding_noise(name, left, right, x, rounding), factor));
  }

  // P is a function of the inputs: its rounding is known but where fp32 errors may carry it to the next number. Not
  // so after an earlier rounding of its factors.
  void attention(const Matrix& P, double after) {
    if (!rounds(f_.P)) return;
    const bool rounded_before = rounds(f_.q_scaled) || rounds(f_.product);
    if (rounded_before) direct(after, "P", {}, x_.U, P, f_.P);
    if (rounded_before && f_.scale == ChunkFormats::Scale::query) return;
    Matrix error = in_fp32_.grams.queries.error;
    // e^{G_i - G_i} = 1 has no error: there the product and a few roundings are left.
    const Matrix sums = in_fp32_.acc_K.error(x_.Q.cwiseAbs(), Matrix(x_.K.cwiseAbs().transpose()));
    error.diagonal() = error.diagonal().cwiseMin(sums.diagonal() + 4 * u32 * x_.P.diagonal().cwiseAbs());
    KnownRounding known{"P", {}};
    Matrix half_width = Matrix::Zero(c_.C, c_.C);
    const auto rounded_with = [&](double factor) {  // the scale, where it may be in P when P is rounded
      const Matrix up = round_all(factor * (P + error), f_.P), down = round_all(factor * (P - error), f_.P);
      known.effects.push_back(after * (((up + down) / (2 * factor) - P) * x_.U));
      half_width = half_width.cwiseMax((up - down).cwiseAbs() / std::abs(2 * factor));
    };
    rounded_with(1);
    if (f_.scale == ChunkFormats::Scale::either && x_.scale != 0) rounded_with(x_.scale);
    noise_.o.known.push_back(std::move(known));
    noise_.o.random.push_back(bounded_noise("P, either way", {}, x_.U, std::abs(after) * half_width));
  }

  // q scale, and, where no order is declared, q e^G with the scale in it or not.
  void scaled_queries() {
    if (!rounds(f_.q_scaled)) return;
    const auto error = [&](const Matrix& q, double factor) {  // of q, rounded after a multiplication by `factor`
      return Matrix(error_of(factor * q, f_.q_scaled) / factor);
    };
    const auto in_state = [&](const Matrix& d) { return Matrix(x_.scale * (d * x_.S)); };  // d: of q e^G
    const auto in_both = [&](const Matrix& d) {                                             // d: of q
      const Matrix dP = on_and_below_diagonal((d * x_.K.transpose()).cwiseProduct(x_.between));
      return Matrix(in_state(scaled_rows(x_.from_start, d)) + x_.scale * (dP * x_.U));
    };
    if (x_.scale == 0) return;
    const Matrix early = error(x_.Q, x_.scale);
    std::vector<Matrix> effects = {in_both(early)};
    if (f_.scale == ChunkFormats::Scale::either) {
      const Matrix decayed = scaled_rows(x_.from_start, x_.Q);
      const Matrix twice = scaled_rows(x_.from_start, x_.Q + early);
      effects.push_back(in_state(error(decayed, 1)));
      effects.push_back(in_state(error(decayed, x_.scale)));
      effects.push_back(in_both(early) + in_state(error(twice, x_.scale)));
    }
    noise_.o.known.push_back({"q scale", std::move(effects)});
  }

  void update() {
    Noise& n = noise_.state;
    const bool scale_keys = rounds(f_.k_scaled), scale_values = rounds(f_.v_scaled);
    if (scale_values) {
      const Matrix written = scaled_rows(x_.to_end, x_.U);
      if (c_.in.residual) {
        n.random.push_back(rounding_noise("v_new, scaled", x_.K.transpose(), {}, written, f_.v_scaled));
      } else {
        scaled_inputs(written);
      }
    }
    if (scale_keys) {
      n.known.push_back({"k e^{..}", {error_of(x_.K_to_end, f_.k_scaled).transpose() * x_.U}});
      if (c_.in.residual && rounds(f_.v_new)) {
        n.random.push_back(rounding_noise("v_new", x_.K_to_end.transpose(), {}, x_.U, f_.v_new));
      }
    }
    if (rounds(f_.product)) {
      n.random.push_back(rounding_noise("K^T v", {}, {}, x_.K_to_end.transpose() * x_.U, f_.product));
    }
  }

  // v e^{..} is a function of the inputs: its rounding is known but where the error of the decay may carry it to the
  // next number. Beside it the state of an additive rule has nothing but errors in fp32.
  void scaled_inputs(const Matrix& written) {
    const Matrix error = scaled_rows(in_fp32_.to_end.error, x_.U.cwiseAbs()) + u32 * written.cwiseAbs();
    const Matrix up = round_all(written + error, f_.v_scaled), down = round_all(written - error, f_.v_scaled);
    noise_.state.known.push_back({"v, scaled", {x_.K.transpose() * ((up + down) / 2 - written)}});
    noise_.state.random.push_back(bounded_noise("v, scaled, either way", x_.K.transpose(), {}, (up - down) / 2));
  }

  // Sums in fp32 (docs/advisory.md, 2): each within its bound of Lemma 2, about a mean of nearly zero.
  void sums() {
    const DotError& over_keys = in_fp32_.acc_K;
    const DotError& over_tokens = in_fp32_.acc_C;
    const Matrix one = Matrix::Identity(c_.C, c_.C), S = x_.S.cwiseAbs(), U = x_.U.cwiseAbs();
    const Matrix Kt = x_.K.cwiseAbs().transpose();
    const double scale = std::abs(x_.scale);
    const auto value_sum = [&](const char* name, const Matrix& left, const Matrix& right, const Matrix& error) {
      noise_.o.random.push_back(bounded_noise(name, to_o(left), right, error));
      noise_.state.random.push_back(bounded_noise(name, to_state(left), right, error));
    };
    if (c_.in.residual) {
      const Matrix T = x_.T.cwiseAbs(), W = x_.W.cwiseAbs();
      const Matrix keys = scaled_rows(c_.in.b.cwiseAbs(), over_keys.error(x_.K.cwiseAbs(), Kt).cwiseProduct(x_.between));
      value_sum("sum of k k^T", -x_.T, x_.U, strictly_lower(keys));
      if (f_.inverse == ChunkFormats::Inverse::two_substitutions) {
        // Two errors: what they multiply does not cancel.
        const Matrix kb = scaled_rows(c_.in.b, x_.K), plain = strictly_lower(kb * x_.K.transpose());
        value_sum("sums of the inverse", one, x_.RV, substitution_sums(x_.L, x_.T));
        value_sum("sums of the inverse, without decay", -Matrix(x_.from_start.col(0).asDiagonal()), kb * x_.S,
                  substitution_sums(plain, unit_lower_inverse(plain)));
      } else {
        value_sum("sums of the inverse", one, x_.RV - x_.RW * x_.S, inverse_sums());
      }
      value_sum("sum of u", one, {}, over_tokens.error(T, x_.RV.cwiseAbs()));
      value_sum("sum of w", one, -x_.S, over_tokens.error(T, x_.RW.cwiseAbs()));
      value_sum("sum of w S", one, {}, over_keys.error(W, S));
    }
    const Matrix Q = scaled_rows(x_.from_start, x_.Q.cwiseAbs());
    const Matrix scores = over_keys.error(x_.Q.cwiseAbs(), Kt).cwiseProduct(x_.between);
    noise_.o.random.push_back(bounded_noise("sum of q k^T", {}, x_.U, scale * scores));
    noise_.o.random.push_back(bounded_noise("sum of q S", {}, {}, scale * over_keys.error(Q, S)));
    noise_.o.random.push_back(bounded_noise("sum of P v", {}, {}, scale * over_tokens.error(x_.P.cwiseAbs(), U)));
    const Matrix carried = (over_tokens.relative * x_.from_start(c_.C - 1, 0)) * S;
    noise_.state.random.push_back(bounded_noise(
        "sum of the state", {}, {}, over_tokens.error(Matrix(x_.K_to_end.cwiseAbs().transpose()), U) + carried));
  }

  // An error d_i of each G_i, from the scan and the product with log2 e (docs/advisory.md, 2): with D = Diag(d),
  // o moves by D o - scale P T D (b v), the state by d_C S' - K~^T T D (b v). In o, row i and the rows below it
  // are kept apart; twice the sum of the squares of two terms bounds the square of their sum.
  void scan() {
    const Matrix d = (std::sqrt(2.0) * gamma_n(f_.gates.scan_depth + 1, u32)) * c_.in.decay.size;
    const Matrix D = d.col(0).asDiagonal();
    const Matrix o = x_.scale * (scaled_rows(x_.from_start, x_.Q * x_.S) + x_.P * x_.U);
    const Matrix written = c_.in.residual ? x_.RV : x_.U, T = c_.in.residual ? x_.T : Matrix::Identity(c_.C, c_.C);
    const Matrix R = to_o(T), of_itself = R.diagonal();
    noise_.o.random.push_back(
        bounded_noise("scan, read", {}, o - scaled_rows(of_itself, written), D));
    noise_.o.random.push_back(bounded_noise("scan, written", strictly_lower(R), written, D));
    const Matrix next = x_.from_start(c_.C - 1, 0) * x_.S + to_state(x_.U);
    noise_.state.worst += d(c_.C - 1, 0) * next.cwiseAbs();  // one error for all elements: nothing averages out
    noise_.state.random.push_back(bounded_noise("scan, written", to_state(T), written, D));
  }

  // Errors of the inverse itself, merged or by one substitution.
  Matrix inverse_sums() const {
    const Approximate L{x_.L, Matrix::Zero(c_.C, c_.C)};
    return merged_inverse_error(L, x_.T, in_fp32_.acc_merge, not_rounded).algorithm + substitution_sums(x_.L, x_.T);
  }

  Matrix substitution_sums(const Matrix& L, const Matrix& T) const {
    return substitution_error({L, Matrix::Zero(c_.C, c_.C)}, T).algorithm;
  }

  const Chunk& c_;
  const Chunk& in_fp32_;
  const ChunkFormats& f_;
  Exact x_;
  ChunkNoise& noise_;
};

}  // namespace

std::string no_noise(const ChunkFormats& f, const RuleInfo& rule) {
  if (f.dot_operand == Operand::tf32) {
    return "fp32 operands are truncated to TF32 in every product, a bias that is not modelled; PIN is sharp there";
  }
  if (rule.decay == Decay::per_channel) {
    return "decayed rows are truncated to TF32 in their Gram products, a bias that is not modelled";
  }
  return {};
}

ChunkNoise chunk_noise(const ChunkInput& in, const ChunkFormats& formats, const TensorCoreModel& tensor_core) {
  ChunkNoise noise;
  const LocalBound worst = chunk_bound(in, without_roundings(formats, true), tensor_core, false);
  const Index C = in.k.rows(), K = in.k.cols(), V = in.v.cols();
  noise.o.worst = worst.o.sum(C, V);
  noise.state.worst = worst.state.sum(K, V) +
                      worst.generator.cwiseAbs().transpose() * worst.generator_error.sum(worst.generator.rows(), V);
  const ChunkFormats no_roundings = without_roundings(formats, false);
  const Chunk chunk = prepare_chunk(in, formats, tensor_core, false);
  const Chunk in_fp32 = prepare_chunk(in, no_roundings, tensor_core, false);
  Builder(chunk, in_fp32, noise).build();
  return noise;
}

}  // namespace deltaproof
