#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

/// Reading of JSON that somebody else may have written. For sources alone: it brings the JSON library with it.
namespace deltaproof {

/// The document `json`; `name`, a file, begins every message. Throws ReportError, one line, for what is not JSON, for a
/// key that stands twice in an object, for numbers that no double holds, and for what is nested deeper than any report.
nlohmann::json parse_json_document(std::string_view json, const std::string& name);

/// Refuses every schema but `wanted`, such as "deltaproof.report/1". Throws ReportError, which says what it is instead.
void require_schema(const nlohmann::json& document, const std::string& wanted, const std::string& name);

}  // namespace deltaproof
