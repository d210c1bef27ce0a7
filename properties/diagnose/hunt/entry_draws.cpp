#include "properties/diagnose/hunt/entry_draws.hpp"

#include <algorithm>
#include <array>

namespace deltaproof {
namespace {

using Kind = EntryMove::Kind;

constexpr std::array kinds = {Kind::negate, Kind::zero, Kind::scale, Kind::copy, Kind::nudge,
                              Kind::set,    Kind::ask,  Kind::cancel, Kind::turn};

template <std::size_t N>
const char* among(const std::array<const char*, N>& names, Generator& g) {
  return names[static_cast<std::size_t>(g.integer(0, static_cast<int>(N) - 1))];
}

const char* tensor_for(Kind kind, Generator& g) {
  static constexpr std::array<const char*, 4> signs = {"q", "k", "v", "initial_state"};
  static constexpr std::array<const char*, 6> rows = {"q", "k", "k", "v", "g", "beta"};
  static constexpr std::array<const char*, 7> all = {"q", "k", "v", "v", "g", "beta", "initial_state"};
  static constexpr std::array<const char*, 3> gates = {"g", "beta", "eta"};
  switch (kind) {
    case Kind::negate: return among(signs, g);
    case Kind::copy: return among(rows, g);
    case Kind::set: return among(gates, g);
    case Kind::ask:
    case Kind::turn: return "q";
    case Kind::cancel: return "v";
    default: return among(all, g);
  }
}

std::int64_t other_for(Kind kind, std::int64_t tokens, Generator& g) {
  switch (kind) {
    case Kind::scale: return g.integer(1, 8) * (g.integer(0, 2) == 0 ? -1 : 1);
    case Kind::copy: return g.integer(0, static_cast<int>(tokens) - 1);
    case Kind::ask: return g.integer(0, 3);
    case Kind::set: return g.integer(0, 39);
    case Kind::nudge: return g.integer(0, 1 << 16);
    default: return 0;
  }
}

}  // namespace

EntryMove drawn_entry_move(const ProblemSpec& spec, Generator& g) {
  const std::int64_t tokens = std::max<std::int64_t>(spec.shape.tokens, 1);
  EntryMove move;
  move.kind = kinds[static_cast<std::size_t>(g.integer(0, static_cast<int>(kinds.size()) - 1))];
  move.tensor = tensor_for(move.kind, g);
  move.first = g.integer(0, static_cast<int>(tokens) - 1);
  constexpr std::array<std::int64_t, 5> strides = {0, 0, 1, 2, 5};  // one token, all behind it, some
  move.stride = strides[static_cast<std::size_t>(g.integer(0, 4))];
  if (move.stride == 1 && g.integer(0, 1) == 0) move.first = 0;
  move.other = other_for(move.kind, tokens, g);
  return move;
}

}  // namespace deltaproof
