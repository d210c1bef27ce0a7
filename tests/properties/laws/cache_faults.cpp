#include "tests/properties/laws/cache_faults.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

namespace deltaproof::wrong {
namespace {

using Tokens = std::vector<Index>;

std::size_t room(const HolaHead& head) { return static_cast<std::size_t>(head.inputs.options.hola.cache_size); }
Index block(const HolaHead& head) { return head.inputs.options.hola.cache_block; }

// Tokens before `end`, best first by `before`.
template <class Before>
Tokens ranked(const HolaHead& head, Index end, Before before) {
  Tokens tokens;
  for (Index t = 0; t < std::min(end, head.inputs.tokens); ++t) tokens.push_back(t);
  std::stable_sort(tokens.begin(), tokens.end(), [&](Index s, Index t) {
    return before(head.scores[static_cast<std::size_t>(s)], head.scores[static_cast<std::size_t>(t)]);
  });
  return tokens;
}

Tokens best(const HolaHead& head, Index end) {
  return ranked(head, end, [](float x, float y) { return x > y; });
}

void cut(Tokens& tokens, std::size_t count) { tokens.resize(std::min(tokens.size(), count)); }

// Each set from its block's first token.
template <class Choose>
HolaFault choosing(Choose choose) {
  HolaFault fault;
  fault.rows = [choose](std::span<const HolaHead>, const HolaHead& own, CacheSets& rows) {
    for (std::size_t n = 0; n < rows.size(); ++n) rows[n] = choose(own, static_cast<Index>(n) * block(own));
  };
  return fault;
}

Tokens best_before(const HolaHead& head, Index considered, Index begin) {
  Tokens tokens = best(head, considered);
  cut(tokens, room(head));
  std::erase_if(tokens, [begin](Index t) { return t >= begin; });
  return tokens;
}

}  // namespace

HolaFault uses_later_scores() {
  return choosing([](const HolaHead& head, Index begin) { return best_before(head, begin + block(head), begin); });
}

HolaFault best_of_the_sequence() {
  return choosing([](const HolaHead& head, Index begin) { return best_before(head, head.inputs.tokens, begin); });
}

HolaFault loses_the_best() {
  return choosing([](const HolaHead& head, Index begin) {
    Tokens tokens = best(head, begin);
    if (tokens.size() > room(head)) tokens.erase(tokens.begin());
    cut(tokens, room(head));
    return tokens;
  });
}

HolaFault holds_its_own_block() {
  return choosing([](const HolaHead& head, Index begin) {
    Tokens tokens = best(head, begin + 1);
    cut(tokens, room(head));
    return tokens;
  });
}

HolaFault holds_a_token_twice() {
  return choosing([](const HolaHead& head, Index begin) {
    Tokens tokens = best(head, begin);
    cut(tokens, room(head));
    if (tokens.size() > 1) tokens[1] = tokens[0];
    return tokens;
  });
}

HolaFault later_wins_ties() {
  return choosing([](const HolaHead& head, Index begin) {
    Tokens tokens = ranked(head, begin, [](float x, float y) { return x < y; });  // ascending: equal ones early first
    std::reverse(tokens.begin(), tokens.end());
    cut(tokens, room(head));
    return tokens;
  });
}

HolaFault gate_without_sigmoid() {
  HolaFault fault;
  fault.gate = [](float gate) { return gate; };
  return fault;
}

HolaFault sink_has_a_value() {
  HolaFault fault;
  fault.sink_has_value = true;
  return fault;
}

HolaFault oldest_first() {
  HolaFault fault;
  fault.scores = [](const HolaHead& head, std::vector<float>& scores) {
    for (float& score : scores) score = static_cast<float>(head.inputs.tokens) - score;
  };
  return fault;
}

HolaFault reads_block_before() {
  HolaFault fault;
  fault.entries = [](const HolaHead& head, Index t, Tokens& entries) {
    if (t >= block(head)) entries.push_back(t - block(head));
  };
  return fault;
}

HolaFault room_for_a_multiple_of_8() {
  return choosing([](const HolaHead& head, Index begin) {
    Tokens tokens = best(head, begin);
    cut(tokens, room(head) / 8 * 8);
    return tokens;
  });
}

HolaFault one_block_late() {
  return choosing([](const HolaHead& head, Index begin) {
    Tokens tokens = best(head, std::max<Index>(begin - block(head), 0));
    cut(tokens, room(head));
    return tokens;
  });
}

HolaFault scores_of_odd_blocks_doubled() {
  HolaFault fault;
  fault.scores = [](const HolaHead& head, std::vector<float>& scores) {
    for (std::size_t t = 0; t < scores.size(); ++t) {
      if (static_cast<Index>(t) / block(head) % 2 == 1) scores[t] *= 2;
    }
  };
  return fault;
}

HolaFault keeps_the_lowest() {
  return choosing([](const HolaHead& head, Index begin) {
    Tokens tokens = ranked(head, begin, [](float x, float y) { return x < y; });
    cut(tokens, room(head));
    return tokens;
  });
}

HolaFault rms_without_the_mean() {
  HolaFault fault;
  fault.row_factor = [](const HeadInputs&, float squares, bool) { return 1.0F / std::sqrt(squares); };
  return fault;
}

HolaFault does_not_divide() {
  HolaFault fault;
  fault.divides = false;
  return fault;
}

}  // namespace deltaproof::wrong
