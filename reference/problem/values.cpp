#include "reference/problem/values.hpp"

#include <fmt/format.h>

#include <cmath>

#include "reference/problem/load.hpp"
#include "reference/problem/message.hpp"

namespace deltaproof {
namespace {

/// What a value must be; `wanted` ends the message.
struct Domain {
  double low, high;   ///< closed, and finite
  bool low_excluded;  ///< then (low, high]
  std::string_view wanted;
};

constexpr double kLargest = std::numeric_limits<double>::max();
constexpr Domain kFinite{-kLargest, kLargest, false, "a finite number"};
constexpr Domain kLogDecay{-kLargest, 0, false,
                           "a finite number <= 0 (g is the natural log of the decay)"};
constexpr Domain kSlotDecay{0, 1, true, "a decay in (0, 1]"};
constexpr Domain kNotNegative{0, kLargest, false, "a finite number >= 0"};

Domain domain_of(const Options& options, const std::string& tensor) {
  if (tensor == "g") return kLogDecay;
  if (tensor == "a") return kSlotDecay;
  // Longhorn divides by 1 + beta |k|^2, which only beta >= 0 keeps away from 0.
  const bool is_longhorn = options.rule == Rule::longhorn || options.rule == Rule::longhorn_exact;
  if (tensor == "beta" && is_longhorn) return kNotNegative;
  return kFinite;
}

/// A stretch of consecutive elements.
struct Run {
  std::int64_t begin, count;
};

std::string index_string(const Tensor& tensor, std::int64_t flat) {
  std::vector<std::int64_t> index(tensor.shape.size());
  for (std::size_t axis = index.size(); axis-- > 0;) {
    index[axis] = flat % tensor.shape[axis];
    flat /= tensor.shape[axis];
  }
  return shape_string(index);
}

void check_run(const std::string& file, const std::string& name, const Tensor& tensor, Run run,
               const Domain& domain) {
  const std::int64_t end = run.begin + run.count;
  const std::int64_t bad = with_loader(tensor.dtype, [&](auto load) {
    for (std::int64_t i = run.begin; i < end; ++i) {
      const double x = load(tensor.bytes.data(), i);
      const bool above = domain.low_excluded ? x > domain.low : x >= domain.low;
      if (!(above && x <= domain.high)) return i;  // NaN fails too
    }
    return end;
  });
  if (bad == end) return;
  refuse_tensor(file, name,
                fmt::format("value {} at {}; wanted {}", tensor.value(bad),
                            index_string(tensor, bad), domain.wanted));
}

/// The judged part of a tensor that belongs to one sequence.
Run judged_run(const Problem& problem, const TensorSpec& spec, const Tensor& tensor,
               const Sequence& sequence) {
  std::int64_t row = 1;  // elements of one token, or of one state
  const std::size_t outer = spec.axes.front() == Axis::pool ? 1 : 2;
  for (std::size_t axis = outer; axis < tensor.shape.size(); ++axis) row *= tensor.shape[axis];
  if (spec.axes.front() == Axis::pool) return {sequence.state_row * row, row};
  const std::int64_t first = sequence.batch * problem.dims().T + sequence.begin;
  return {first * row, sequence.length * row};
}

/// Refuses a zero row where the rule divides by its length and no eps keeps that from 0.
void check_zero_rows(const std::string& file, const Problem& problem, const Sequence& sequence,
                     const std::string& name, std::string_view why) {
  const Tensor& tensor = *problem.find(name);
  const std::int64_t width = problem.dims().K;
  const std::int64_t rows = sequence.length * problem.dims().H;
  const std::int64_t first =
      (sequence.batch * problem.dims().T + sequence.begin) * problem.dims().H;
  for (std::int64_t row = first; row < first + rows; ++row) {
    bool is_zero = true;
    for (std::int64_t i = 0; i < width && is_zero; ++i)
      is_zero = tensor.value(row * width + i) == 0;
    if (!is_zero) continue;
    refuse_tensor(
        file, name,
        fmt::format("value 0 in the whole row at {}; {}", index_string(tensor, row * width), why));
  }
}

void check_divisors(const std::string& file, const Problem& problem, const Sequence& sequence) {
  const Options& options = problem.options();
  const L2Norm norm = options.qk_l2norm;
  constexpr std::string_view kNormalised = "it cannot be normalised with qk_l2norm_eps 0";
  if (options.qk_l2norm_eps == 0 && (norm == L2Norm::q || norm == L2Norm::both))
    check_zero_rows(file, problem, sequence, "q", kNormalised);
  if (options.qk_l2norm_eps == 0 && (norm == L2Norm::k || norm == L2Norm::both))
    check_zero_rows(file, problem, sequence, "k", kNormalised);
  if (state_rule(options).rule == Rule::kla && options.variant != KlaVariant::no_norm && options.eps == 0)
    check_zero_rows(file, problem, sequence, "k", "the write divides by |k|^2 + eps, and eps is 0");
  if (options.rule != Rule::hola) return;
  const bool rms = options.hola.read == CacheRead::rmsnorm;
  if ((rms ? options.hola.read_eps : options.qk_l2norm_eps) > 0) return;
  const std::string why = fmt::format("the cache cannot be read with it: {} is 0", rms ? "read_eps" : "qk_l2norm_eps");
  for (const char* name : {"q", "k"}) check_zero_rows(file, problem, sequence, name, why);
}

}  // namespace

void check_values(const std::string& file, const Problem& problem,
                  const std::vector<TensorSpec>& specs) {
  for (const TensorSpec& spec : specs) {
    const Tensor* tensor = problem.find(spec.name);
    if (tensor == nullptr || spec.integer) continue;
    const Domain domain = domain_of(problem.options(), spec.name);
    if (spec.axes.front() == Axis::HV) {  // parameters of a head
      check_run(file, spec.name, *tensor, {0, tensor->size()}, domain);
      continue;
    }
    for (const Sequence& sequence : problem.sequences())
      if (sequence.state_row >= 0)
        check_run(file, spec.name, *tensor, judged_run(problem, spec, *tensor, sequence), domain);
  }
  for (const Sequence& sequence : problem.sequences())
    if (sequence.state_row >= 0) check_divisors(file, problem, sequence);
}

}  // namespace deltaproof
