#include "tests/reference/bounds/known_roundings.hpp"

#include <algorithm>

namespace deltaproof::noise_tests {
namespace {

bool is_either_way(const std::string& source, const std::string& name) {
  constexpr std::string_view end = ", either way";
  return source == name + std::string(end) || (source.starts_with(name + " in ") && source.ends_with(end));
}

}  // namespace

std::vector<Expected> known_of(const ChunkCase& c) {
  std::vector<Expected> list = {{"state copy", Place::at(Point::state_copy)}};
  const auto add = [&](std::initializer_list<Expected> more) { list.insert(list.end(), more); };
  if (c.declared.text == "nvlabs-chunk") {
    add({{"b v", Place::at(Point::v_beta)}, {"b k", Place::at(Point::k_beta)},
         {"k e^{..}", Place::at(Point::k_scaled)}, {"q scale", Place::at(Point::q_scaled)}});
    return list;
  }
  add({{"P", Place::at(Point::P)}});  // nvlabs-chunk has rounded q before
  if (c.in.residual) {
    add({{"b v", Place::at(Point::v_beta)}, {"b k e^G", Place::at(Point::k_beta_decayed)}});
  } else {
    add({{"v, scaled", Place::at(Point::v_scaled)}});
  }
  return list;
}

std::vector<const NoiseSource*> either_way(const Noise& noise, const std::string& name) {
  std::vector<const NoiseSource*> found;
  for (const NoiseSource& s : noise.random) {
    if (is_either_way(s.name, name)) found.push_back(&s);
  }
  return found;
}

bool is_either_way_of_known(const ChunkCase& c, const std::string& source) {
  return std::ranges::any_of(known_of(c), [&](const Expected& e) { return is_either_way(source, e.source); });
}

}  // namespace deltaproof::noise_tests
