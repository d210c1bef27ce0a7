// Mutates programs of the target `barriers` by whole operations, so that what stands behind keeps its meaning.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

constexpr std::size_t header = 2, op = 6;

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  std::minstd_rand random(seed);
  if (size < header + op || random() % 8 == 0) return LLVMFuzzerMutate(data, size, most);
  const std::size_t ops = (size - header) / op;
  size = header + ops * op;
  std::uint8_t* const one = data + header + random() % ops * op;
  std::uint8_t* const other = data + header + random() % ops * op;
  switch (random() % 6) {
    case 0:  // another operation
      LLVMFuzzerMutate(one, op, op);
      return size;
    case 1:  // another field, sizes among them
      data[random() % size] = static_cast<std::uint8_t>(random());
      return size;
    case 2:  // one less
      if (ops < 2) return size;
      std::memmove(one, one + op, static_cast<std::size_t>(data + size - one) - op);
      return size - op;
    case 3:  // twice
      if (size + op > most) return size;
      std::memmove(one + op, one, static_cast<std::size_t>(data + size - one));
      return size + op;
    case 4:
      std::swap_ranges(one, one + op, other);
      return size;
    default:  // a new one, in between
      if (size + op > most) return size;
      std::memmove(one + op, one, static_cast<std::size_t>(data + size - one));
      for (std::size_t i = 0; i < op; ++i) one[i] = static_cast<std::uint8_t>(random());
      return size + op;
  }
}
