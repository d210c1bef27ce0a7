#include "properties/diagnose/shrink/fingerprint.hpp"

#include <string_view>

namespace deltaproof {
namespace {

// FNV-1a.
class Hash {
 public:
  void add(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i) value_ = (value_ ^ bytes[i]) * 0x100000001b3;
  }
  void add(std::string_view text) {
    add(text.data(), text.size());
    add(static_cast<std::int64_t>(text.size()));
  }
  void add(std::int64_t number) { add(&number, sizeof number); }
  void add(double number) { add(&number, sizeof number); }
  void add(const TensorMap& tensors) {
    for (const auto& [name, tensor] : tensors) {
      add(name);
      add(static_cast<std::int64_t>(tensor.dtype));
      for (const std::int64_t extent : tensor.shape) add(extent);
      add(tensor.bytes.data(), tensor.bytes.size());
    }
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

void add(const Problem& problem, Hash& hash) {
  const Options& o = problem.options();
  for (const auto choice : {static_cast<int>(o.rule), static_cast<int>(o.qk_l2norm), static_cast<int>(o.state_layout),
                            static_cast<int>(o.variant), static_cast<int>(o.position), static_cast<int>(o.hola.score),
                            static_cast<int>(o.hola.read), static_cast<int>(o.hola.state_rule)}) {
    hash.add(static_cast<std::int64_t>(choice));
  }
  for (const std::int64_t number : {o.chunk_size, o.states_every, o.hola.cache_size, o.hola.cache_block}) {
    hash.add(number);
  }
  for (const double number : {o.scale, o.eps, o.qk_l2norm_eps, o.c, o.hola.tau, o.hola.read_eps}) hash.add(number);
  hash.add(problem.tensors());
}

}  // namespace

std::uint64_t fingerprint(const Problem& problem) {
  Hash hash;
  add(problem, hash);
  return hash.value();
}

std::uint64_t fingerprint(const RunCase& run) {
  Hash hash;
  add(run.problem, hash);
  hash.add(run.outputs.tensors);
  return hash.value();
}

}  // namespace deltaproof
