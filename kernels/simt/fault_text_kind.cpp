#include <string_view>

#include "kernels/simt/fault_text.hpp"

namespace deltaproof {
namespace {

struct Kind {
  std::string_view words, name;
};

// By the words that the executor's faults begin with; then by words in them.
constexpr Kind kinds_by_start[] = {
    {"race: ", "race"},
    {"uninitialised: ", "uninitialised read"},
    {"out of bounds: ", "out of bounds"},
    {"read only: ", "write to an input"},
    {"misaligned: ", "misaligned access"},
    {"step budget: ", "hang"},
    {"the launch did not end within ", "hang"},
    {"stack overflow: ", "crash"},
    {"divides an integer", "crash"},
    {"executes an instruction", "crash"},
    {"deadlock; ", "deadlock"},
    {"threads of one block meet at different __syncthreads", "divergent barrier"},
    {"__syncthreads after threads of the block have returned", "divergent barrier"},
    {"memory outside buffer ", "out of bounds"},
};
constexpr Kind kinds_by_words[] = {
    {"a cp.async to them is in flight", "copy in flight"},
    {"this cp.async is in flight", "copy in flight"},
    {"wrote beyond its dynamic shared memory", "out of bounds"},
    {"outside shared memory", "out of bounds"},
    {"not aligned to ", "misaligned access"},
};

}  // namespace

std::string kind_of_fault(const LaunchFault& fault) {
  if (fault.launched) return "wrong launch";
  for (const Kind& kind : kinds_by_start) {
    if (fault.what.starts_with(kind.words)) return std::string(kind.name);
  }
  for (const Kind& kind : kinds_by_words) {
    if (fault.what.find(kind.words) != std::string::npos) return std::string(kind.name);
  }
  return "wrong call";  // of a function of the executor: a mask, a width, lanes that meet in different ones
}

}  // namespace deltaproof
