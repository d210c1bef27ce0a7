// No kernel may swallow a NaN: v_tj = NaN makes channel j of the state NaN in every row r with k_r != 0, and stays,
// for 0 times NaN is NaN. Asked where no kernel has a reason to leave the value out: it is written (b_t != 0), it is
// read (q and k share a channel), and, of the final state, no later decay is so strong that the state could be
// cleared instead.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "kernels/bits.hpp"
#include "properties/laws/applies.hpp"
#include "properties/laws/draws.hpp"
#include "properties/laws/second_run.hpp"
#include "properties/laws/table.hpp"
#include "properties/laws/tensors.hpp"

namespace deltaproof::laws {
namespace {

constexpr double strong_decay = -60;  ///< natural log; far above what fp32 makes 0

struct Place {
  std::int64_t sequence = 0, token = 0, row = 0, head = 0, column = 0;  ///< row: of the B T tokens; head: value head
};

std::string why_not(const Trial& trial) {
  if (std::string why = nan_has_no_rank(trial.problem); !why.empty()) return why;
  return computed_sequences(trial.problem, 1).empty() ? "no sequence has tokens" : "";
}

Place draw_place(const Problem& problem, Generator& draw) {
  Place place;
  place.sequence = one_of(computed_sequences(problem, 1), draw);
  const Sequence& sequence = problem.sequences()[static_cast<std::size_t>(place.sequence)];
  place.token = draw.integer(0, static_cast<int>(sequence.length) - 1);
  place.row = sequence.batch * problem.dims().T + sequence.begin + place.token;
  place.head = draw.integer(0, static_cast<int>(problem.dims().HV) - 1);
  place.column = draw.integer(0, static_cast<int>(problem.dims().V) - 1);
  return place;
}

// Element r of the place's row of q or k.
double key_value(const Problem& problem, const char* name, const Place& place, std::int64_t r) {
  const Dimensions& d = problem.dims();
  return problem.find(name)->value((place.row * d.H + place.head / (d.HV / d.H)) * d.K + r);
}

bool is_written(const Problem& problem, const Place& place) {
  for (const char* name : {"beta", "eta"}) {
    const Tensor* write = problem.find(name);
    if (write != nullptr && write->value(place.row * problem.dims().HV + place.head) == 0) return false;
  }
  return true;
}

bool is_read(const Problem& problem, const Place& place) {
  for (std::int64_t r = 0; r < problem.dims().K; ++r) {
    if (key_value(problem, "q", place, r) != 0 && key_value(problem, "k", place, r) != 0) return true;
  }
  return false;
}

bool is_kept(const Problem& problem, const Place& place, std::int64_t r) {
  const Tensor* g = problem.find("g");
  if (g == nullptr) return true;
  const Dimensions& d = problem.dims();
  const std::int64_t width = g->shape.size() == 4 ? d.K : 1;
  const std::int64_t left = problem.sequences()[static_cast<std::size_t>(place.sequence)].length - place.token;
  double sum = 0;
  for (std::int64_t t = 1; t < left; ++t) {
    sum += g->value(((place.row + t) * d.HV + place.head) * width + (width > 1 ? r : 0));
  }
  return sum > strong_decay;
}

// Whether the value at `where` must be NaN.
bool must_be_nan(const Problem& problem, const Place& place, const Location& where) {
  if (where.sequence != place.sequence || where.head != place.head || where.column != place.column) return false;
  if (where.tensor == "o") return where.token == place.token && is_read(problem, place);
  return key_value(problem, "k", place, where.row) != 0 && is_kept(problem, place, where.row);
}

void check(const Trial& trial, Verdict& verdict) {
  const Problem& problem = trial.problem;
  const Dimensions& d = problem.dims();
  Generator draw(trial.seed, {0x72656163686573});
  Place place = draw_place(problem, draw);
  for (int tries = 0; tries < 20 && !is_written(problem, place); ++tries) place = draw_place(problem, draw);
  if (!is_written(problem, place)) return;
  TensorMap inputs = problem.tensors();
  set_value(inputs.at("v"), (place.row * d.HV + place.head) * d.V + place.column,
            std::numeric_limits<double>::quiet_NaN());
  const std::optional<Outputs> got = second_run(trial, problem.with_unchecked_values(std::move(inputs)), verdict);
  if (!got) return;
  verdict.bound = "NaN";
  for (const std::string name : {"o", "final_state"}) {
    const Tensor& tensor = got->tensors.at(name);
    for (std::int64_t i = 0; i < tensor.size(); ++i) {
      const Location where = place_of(problem, name, i);
      if (!must_be_nan(problem, place, where)) continue;
      ++verdict.compared;
      if (std::isnan(tensor.value(i))) continue;
      broken(verdict, where, fmt::format("the NaN in v of token {} was swallowed", place.token));
    }
  }
}

}  // namespace

const Property nan_reaches{"nan_reaches", "a NaN in v makes its row of o and its final state NaN", &why_not, &check};

}  // namespace deltaproof::laws
