#pragma once

#include <cstdint>

namespace deltaproof::draw {

/// Where a head lies in a problem drawn from `seed`.
struct Place {
  std::uint64_t seed = 0;
  std::int64_t batch = 0, key_head = 0, head = 0;  ///< `head`: the value head
};

/// Which of `count` things a head gets: `count` heads in a row get all of them, from a start that the seed draws.
int turn_of_head(const Place& place, int count);
/// The same for the keys that a group of value heads shares.
int turn_of_key_head(const Place& place, int count);
/// A number in {0 .. count - 1} that depends on the seed alone.
int turn_of_seed(const Place& place, int count);

}  // namespace deltaproof::draw
