#include "double_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "reference/problem/head.hpp"

namespace deltaproof {
namespace {

using Row = std::vector<double>;

double square(const double* x, Index n) {
  double sum = 0;
  for (Index i = n - 1; i >= 0; --i) sum += x[i] * x[i];
  return sum;
}

// The coefficients of one head, formed here and not by the reference.
class Head {
 public:
  Head(const HeadInputs& in, const RuleInfo& rule) : in_(in), rule_(rule) {}

  Row query(Index t) const {
    return row(in_.q, t,
               in_.options.qk_l2norm != L2Norm::none && in_.options.qk_l2norm != L2Norm::k);
  }
  Row key(Index t) const {
    return row(in_.k, t,
               in_.options.qk_l2norm != L2Norm::none && in_.options.qk_l2norm != L2Norm::q);
  }
  Row decays(Index t) const {
    Row alpha(static_cast<std::size_t>(in_.K), 1.0);
    if (in_.g.size() == 0) return alpha;
    for (Index i = 0; i < in_.K; ++i)
      alpha[static_cast<std::size_t>(i)] = std::exp(in_.g(t, in_.g.cols() == 1 ? 0 : i));
    return alpha;
  }
  double write(Index t, const Row& k) const {
    switch (in_.options.rule) {
      case Rule::linear:
      case Rule::scalar_decay:
      case Rule::vector_decay:
        return 1;
      case Rule::delta:
      case Rule::gated_delta:
      case Rule::vector_decay_delta:
        return in_.write(t, 0);
      case Rule::kla:
        return in_.write(t, 0) / (square(k.data(), in_.K) + in_.options.eps);
      case Rule::longhorn_exact:
        return in_.write(t, 0) / (1 + in_.write(t, 0) * square(k.data(), in_.K));
      default:
        throw std::logic_error("a rule outside the update family");
    }
  }
  bool residual() const { return rule_.residual; }

 private:
  Row row(const Matrix& all, Index t, bool normalised) const {
    Row x(all.row(t).begin(), all.row(t).end());
    if (normalised) {
      const double length = std::sqrt(square(x.data(), in_.K) + in_.options.qk_l2norm_eps);
      for (double& value : x) value /= length;
    }
    return x;
  }

  const HeadInputs& in_;
  const RuleInfo& rule_;
};

// A tensor under construction.
struct Sink {
  Dtype dtype;
  std::vector<std::int64_t> shape;
  std::vector<double> values;

  Sink(Dtype type, std::vector<std::int64_t> dims) : dtype(type), shape(std::move(dims)) {
    std::int64_t size = 1;
    for (const std::int64_t n : shape) size *= n;
    values.resize(static_cast<std::size_t>(size));
  }
  Tensor tensor() const { return Tensor::from(dtype, shape, values); }
};

std::int64_t chunk_rows(const Problem& problem) {
  std::int64_t rows = 0;
  for (const Sequence& s : problem.sequences())
    rows = std::max(rows, s.first_state + state_count(s.length, problem.options().states_every));
  return rows;
}

std::vector<std::int64_t> state_shape(const Problem& problem, std::vector<std::int64_t> outer) {
  const Dimensions& d = problem.dims();
  const bool kv = problem.options().state_layout == StateLayout::kv;
  outer.insert(outer.end(), {d.HV, kv ? d.K : d.V, kv ? d.V : d.K});
  return outer;
}

class Run {
 public:
  Run(const Problem& problem, Defect defect, Dtype o, Dtype state)
      : p_(problem),
        d_(problem.dims()),
        defect_(defect),
        rule_(rule_info(problem.options().rule)),
        o_(o, {d_.B, d_.T, d_.HV, d_.V}),
        final_(state, state_shape(problem, {d_.pool})),
        chunks_(state, state_shape(problem, {d_.B, chunk_rows(problem)})) {}

  Outputs outputs() {
    for (const Sequence& s : p_.sequences()) {
      if (s.state_row < 0) continue;
      for (std::int64_t h = 0; h < d_.HV; ++h) run_head(s, h);
    }
    return {
        {{"o", o_.tensor()}, {"final_state", final_.tensor()}, {"chunk_states", chunks_.tensor()}}};
  }

 private:
  void run_head(const Sequence& s, std::int64_t h) {
    const HeadInputs in = head_inputs(p_, s, h);
    const Head head(in, rule_);
    Matrix S = in.initial_state.transpose();  // V x K: a value channel's keys lie together
    const std::int64_t every = p_.options().states_every;
    for (Index t = 0; t < s.length; ++t) {
      step(s, head, in, t, h, S);
      if ((t + 1) % every == 0 || t + 1 == s.length) {
        store(chunks_, s.batch * chunks_.shape[1] + s.first_state + t / every, h, S);
      }
    }
    store(final_, s.state_row, h, S);
  }

  void step(const Sequence& s, const Head& head, const HeadInputs& in, Index t, std::int64_t h,
            Matrix& S) {
    const Index C = p_.options().chunk_size;
    const bool last = t + 1 == s.length;
    if (defect_ == Defect::carry_dropped && t == C) S.setZero();
    const Row q = head.query(t), k = head.key(t), alpha = head.decays(t);
    const double b = head.write(t, k);
    const bool twice = defect_ == Defect::decay_twice_at_chunk_end && ((t + 1) % C == 0 || last);
    for (Index c = 0; c < d_.V; ++c) {
      double before = 0, after = 0;
      for (Index i = d_.K - 1; i >= 0; --i) {
        double& x = S(c, i);
        const double a = alpha[static_cast<std::size_t>(i)];
        before += x * k[static_cast<std::size_t>(i)];
        x = twice ? x * a * a : x * a;
        if (i == 0 && defect_ == Defect::key_channel_dropped) continue;
        after += x * k[static_cast<std::size_t>(i)];
      }
      const double seen = defect_ == Defect::undecayed_residual ? before : after;
      double w = b * (head.residual() ? in.v(t, c) - seen : in.v(t, c));
      if (last && defect_ == Defect::last_write_skipped) w = 0;
      double read = 0;
      for (Index i = d_.K - 1; i >= 0; --i) {
        const double old = S(c, i);
        S(c, i) += k[static_cast<std::size_t>(i)] * w;
        read +=
            q[static_cast<std::size_t>(i)] * (defect_ == Defect::read_before_write ? old : S(c, i));
      }
      const std::int64_t at = ((s.batch * d_.T + s.begin + t) * d_.HV + h) * d_.V + c;
      o_.values[static_cast<std::size_t>(at)] = read * p_.options().scale;
    }
  }

  void store(Sink& states, std::int64_t row, std::int64_t h, const Matrix& S) const {
    const bool kv = p_.options().state_layout == StateLayout::kv;
    const std::int64_t start = (row * d_.HV + h) * d_.K * d_.V;
    for (Index c = 0; c < d_.V; ++c) {
      for (Index i = 0; i < d_.K; ++i) {
        const Index at = kv ? i * d_.V + c : c * d_.K + i;
        states.values[static_cast<std::size_t>(start + at)] = S(c, i);
      }
    }
  }

  const Problem& p_;
  const Dimensions& d_;
  Defect defect_;
  const RuleInfo& rule_;
  Sink o_, final_, chunks_;
};

}  // namespace

const std::vector<Defect>& all_defects() {
  static const std::vector<Defect> defects = {
      Defect::decay_twice_at_chunk_end, Defect::undecayed_residual, Defect::carry_dropped,
      Defect::key_channel_dropped,      Defect::read_before_write,  Defect::last_write_skipped};
  return defects;
}

const char* defect_name(Defect defect) {
  switch (defect) {
    case Defect::none:
      return "none";
    case Defect::decay_twice_at_chunk_end:
      return "decay_twice_at_chunk_end";
    case Defect::undecayed_residual:
      return "undecayed_residual";
    case Defect::carry_dropped:
      return "carry_dropped";
    case Defect::key_channel_dropped:
      return "key_channel_dropped";
    case Defect::read_before_write:
      return "read_before_write";
    case Defect::last_write_skipped:
      return "last_write_skipped";
  }
  throw std::logic_error("unknown defect");
}

Outputs DoubleKernel::run(const Problem& problem) const {
  return Run(problem, defect_, o_, state_).outputs();
}

bool applies(Defect defect, const Problem& problem) {
  const bool decays = problem.find("g") != nullptr;
  const bool residual = rule_info(problem.options().rule).residual;
  switch (defect) {
    case Defect::decay_twice_at_chunk_end:
      return decays;
    case Defect::undecayed_residual:
      return decays && residual;
    case Defect::key_channel_dropped:
      return residual;
    default:
      return true;
  }
}

std::pair<std::int64_t, std::int64_t> first_affected(Defect defect, const Problem& problem) {
  const std::int64_t C = problem.options().chunk_size;
  // Before the first write there is no state to spoil, unless one came in.
  const std::int64_t first_read = problem.find("initial_state") != nullptr ? 0 : 1;
  for (const Sequence& s : problem.sequences()) {
    std::int64_t token = 0;
    switch (defect) {
      case Defect::none:
        throw std::logic_error("nothing is wrong");
      case Defect::decay_twice_at_chunk_end:
        token = std::min(C, s.length) - 1;
        break;
      case Defect::undecayed_residual:
      case Defect::key_channel_dropped:
        token = first_read;
        break;
      case Defect::carry_dropped:
        token = C;
        break;
      case Defect::read_before_write:
        token = 0;
        break;
      case Defect::last_write_skipped:
        token = s.length - 1;
        break;
    }
    if (token >= 0 && token < s.length) return {s.index, token};
  }
  throw std::logic_error("no sequence is long enough");
}

}  // namespace deltaproof
