#pragma once

#include <optional>
#include <string>
#include <utility>

#include "kernels/kernel.hpp"

namespace deltaproof {

/// Outputs that are there already, under any declared arithmetic, as a kernel. They must outlive it.
class GivenOutputs : public Kernel {
 public:
  /// `declared`: its order of roundings, if not the built-in one of the arithmetic.
  GivenOutputs(std::string arithmetic, const Outputs& outputs, std::optional<Declared> declared = std::nullopt,
               std::string name = "recorded")
      : arithmetic_(std::move(arithmetic)), outputs_(outputs), declared_(std::move(declared)), name_(std::move(name)) {}
  std::string name() const override { return name_; }
  std::string arithmetic() const override { return arithmetic_; }
  std::optional<Declared> declared() const override { return declared_; }
  Outputs run(const Problem&) const override { return outputs_; }

 private:
  std::string arithmetic_;
  const Outputs& outputs_;
  std::optional<Declared> declared_;
  std::string name_;
};

}  // namespace deltaproof
