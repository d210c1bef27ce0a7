// One bad value stays where it can reach: in its head from its token on. The tokens of its chunk before it are left
// out where a kernel computes a chunk at once, for 0 times NaN is NaN.
#include <fmt/format.h>

#include <limits>

#include "properties/laws/applies.hpp"
#include "properties/laws/draws.hpp"
#include "properties/laws/promises.hpp"
#include "properties/laws/second_run.hpp"
#include "properties/laws/table.hpp"
#include "properties/laws/tensors.hpp"

namespace deltaproof::laws {
namespace {

struct Place {
  std::int64_t sequence = 0, token = 0, head = 0;  ///< value head
};

std::string why_not(const Trial& trial) {
  if (std::string why = nan_has_no_rank(trial.problem); !why.empty()) return why;
  return computed_sequences(trial.problem, 1).empty() ? "no sequence has tokens" : "";
}

// A token of the second half of its sequence: there are earlier rows to look at.
Place draw_place(const Problem& problem, Generator& draw) {
  Place place;
  place.sequence = one_of(computed_sequences(problem, 1), draw);
  const std::int64_t length = problem.sequences()[static_cast<std::size_t>(place.sequence)].length;
  place.token = draw.integer(static_cast<int>(length / 2), static_cast<int>(length) - 1);
  place.head = draw.integer(0, static_cast<int>(problem.dims().HV) - 1);
  return place;
}

bool is_of_key_head(const std::string& tensor) { return tensor == "q" || tensor == "k"; }

// `value` in a drawn channel of the place.
Problem with_value(const Problem& problem, const std::string& name, const Place& place, double value,
                   Generator& draw) {
  const Dimensions& d = problem.dims();
  TensorMap inputs = problem.tensors();
  Tensor& tensor = inputs.at(name);
  const Sequence& sequence = problem.sequences()[static_cast<std::size_t>(place.sequence)];
  const std::int64_t row = sequence.batch * d.T + sequence.begin + place.token, heads = tensor.shape[2];
  const std::int64_t head = is_of_key_head(name) ? place.head / (d.HV / d.H) : place.head;
  const std::int64_t width = tensor.size() / (d.B * d.T * heads);
  const std::int64_t channel = draw.integer(0, static_cast<int>(width) - 1);
  set_value(tensor, (row * heads + head) * width + channel, value);
  return problem.with_unchecked_values(std::move(inputs));
}

// What the value must not reach.
About out_of_reach(const Trial& trial, const std::string& tensor, const Place& place) {
  const std::int64_t together = tokens_together(trial), group = trial.problem.dims().HV / trial.problem.dims().H;
  const std::int64_t dirty = place.token / together * together;
  const bool whole_group = is_of_key_head(tensor);
  return answered(trial.problem, [=](const Location& where) {
    const bool head = whole_group ? where.head / group == place.head / group : where.head == place.head;
    return where.sequence != place.sequence || !head || (where.tensor == "o" && where.token < dirty);
  });
}

void check(const Trial& trial, Verdict& verdict) {
  const Problem& problem = trial.problem;
  Generator draw(trial.seed, {0x6e616e});
  const Place place = draw_place(problem, draw);
  const Outputs first = trial.kernel.run(problem);
  for (const char* name : {"v", "k", "q", "g", "beta", "eta"}) {
    if (problem.find(name) == nullptr) continue;
    for (const double value : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
      const Problem second = with_value(problem, name, place, value, draw);
      const std::optional<Outputs> got = second_run(trial, second, verdict);
      if (!got) return;
      expect_bits(problem, first, *got,
                  fmt::format("{} in {} of sequence {}, token {}, value head {} is seen elsewhere", value, name,
                              place.sequence, place.token, place.head),
                  verdict, out_of_reach(trial, name, place));
    }
  }
}

}  // namespace

const Property nan_contained{
    "nan_contained",
    "a NaN or an infinity in one token of one head changes no other sequence, no other head and "
    "no earlier row of o",
    &why_not, &check};

}  // namespace deltaproof::laws
