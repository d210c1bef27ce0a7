#pragma once

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "reference/verdict.hpp"

/// What every JSON that we write has in common. For sources alone: it brings the JSON library with it.
namespace deltaproof::json_parts {

using Json = nlohmann::ordered_json;

/// JSON has no infinity or NaN: they are the strings "inf", "-inf" and "nan".
inline Json number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

/// null where an axis does not apply.
inline Json index(std::int64_t value) { return value < 0 ? Json(nullptr) : Json(value); }

/// null for no place.
inline Json location(const Location& where) {
  if (where.tensor.empty()) return nullptr;
  Json json;
  json["tensor"] = where.tensor;
  json["sequence"] = index(where.sequence);
  json["token"] = index(where.token);
  json["chunk"] = index(where.chunk);
  json["chunk_position"] = index(where.chunk_position);
  json["head"] = index(where.head);
  json["row"] = index(where.row);
  json["column"] = index(where.column);
  return json;
}

}  // namespace deltaproof::json_parts
