#include "damaged_runs.hpp"

#include <algorithm>
#include <stdexcept>

namespace deltaproof {

CaseFile recorded_case(const std::string& name) {
  return read_case(std::string(DELTAPROOF_SOURCE_DIR) + "/golden/recorded/" + name + ".safetensors");
}

void damage(Outputs& outputs, const std::string& tensor,
            const std::function<void(std::int64_t, std::int64_t, std::int64_t, std::int64_t, double&)>& edit) {
  TensorEdit values(outputs, tensor);
  for (std::int64_t outer = 0; outer < values.outer; ++outer) {
    for (std::int64_t head = 0; head < values.heads; ++head) {
      for (std::int64_t row = 0; row < values.rows; ++row) {
        for (std::int64_t column = 0; column < values.columns; ++column) {
          edit(outer, head, row, column, values.at(outer, head, row, column));
        }
      }
    }
  }
  values.write(outputs);
}

const TensorSpread& spread_in(const std::vector<TensorSpread>& spreads, const std::string& tensor) {
  for (const TensorSpread& spread : spreads) {
    if (spread.tensor == tensor) return spread;
  }
  throw std::logic_error("nothing of " + tensor + " was judged");
}

std::string words_of(const TensorSpread& spread, const std::string& axis) {
  const AxisSpread* found = spread.find(axis);
  return found == nullptr ? "" : found->words;
}

bool has_pattern(const TensorSpread& spread, const std::string& part) {
  return std::any_of(spread.patterns.begin(), spread.patterns.end(),
                     [&](const std::string& pattern) { return pattern.find(part) != std::string::npos; });
}

}  // namespace deltaproof
