#include "properties/regimes/place.hpp"

#include "properties/regimes/generator.hpp"

namespace deltaproof::draw {
namespace {

constexpr std::uint64_t kStream = 0x7475726e;  // no stream of a part of a head

int turn(const Place& place, std::int64_t head, int count) {
  return static_cast<int>((turn_of_seed(place, count) + head + place.batch) % count);
}

}  // namespace

int turn_of_seed(const Place& place, int count) { return Generator(place.seed, {kStream}).integer(0, count - 1); }
int turn_of_head(const Place& place, int count) { return turn(place, place.head, count); }
int turn_of_key_head(const Place& place, int count) { return turn(place, place.key_head, count); }

}  // namespace deltaproof::draw
