#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>
#include <vector>

namespace deltaproof {

/// Random numbers that are the same on every machine: the engine is fixed by the C++ standard, and
/// its words become doubles by +, -, *, / and sqrt alone (the library's distributions and libm's
/// log are not fixed).
class Generator {
 public:
  /// A stream of its own for each `seed` and list of indices.
  Generator(std::uint64_t seed, std::initializer_list<std::uint64_t> stream);

  /// One whose first integers are these, each if it lies in the range that is asked for: to put what is drawn at a place
  /// of one's own.
  static Generator steered(std::vector<int> integers);

  /// Uniform in [low, high).
  double uniform(double low = 0, double high = 1);
  /// Nearly normal with mean 0 and variance 1: twelve uniforms less six, so within [-6, 6].
  double normal();
  /// Uniform in {low .. high}.
  int integer(int low, int high);

 private:
  std::mt19937_64 engine_;
  std::vector<int> steered_;  // the next one last
};

}  // namespace deltaproof
