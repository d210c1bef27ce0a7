#include "tests/reference/bounds/simulated/chunk_kernel.hpp"

#include <algorithm>

namespace deltaproof::simulated {
namespace {

class Run {
 public:
  Run(const ChunkKernel& kernel, Rounder& round, const ChunkInput& in, const Matrix& g)
      : f_(kernel),
        round_(round),
        in_(in),
        q_(to_floats(in.q)),
        k_(to_floats(in.k)),
        v_(to_floats(in.v)),
        b_(to_floats(in.b)),
        S_(to_floats(in.state)),
        G_(prefix_sums(to_floats(g), kernel.scan) * log2_e),
        C_(k_.rows()),
        K_(k_.cols()) {}

  ChunkOutput operator()() {
    if (f_.scale_first && !in_.per_channel) q_ = round_(Point::q_scaled, Floats(q_ * scale()));
    grams();
    Sb_ = round_(Point::state_copy, S_);
    vn_ = in_.residual ? new_values() : v_;
    vo_ = in_.residual ? round_(Point::v_new, vn_) : vn_;
    return {to_matrix(output()), to_matrix(state())};
  }

 private:
  float scale() const { return static_cast<float>(in_.scale); }
  Floats mma(const Floats& A, const Floats& Bt, const Floats& C = {}) const {
    return multiply(A, Bt, C, f_.dots, f_.operand);
  }
  float G(Index i, Index c) const { return G_(i, G_.cols() == 1 ? 0 : c); }

  // Rows of x times e^{sign (G_i - G_anchor)}; anchor < 0: G_i itself.
  Floats scaled(const Floats& x, Index anchor, float sign) const {
    Floats result = x;
    for (Index i = 0; i < x.rows(); ++i) {
      for (Index c = 0; c < x.cols(); ++c) {
        const float from = anchor < 0 ? 0.0f : G(anchor, c);
        result(i, c) *= f_.exponential(sign > 0 ? G(i, c) - from : from - G(i, c));
      }
    }
    return result;
  }

  Floats times_beta(const Floats& x) const { return b_.col(0).asDiagonal() * x; }

  static Floats strictly_lower(const Floats& m) { return m.triangularView<Eigen::StrictlyLower>(); }

  void grams() {
    kb_ = round_(Point::key_beta, times_beta(k_));
    const Floats& left = f_.beta_first ? kb_ : k_;
    if (in_.per_channel) {
      P_ = by_anchor(q_);
      if (in_.residual) L_ = strictly_lower(by_anchor(left));
    } else {
      P_ = decayed(round_(Point::product, mma(q_, k_)));
      if (in_.residual) L_ = strictly_lower(decayed(round_(Point::product, mma(left, k_))));
    }
    if (in_.residual && !f_.beta_first) L_ = times_beta(L_);
    if (in_.residual) L_ = round_(Point::L, L_);
    P_ = round_(Point::P, Floats(P_.triangularView<Eigen::Lower>()));
  }

  Floats decayed(Floats m) const {
    for (Index i = 0; i < C_; ++i) {
      for (Index j = 0; j <= i; ++j) m(i, j) *= f_.exponential(G(i, 0) - G(j, 0));
    }
    return m;
  }

  // Blocks of 16 rows; within one, pair by pair in fp32, else through its first row as anchor.
  Floats by_anchor(const Floats& x) {
    Floats m = Floats::Zero(C_, C_);
    for (Index first = 0; first < C_; first += 16) {
      const Index rows = std::min<Index>(16, C_ - first);
      for (Index i = first; i < first + rows; ++i) {
        for (Index j = first; j <= i; ++j) {
          for (Index c = 0; c < K_; ++c)
            m(i, j) += x(i, c) * (k_(j, c) * f_.exponential(G(i, c) - G(j, c)));
        }
      }
      if (first == 0) continue;
      const Floats xs =
          round_(Point::gram_operand, Floats(scaled(x, first, 1).middleRows(first, rows)));
      const Floats ks = round_(Point::gram_operand, Floats(scaled(k_, first, -1).topRows(first)));
      m.block(first, 0, rows, first) = multiply(xs, ks, {}, f_.dots, f_.gram_operand);
    }
    return round_(Point::product, m);
  }

  Floats new_values() {
    const Floats rv = round_(Point::rv, times_beta(v_));
    const Floats T = round_inverse(L_);
    Floats u = round_(Point::u, mma(T, rv.transpose()));
    // The first row of an inverse is a unit vector: what is stored there is stored again,
    // unchanged.
    u.row(0) = rv.row(0);
    Floats w;
    if (f_.two_inverses) {
      const Floats T_plain = round_inverse(strictly_lower(mma(kb_, k_)));
      w = round_(Point::w, mma(T_plain, kb_.transpose()));
      w = round_(Point::w_decayed, scaled(w, -1, 1));
    } else {
      const Floats rw = round_(Point::rw, scaled(f_.rw_from_rounded ? kb_ : times_beta(k_), -1, 1));
      w = round_(Point::w, mma(T, rw.transpose()));
    }
    return u - round_(Point::product, mma(w, Sb_.transpose()));
  }

  // The unit diagonal is exact.
  Floats round_inverse(const Floats& L) {
    Floats T = inverse(L, f_.merge, f_.dots);
    for (Index i = 0; i < C_; ++i) {
      for (Index j = 0; j < i; ++j) T(i, j) = round_(Point::T, T(i, j));
    }
    return T;
  }

  Floats output() {
    Floats from_state;
    if (in_.per_channel || f_.decay_queries) {
      from_state =
          round_(Point::product, mma(round_(Point::q_scaled, scaled(q_, -1, 1)), Sb_.transpose()));
    } else {
      from_state = scaled(round_(Point::product, mma(q_, Sb_.transpose())), -1, 1);
    }
    const Floats from_chunk = round_(Point::product, mma(P_, vo_.transpose()));
    if (f_.scale_first && !in_.per_channel) return from_state + from_chunk;
    return from_state * scale() + from_chunk * scale();
  }

  Floats state() {
    Floats carried = S_;
    for (Index i = 0; i < K_; ++i) carried.row(i) *= f_.exponential(G(C_ - 1, i));
    Floats keys = k_, values = vo_;
    if (f_.scale_keys || in_.per_channel) {
      keys = round_(Point::k_scaled, scaled(k_, C_ - 1, -1));
    } else {
      values = round_(Point::v_scaled, scaled(f_.rescale_rounded ? vo_ : vn_, C_ - 1, -1));
    }
    if (f_.chained_state) return mma(keys.transpose(), values.transpose(), carried);
    return carried + mma(keys.transpose(), values.transpose());
  }

  const ChunkKernel& f_;
  Rounder& round_;
  const ChunkInput& in_;
  Floats q_, k_, v_, b_, S_, G_;
  Index C_, K_;
  Floats kb_, L_, P_, Sb_, vn_, vo_;
};

}  // namespace

ChunkOutput run_chunk(const ChunkKernel& kernel, Rounder& round, const ChunkInput& in,
                      const Matrix& g) {
  return Run(kernel, round, in, g)();
}

}  // namespace deltaproof::simulated
