#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/arithmetic/declared.hpp"

namespace deltaproof {

/// One order of operations: its name, the rules it computes, and the choices it leaves to a declaration.
/// The text itself is a template over readings, one file each (fla_chunk.hpp ...).
struct TextInfo {
  std::string_view name;
  std::optional<bool> residual = true;  ///< of the rules it computes; nothing: either
  std::optional<Decay> decay = Decay::scalar;  ///< the same; scalar texts take rules without decay, too
  bool merges = false;                  ///< forms T by blocks of 16: delta rules merge in IEEE fp32
  std::vector<Point> points;            ///< in the order of use
  std::vector<Product> products;
  std::vector<std::string_view> choices;  ///< names of its other fields in the JSON

  /// Choices of an order that the kernel's autotuning makes at run time, with what it chooses from; only for
  /// declarations that name one of these values.
  struct Autotuned {
    std::string_view choice;
    std::vector<std::string> values;
  };
  std::vector<Autotuned> autotuned = {};

  bool covers(const RuleInfo& rule) const;
};

std::span<const TextInfo> text_table();
/// nullptr if the name is unknown.
const TextInfo* find_text(std::string_view name);

}  // namespace deltaproof
