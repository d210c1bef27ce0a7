#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

/// For sources alone: it brings the JSON library with it.
namespace deltaproof {

/// A value in a document and the way to it, which a refusal names: "run/report.json: /verdicts/3/status: ..". What is
/// read through it is of the wanted type and range, or ReportError is thrown. A field refers to the one it came from,
/// which must outlive it.
class JsonField {
 public:
  JsonField(const nlohmann::json& document, const std::string& name) : value_(&document), name_(&name) {}

  /// A member that must be there.
  JsonField operator[](const char* key) const;
  bool has(const char* key) const;
  bool is_null() const { return value_->is_null(); }

  const std::string& text() const;
  bool boolean() const;
  /// A number, or "inf", "-inf", "nan".
  double number() const;
  /// A whole number of at least `least`.
  std::int64_t count(std::int64_t least = 0) const;
  /// The same, where null stands for -1: the axis does not apply.
  std::int64_t index() const { return is_null() ? -1 : count(); }

  /// Of an array: `read(JsonField)` for each entry.
  template <class Read>
  auto list(const Read& read) const {
    require_array();
    std::vector<decltype(read(*this))> result;
    result.reserve(value_->size());
    for (std::size_t i = 0; i < value_->size(); ++i) result.push_back(read(JsonField((*value_)[i], *this, i)));
    return result;
  }

  /// "FILE: /verdicts/3/compared: -1; wanted: a whole number of at least 0"
  [[noreturn]] void refuse(std::string_view wanted) const;
  /// The same with a sentence of its own.
  [[noreturn]] void refuse_because(std::string_view why) const;

 private:
  JsonField(const nlohmann::json& value, const JsonField& parent, const char* key)
      : value_(&value), name_(parent.name_), parent_(&parent), key_(key) {}
  JsonField(const nlohmann::json& value, const JsonField& parent, std::size_t entry)
      : value_(&value), name_(parent.name_), parent_(&parent), entry_(entry) {}
  void require_array() const;
  std::string pointer() const;

  const nlohmann::json* value_;
  const std::string* name_;
  const JsonField* parent_ = nullptr;  ///< the way is put together only when something is refused
  const char* key_ = nullptr;
  std::size_t entry_ = 0;
};

}  // namespace deltaproof
