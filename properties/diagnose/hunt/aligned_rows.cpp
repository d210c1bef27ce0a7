#include "properties/diagnose/hunt/aligned_rows.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "properties/diagnose/hunt/moved_tokens.hpp"
#include "reference/oracle/answer.hpp"

namespace deltaproof {
namespace {

constexpr std::size_t most_cancelled = 4;  // tokens; each asks the reference once
constexpr int iterations = 8;              // of the power method: roughly the first singular vector will do

// First element of the row of a token and head in a [B, T, heads, width] tensor.
std::size_t row_of(const Tensor& tensor, std::int64_t batch, std::int64_t token, std::int64_t head) {
  return static_cast<std::size_t>(((batch * tensor.shape[1] + token) * tensor.shape[2] + head) * tensor.shape[3]);
}

Problem with_values(const Problem& problem, const char* name, const std::vector<double>& values) {
  TensorMap tensors = problem.tensors();
  Tensor& tensor = tensors.at(name);
  tensor = Tensor::from(tensor.dtype, tensor.shape, values);
  return problem.with_inputs(std::move(tensors));
}

// Those of a sequence among the chosen tokens, from its begin.
std::vector<std::int64_t> tokens_in(const EntryMove& move, const Problem& problem, const Sequence& sequence) {
  std::vector<std::int64_t> inside;
  for (const std::int64_t t : moved_tokens(move, problem.dims().T)) {
    if (t >= sequence.begin && t < sequence.begin + sequence.length) inside.push_back(t - sequence.begin);
  }
  return inside;
}

Eigen::VectorXd first_left_vector(const Matrix& state) {
  Eigen::VectorXd x = Eigen::VectorXd::Ones(state.rows());
  for (int i = 0; i < iterations; ++i) {
    const Eigen::VectorXd next = state * (state.transpose() * x);
    const double length = next.norm();
    if (!(length > 0) || !std::isfinite(length)) return Eigen::VectorXd::Zero(state.rows());
    x = next / length;
  }
  return x;
}

// Residuals of all heads at one token cancel.
Problem with_cancelled(const Problem& problem, const Sequence& sequence, std::int64_t token) {
  const Tensor& v = *problem.find("v");
  std::vector<double> values = v.values();
  for (std::int64_t head = 0; head < problem.dims().HV; ++head) {
    const HeadInputs inputs = head_inputs(problem, sequence, head).state_part();
    const HeadAnswer answer = answer_double(inputs, {.e = true});
    const std::size_t row = row_of(v, sequence.batch, sequence.begin + token, head);
    for (std::int64_t j = 0; j < problem.dims().V; ++j) values[row + static_cast<std::size_t>(j)] -= answer.e(token, j);
  }
  return with_values(problem, "v", values);
}

}  // namespace

Problem asking_for_keys(const EntryMove& move, const Problem& problem) {
  const Tensor &q = *problem.find("q"), &k = *problem.find("k");
  const Dimensions& d = problem.dims();
  std::vector<double> values = q.values();
  for (std::int64_t b = 0; b < d.B; ++b) {
    for (const std::int64_t t : moved_tokens(move, d.T)) {
      const std::int64_t from = std::max<std::int64_t>(t - std::max<std::int64_t>(move.other, 0), 0);
      for (std::int64_t head = 0; head < d.H; ++head) {
        const std::size_t to = row_of(q, b, t, head), source = row_of(k, b, from, head);
        for (std::int64_t i = 0; i < d.K; ++i) {
          values[to + static_cast<std::size_t>(i)] = k.value(static_cast<std::int64_t>(source) + i);
        }
      }
    }
  }
  return with_values(problem, "q", values);
}

Problem with_cancelled_residuals(const EntryMove& move, const Problem& problem) {
  if (state_rule(problem.options()).system != System::update_family) return problem;
  Problem changed = problem;
  std::size_t done = 0;
  for (const Sequence& sequence : problem.sequences()) {
    if (sequence.state_row < 0) continue;
    for (const std::int64_t token : tokens_in(move, problem, sequence)) {
      if (done++ == most_cancelled) return changed;
      changed = with_cancelled(changed, sequence, token);
    }
  }
  return changed;
}

Problem with_turned_queries(const EntryMove& move, const Problem& problem) {
  if (state_rule(problem.options()).system != System::update_family) return problem;
  const Tensor& q = *problem.find("q");
  const Dimensions& d = problem.dims();
  std::vector<double> values = q.values();
  for (const Sequence& sequence : problem.sequences()) {
    if (sequence.state_row < 0 || sequence.length == 0) continue;
    const std::vector<std::int64_t> tokens = tokens_in(move, problem, sequence);
    for (std::int64_t head = 0; head < d.H && !tokens.empty(); ++head) {
      const HeadInputs inputs = head_inputs(problem, sequence, head * (d.HV / d.H)).state_part();
      const HeadAnswer answer = answer_double(inputs, {.every = 1});
      for (const std::int64_t token : tokens) {
        const Eigen::VectorXd along = first_left_vector(answer.states[static_cast<std::size_t>(token)]);
        const std::size_t row = row_of(q, sequence.batch, sequence.begin + token, head);
        double part = 0;
        for (std::int64_t i = 0; i < d.K; ++i) part += values[row + static_cast<std::size_t>(i)] * along(i);
        for (std::int64_t i = 0; i < d.K; ++i) values[row + static_cast<std::size_t>(i)] -= part * along(i);
      }
    }
  }
  return with_values(problem, "q", values);
}

}  // namespace deltaproof
