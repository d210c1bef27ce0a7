// The reference itself: token recurrence and chunk (WY) form, equations (7)-(9) of docs/semantics.md, share no code
// and must meet on the problem's own values. No kernel is run. One head is drawn, its first tokens and two of its
// value columns, which do not know of the others: intervals are slow.
#include "properties/laws/chunk_form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "properties/laws/applies.hpp"
#include "properties/laws/table.hpp"
#include "reference/oracle/answer.hpp"
#include "reference/rules/chunk_wy.hpp"
#include "reference/rules/recurrence.hpp"

namespace deltaproof::laws {
namespace {

constexpr Index most_tokens = 40, columns = 2;
constexpr int first_bits = 256, most_bits = 4096;

struct Routes {
  std::vector<Interval> o_by_token, state_by_token, o_by_chunk, state_by_chunk;
};

Routes run_both(const HeadInputs& by_token, const HeadInputs& by_chunk, Index chunk_size) {
  Routes routes;
  routes.o_by_token.assign(static_cast<std::size_t>(by_token.tokens * by_token.V), Interval(0));
  routes.state_by_token = elements<Interval>(by_token.initial_state);
  recurrence(make_steps<Interval>(by_token), routes.state_by_token.data(), routes.o_by_token.data(), NoObserver{});
  ChunkForm<Interval> form = chunk_wy<Interval>(by_chunk, chunk_size);
  routes.o_by_chunk = std::move(form.o);
  routes.state_by_chunk = std::move(form.states.back());
  return routes;
}

bool narrow(const std::vector<Interval>& all) {
  return std::all_of(all.begin(), all.end(), [](const Interval& x) {
    const double size = std::max({1.0, std::abs(lower(x)), std::abs(upper(x))});
    return to_double(Interval(Interval(upper(x)) - Interval(lower(x)))) <= size * 0x1p-40;
  });
}

class Meeting {
 public:
  Meeting(const Location& place, Index V, Verdict& verdict) : place_(place), V_(V), verdict_(verdict) {}

  void compare(const char* tensor, const std::vector<Interval>& token, const std::vector<Interval>& chunk,
               const Matrix& doubles, const Matrix& radius) {
    for (std::size_t i = 0; i < token.size(); ++i) {
      const auto at = static_cast<Index>(i);
      expect(intersect(token[i], chunk[i]), "token recurrence and chunk form", tensor, at, token[i],
             to_double(chunk[i]));
      const double x = doubles.data()[at], r = radius.data()[at];
      const Interval certified = Interval(x) + Interval(-r, r);
      if (std::isfinite(r))
        expect(intersect(token[i], certified), "intervals and the certified double", tensor, at, token[i], x);
    }
  }

 private:
  void expect(bool meet, const char* what, const char* tensor, Index at, const Interval& right, double value) {
    ++verdict_.compared;
    if (meet) return;
    ++verdict_.violations;
    if (verdict_.status == Status::failed) return;
    Location where = place_;
    where.tensor = tensor;
    (std::string_view(tensor) == "o" ? where.token : where.row) = at / V_;
    where.column = at % V_;
    verdict_.status = Status::failed;
    verdict_.has_first_bad = true;
    verdict_.first_bad = where;
    verdict_.reason = fmt::format("{} exclude each other: {:.17g} and {:.17g}; the first at {}", what,
                                  to_double(right), value, to_string(where));
  }

  Location place_;
  Index V_;
  Verdict& verdict_;
};

HeadInputs part_of(const HeadInputs& head, Generator& draw) {
  HeadInputs part = head.slice(0, std::min(head.tokens, most_tokens), head.initial_state);
  const Index V = std::min(columns, part.V), first = draw.integer(0, static_cast<int>(part.V - V));
  part.v = Matrix(part.v.middleCols(first, V));
  part.initial_state = Matrix(part.initial_state.middleCols(first, V));
  part.V = V;
  return part;
}

std::string why_not(const Trial& trial) { return outside_update_family(trial.problem); }

void check(const Trial& trial, Verdict& verdict) {
  Generator draw = draws_of(trial, "chunk_form");
  std::vector<const Sequence*> sequences;
  for (const Sequence& s : trial.problem.sequences()) {
    if (s.state_row >= 0 && s.length > 0) sequences.push_back(&s);
  }
  const Sequence& sequence =
      *sequences[static_cast<std::size_t>(draw.integer(0, static_cast<int>(sequences.size()) - 1))];
  Location place;
  place.sequence = sequence.index;
  place.head = draw.integer(0, static_cast<int>(trial.problem.dims().HV) - 1);
  const HeadInputs head = part_of(head_inputs(trial.problem, sequence, place.head), draw);
  verdict.bound = "intervals";
  compare_routes(head, head, std::max<Index>(1, trial.problem.options().chunk_size / 4), place, verdict);
}

}  // namespace

void compare_routes(const HeadInputs& by_token, const HeadInputs& by_chunk, Index chunk_size, const Location& place,
                    Verdict& verdict) {
  for (int bits = first_bits; bits <= most_bits; bits *= 2) {
    const WorkingPrecision precision(bits);
    const Routes routes = run_both(by_token, by_chunk, chunk_size);
    if (!narrow(routes.o_by_token) || !narrow(routes.state_by_token) || !narrow(routes.o_by_chunk) ||
        !narrow(routes.state_by_chunk)) {
      continue;
    }
    const HeadAnswer answer = answer_double(by_token, {.every = 0, .trace = false, .u = false});
    const Matrix radius = answer.state_radius.back().replicate(by_token.K, 1);
    Meeting meeting(place, by_token.V, verdict);
    meeting.compare("o", routes.o_by_token, routes.o_by_chunk, answer.o, answer.o_radius);
    meeting.compare("final_state", routes.state_by_token, routes.state_by_chunk, answer.states.back(), radius);
    return;
  }
  verdict.status = Status::uninformative;
  verdict.reason = fmt::format("intervals of {} bits do not decide the answer", most_bits);
}

const Property chunk_form{
    "chunk_form",
    "of the reference, no kernel: token recurrence and chunk form enclose one answer, and so does "
    "the double run with its certified radius",
    &why_not, &check};

}  // namespace deltaproof::laws
