#include "properties/laws/compare.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "kernels/bits.hpp"
#include "properties/accuracy/answer.hpp"
#include "properties/laws/tensors.hpp"
#include "reference/problem/format.hpp"

namespace deltaproof::laws {
namespace {

constexpr const char* compared_tensors[] = {"o", "final_state"};
constexpr const char* every_tensor[] = {"o", "final_state", "scores", "selected", "chunk_states"};

void fail(const std::string& what, const Location& where, const std::string& how, Verdict& verdict) {
  ++verdict.violations;
  if (verdict.status != Status::passed) return;
  verdict.status = Status::failed;
  verdict.has_first_bad = true;
  verdict.first_bad = where;
  verdict.reason = fmt::format("{}: {}; the first at {}", what, how, to_string(where));
}

// The payload of a NaN that arithmetic makes is the processor's own.
bool equal_bits(const Tensor& x, const Tensor& y, std::int64_t i) {
  const std::size_t size = dtype_size(x.dtype), at = static_cast<std::size_t>(i) * size;
  if (std::memcmp(x.bytes.data() + at, y.bytes.data() + at, size) == 0) return true;
  return is_floating(x.dtype) && std::isnan(x.value(i)) && std::isnan(y.value(i));
}

std::string text(const Tensor& tensor, std::int64_t i) {
  return is_floating(tensor.dtype) ? fmt::format("{}", tensor.value(i)) : fmt::format("{}", tensor.integer(i));
}

void compare(const Problem& problem, const char* name, const Tensor& x, const Tensor& y, const std::string& what,
             Verdict& verdict, const About& about) {
  if (x.dtype != y.dtype || x.shape != y.shape) throw std::logic_error("runs of other shapes are compared");
  for (std::int64_t i = 0; i < x.size(); ++i) {
    if (about && !about(place_of(problem, name, i))) continue;
    ++verdict.compared;
    if (equal_bits(x, y, i)) continue;
    fail(what, place_of(problem, name, i), fmt::format("{} instead of {}", text(y, i), text(x, i)), verdict);
  }
}

double outward(double x) { return std::nextafter(x, std::numeric_limits<double>::infinity()); }

}  // namespace

bool is_judged(const Problem& problem, const Location& where) {
  return where.sequence >= 0 && problem.sequences()[static_cast<std::size_t>(where.sequence)].state_row >= 0;
}

void expect_bits(const Problem& problem, const Outputs& expected, const Outputs& got, const std::string& what,
                 Verdict& verdict, const About& about) {
  verdict.bound = "bits";
  for (const char* name : every_tensor) {
    const Tensor *x = expected.find(name), *y = got.find(name);
    if (x != nullptr && y != nullptr) compare(problem, name, *x, *y, what, verdict, about);
  }
}

RunBound run_bound(const Problem& problem, const Kernel& kernel, const Outputs& outputs) {
  const Safetensors answer = full_answer(problem.with_arithmetic(kernel.arithmetic()), {});
  const bool vk = problem.options().state_layout == StateLayout::vk;
  RunBound result;
  for (const std::string name : compared_tensors) {
    const Tensor& stored = outputs.tensors.at(name);
    Tensor expected = answer.tensors.contains(name) ? answer.tensors.at(name)
                                                    : filled({Dtype::f64, stored.shape, {}}, 0);
    Tensor bound = filled(expected, std::numeric_limits<double>::infinity());
    if (answer.tensors.contains(name + "_bound")) {
      const std::vector<double> right = expected.values(), allowed = answer.tensors.at(name + "_bound").values(),
                                radius = answer.tensors.at(name + "_radius").values();
      std::vector<double> all(right.size());
      for (std::size_t i = 0; i < all.size(); ++i) {
        const double before = outward(allowed[i] + radius[i]);
        // A state is held in fp32 and stored as it is.
        const double rounding = name == "o" || kernel.arithmetic() == "fp64"
                                    ? half_ulp(dtype_format(stored.dtype), outward(std::abs(right[i]) + before))
                                    : 0;
        all[i] = outward(before + rounding);
        if (std::isnan(all[i])) all[i] = std::numeric_limits<double>::infinity();
      }
      bound = Tensor::from(Dtype::f64, expected.shape, all);
    }
    const bool turn = vk && name == "final_state";
    result.expected.tensors[name] = turn ? transposed(expected) : expected;
    result.bound.tensors[name] = turn ? transposed(bound) : bound;
  }
  return result;
}

Outputs sum_of(const Outputs& a, const Outputs& b) {
  Outputs sum;
  for (const char* name : compared_tensors) {
    const std::vector<double> y = b.tensors.at(name).values();
    std::vector<double> x = a.tensors.at(name).values();
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = outward(x[i] + y[i]);
    sum.tensors[name] = Tensor::from(Dtype::f64, a.tensors.at(name).shape, x);
  }
  return sum;
}

}  // namespace deltaproof::laws
