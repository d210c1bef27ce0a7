#include "kernels/recorded.hpp"

#include <stdexcept>

namespace deltaproof {

Outputs RecordedKernel::run(const Problem&) const {
  if (!file_.outputs) {
    throw std::runtime_error(file_.path.string() +
                             ": a problem without recorded outputs; record a run of the kernel, or "
                             "use `deltaproof answer` for the right answer");
  }
  return *file_.outputs;
}

}  // namespace deltaproof
