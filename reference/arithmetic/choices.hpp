#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/arithmetic/declared.hpp"

namespace deltaproof {

/// One choice that an order of operations makes: a field of the JSON, with its values as the JSON writes them.
struct Choice {
  enum class Section { top, points, parts };  ///< where in the JSON
  Section section = Section::top;
  std::string name;
  std::vector<std::string> values;    ///< all that can be declared; empty: any number
  std::vector<std::string> variants;  ///< those that a search tries
  bool rounds = true;  ///< it changes what is rounded; else only orders, which PIN allows for
  std::function<std::string(const Declared&)> get;
  std::function<void(Declared&, const std::string&)> set;  ///< of one of `values`
};

/// The choices that a text makes, in the order of the JSON. Throws std::logic_error for an unknown text.
const std::vector<Choice>& choices_of(std::string_view text);

std::string_view point_name(Point point);

/// A declaration one choice away from another.
struct Variation {
  Declared declared;
  bool rounds = true;      ///< Choice::rounds
  std::string difference;  ///< from the declaration that was varied
};

/// Every declaration that differs from `declared` in one choice.
std::vector<Variation> variations(const Declared& declared);

/// Every declaration that differs from `declared` only in choices that autotuning makes (TextInfo::autotuned).
std::vector<Declared> autotuned_layouts(const Declared& declared);

}  // namespace deltaproof
