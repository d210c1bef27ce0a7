// Kernels in double for the systems beside the update family: undamaged they pass, with one defect
// they fail.
#include <gtest/gtest.h>

#include <cmath>

#include "recordings.hpp"
#include "reference/problem/head.hpp"
#include "small_problems.hpp"

namespace deltaproof {
namespace {

constexpr Sizes sizes{.B = 2, .T = 70, .H = 1, .HV = 2, .K = 8, .V = 6, .M = 3};

// One head's part of a [B, T, HV, width] tensor.
using HeadRun = std::function<void(const HeadInputs&, Matrix& o, Matrix& first, Matrix& second)>;

struct Written {
  std::vector<double> o, first, second;
};

// Runs every (sequence, head); here tensors without cu_seqlens lie sequence by sequence.
Written run_heads(const Problem& problem, const HeadRun& run) {
  const Dimensions& d = problem.dims();
  Written out;
  out.o.resize(static_cast<std::size_t>(d.B * d.T * d.HV * d.V));
  for (const Sequence& s : problem.sequences()) {
    for (std::int64_t h = 0; h < d.HV; ++h) {
      const HeadInputs in = head_inputs(problem, s, h);
      Matrix o(in.tokens, in.V), first = in.initial_state, second = in.initial_slot_values;
      run(in, o, first, second);
      for (Index t = 0; t < o.rows(); ++t)
        for (Index c = 0; c < o.cols(); ++c)
          out.o[static_cast<std::size_t>(((s.batch * d.T + t) * d.HV + h) * d.V + c)] = o(t, c);
      out.first.insert(out.first.end(), first.data(), first.data() + first.size());
      out.second.insert(out.second.end(), second.data(), second.data() + second.size());
    }
  }
  return out;
}

double dot(const Matrix& x, Index i, const Matrix& y, Index j) {
  double sum = 0;
  for (Index c = x.cols() - 1; c >= 0; --c) sum += x(i, c) * y(j, c);
  return sum;
}

// Online softmax, as kernels do it: running maximum, rescaled sums. `late`: the newest entry is not
// seen.
void softmax_head(const HeadInputs& in, Matrix& o, bool late) {
  for (Index t = 0; t < in.tokens; ++t) {
    double most = -INFINITY, total = 0;
    RowVector sum = RowVector::Zero(in.V);
    const Index end = late && t == 40 ? t : t + 1;
    for (Index j = 0; j < end; ++j) {
      const double z = in.options.scale * dot(in.q, t, in.k, j);
      const double next = std::max(most, z);
      const double rescale = std::exp(most - next), weight = std::exp(z - next);
      total = total * rescale + weight;
      sum = sum * rescale + weight * in.v.row(j);
      most = next;
    }
    o.row(t) = sum / total;
  }
}

void longhorn_head(const HeadInputs& in, Matrix& o, Matrix& S, bool late) {
  for (Index t = 0; t < in.tokens; ++t) {
    const double size = dot(in.k, t, in.k, t);
    for (Index c = 0; c < in.V; ++c) {
      const double beta = in.write(t, c), d = beta / (1 + beta * size);
      const double v = late && t == 40 ? 0 : in.v(t, c);
      double read = 0;
      for (Index i = in.K - 1; i >= 0; --i) {
        const double k = in.k(t, i);
        S(i, c) = S(i, c) - d * k * k * S(i, c) + d * v * k;
        read += S(i, c) * in.q(t, i);
      }
      o(t, c) = in.options.scale * read;
    }
  }
}

void gsa_head(const HeadInputs& in, Matrix& o, Matrix& keys, Matrix& values, bool late) {
  for (Index t = 0; t < in.tokens; ++t) {
    std::vector<double> z;
    for (Index m = 0; m < in.slots; ++m) {
      const double a = late && t == 40 ? 1 : in.slot_decay(t, m);
      keys.row(m) = a * keys.row(m) + (1 - a) * in.k.row(t);
      values.row(m) = a * values.row(m) + (1 - a) * in.v.row(t);
      z.push_back(in.options.scale * dot(keys, m, in.q, t));
    }
    const double most = *std::max_element(z.begin(), z.end());
    double total = 0;
    RowVector sum = RowVector::Zero(in.V);
    for (Index m = in.slots - 1; m >= 0; --m) {
      const double weight = std::exp(z[static_cast<std::size_t>(m)] - most);
      total += weight;
      sum += weight * values.row(m);
    }
    o.row(t) = sum / total;
  }
}

Outputs run_rule(const Problem& problem, Dtype stored, bool late) {
  const Dimensions& d = problem.dims();
  const System system = rule_info(problem.options().rule).system;
  const Written out =
      run_heads(problem, [&](const HeadInputs& in, Matrix& o, Matrix& first, Matrix& second) {
        if (system == System::softmax) softmax_head(in, o, late);
        if (system == System::longhorn) longhorn_head(in, o, first, late);
        if (system == System::gsa) gsa_head(in, o, first, second, late);
      });
  // States in double beside an o in double, where the reference runs in multiple precision.
  const Dtype state = stored == Dtype::f64 ? Dtype::f64 : Dtype::f32;
  Outputs outputs;
  outputs.tensors["o"] = Tensor::from(stored, {d.B, d.T, d.HV, d.V}, out.o);
  if (system == System::longhorn) {
    outputs.tensors["final_state"] = Tensor::from(state, {d.N, d.HV, d.K, d.V}, out.first);
  } else if (system == System::gsa) {
    outputs.tensors["final_slot_keys"] = Tensor::from(state, {d.N, d.HV, d.slots, d.K}, out.first);
    outputs.tensors["final_slot_values"] =
        Tensor::from(state, {d.N, d.HV, d.slots, d.V}, out.second);
  }
  return outputs;
}

class OtherRule : public testing::TestWithParam<std::tuple<std::string, Dtype>> {
 protected:
  Problem problem() const {
    const std::string& rule = std::get<0>(GetParam());
    return make_problem(rule, "fp64", small_inputs(rule, sizes));
  }
  Dtype stored() const { return std::get<1>(GetParam()); }
};

TEST_P(OtherRule, PassesInDouble) {
  const Problem p = problem();
  const Verdict verdict = judge(p, run_rule(p, stored(), false));
  EXPECT_EQ(verdict.status, Status::passed) << describe(verdict);
  EXPECT_EQ(verdict.bound, "fp64");
}

TEST_P(OtherRule, FailsWhenOneTokenIsMissed) {
  const Problem p = problem();
  const Verdict verdict = judge(p, run_rule(p, stored(), true));
  ASSERT_EQ(verdict.status, Status::failed) << describe(verdict);
  EXPECT_EQ(verdict.first_bad.sequence, 0);
  EXPECT_EQ(verdict.first_bad.token, 40) << to_string(verdict.first_bad);
}

// The grid of recorded states may be coarser than the chunks of the case.
TEST_P(OtherRule, PassesWithStatesFartherApartThanChunks) {
  const std::string& rule = std::get<0>(GetParam());
  const Problem p = make_problem(rule, "fp64", small_inputs(rule, sizes),
                                 {{"chunk_size", "16"}, {"states_every", "32"}});
  const Verdict verdict = judge(p, run_rule(p, stored(), false));
  EXPECT_EQ(verdict.status, Status::passed) << describe(verdict);
}

// Slots that forget slowly gather rounding errors; a reference in multiple precision must not take
// back what a recurrence in double is allowed.
TEST(GatedSlots, PassInDoubleWhenTheyForgetSlowly) {
  const Sizes longer{.T = 600, .K = 3, .V = 3, .M = 2};
  TensorMap inputs = small_inputs("gsa", longer);
  inputs["a"] = filled(Dtype::f32, {1, 600, 1, 2},
                       [](std::int64_t i) { return 1 - 0x1p-9 * (1.5 + scattered(i, 6)); });
  const Problem p = make_problem("gsa", "fp64", inputs);
  const Verdict verdict = judge(p, run_rule(p, Dtype::f64, false));
  EXPECT_EQ(verdict.status, Status::passed) << describe(verdict);
}

// Both parts of a state of slots are judged, each at its own place.
TEST(GatedSlots, AreJudgedInBothParts) {
  const Problem p = make_problem("gsa", "fp64", small_inputs("gsa", sizes));
  for (const char* part : {"final_slot_keys", "final_slot_values"}) {
    Outputs outputs = run_rule(p, Dtype::f32, false);
    Tensor& tensor = outputs.tensors.at(part);
    std::vector<double> values = tensor.values();
    values.back() += 0.01;
    tensor = Tensor::from(tensor.dtype, tensor.shape, values);
    const Verdict verdict = judge(p, outputs);
    ASSERT_EQ(verdict.status, Status::failed) << part << ": " << describe(verdict);
    EXPECT_EQ(verdict.first_bad.tensor, part);
    EXPECT_EQ(verdict.first_bad.sequence, sizes.B - 1);
    EXPECT_EQ(verdict.first_bad.head, sizes.HV - 1);
    EXPECT_EQ(verdict.first_bad.row, sizes.M - 1);
    EXPECT_EQ(verdict.first_bad.column, tensor.shape.back() - 1);
    EXPECT_EQ(verdict.violations, 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Rules, OtherRule,
                         testing::Combine(testing::Values("softmax", "gsa", "longhorn"),
                                          testing::Values(Dtype::bf16, Dtype::f16, Dtype::f32,
                                                          Dtype::f64)),
                         [](const auto& each) {
                           return std::get<0>(each.param) + "_" +
                                  std::string(dtype_name(std::get<1>(each.param)));
                         });

}  // namespace
}  // namespace deltaproof
