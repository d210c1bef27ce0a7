#pragma once

#include <vector>

#include "reference/oracle/answer.hpp"

namespace deltaproof {

/// Which states an answer keeps: after each `every` tokens (0: none) and after the last.
class KeptStates {
 public:
  KeptStates(Index tokens, Index every) : tokens_(tokens), every_(every) {
    if (every > 0)
      for (Index t = every; t < tokens; t += every) boundaries_.push_back(t);
    boundaries_.push_back(tokens);
  }

  const std::vector<Index>& boundaries() const { return boundaries_; }

  /// Place of the state after token `t` among those kept, or -1.
  Index slot(Index t) const {
    if (t + 1 == tokens_) return static_cast<Index>(boundaries_.size()) - 1;
    return every_ > 0 && (t + 1) % every_ == 0 ? (t + 1) / every_ - 1 : -1;
  }

 private:
  Index tokens_, every_;
  std::vector<Index> boundaries_;
};

}  // namespace deltaproof
