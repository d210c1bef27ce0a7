// How passes go through what can be left out: in steps that halve.
#include "properties/diagnose/shrink/passes.hpp"
#include "properties/laws/tensors.hpp"

namespace deltaproof {

bool keep_fewer(std::int64_t count, std::int64_t favourite, const std::function<bool(const laws::Indices&)>& take) {
  if (count <= 1) return false;
  if (favourite >= 0 && favourite < count && take({favourite})) return true;
  bool any = false;
  for (std::int64_t size = count / 2; size >= 1; size /= 2) {
    for (std::int64_t at = 0; at < count && count > 1;) {
      laws::Indices rest = laws::range(0, at);
      for (std::int64_t i = at + size; i < count; ++i) rest.push_back(i);
      if (!rest.empty() && take(rest)) {
        count = static_cast<std::int64_t>(rest.size());
        any = true;
      } else {
        at += size;
      }
    }
  }
  return any;
}

bool leave_out(const std::function<std::int64_t()>& count, const std::function<bool(std::int64_t)>& without) {
  bool any = count() > 1 && without(count() - 1);
  for (std::int64_t step = count() / 2; step >= 1; step /= 2) {
    while (count() > step && without(step)) any = true;
  }
  return any;
}

}  // namespace deltaproof
