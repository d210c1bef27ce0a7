#pragma once

#include <string>
#include <vector>

#include "reference/problem/matrix.hpp"

namespace deltaproof {

/// A bound as a sum of named non-negative matrices: kept apart when the terms are wanted for a message,
/// added up as they come otherwise.
class Terms {
 public:
  struct Term {
    std::string name;
    Matrix value;
  };

  explicit Terms(bool apart = false) : apart_(apart) {}

  void add(const std::string& name, const Matrix& value);
  /// Adds left * each term of `other`.
  void add_mapped(const Matrix& left, const Terms& other);
  void add_all(const Terms& other);
  void scale(double factor);
  void scale_rows(const Matrix& column);
  Matrix sum(Index rows, Index columns) const;
  const std::vector<Term>& list() const { return terms_; }
  bool apart() const { return apart_; }

 private:
  bool apart_;
  std::vector<Term> terms_;
};

}  // namespace deltaproof
