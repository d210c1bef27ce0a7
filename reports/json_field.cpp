#include "reports/json_field.hpp"

#include <fmt/format.h>

#include <limits>

#include "reports/text.hpp"
#include "reports/write.hpp"

namespace deltaproof {
namespace {

using Json = nlohmann::json;

/// What stands there, in a few words.
std::string shown(const Json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return fmt::format("a list of {}", value.size());
  if (!value.is_string()) return value.dump();
  const auto& text = value.get_ref<const std::string&>();
  return fmt::format("\"{}{}\"", printable(std::string_view(text).substr(0, 60)), text.size() > 60 ? ".." : "");
}

}  // namespace

std::string JsonField::pointer() const {
  if (parent_ == nullptr) return {};
  std::string way = parent_->pointer();
  way += '/';
  way += key_ != nullptr ? std::string(key_) : std::to_string(entry_);
  return way;
}

void JsonField::refuse_because(std::string_view why) const {
  const std::string way = pointer();
  throw ReportError(fmt::format("{}: {}: {}", printable(*name_), way.empty() ? "/" : way, why));
}

void JsonField::refuse(std::string_view wanted) const {
  refuse_because(fmt::format("{}; wanted: {}", shown(*value_), wanted));
}

JsonField JsonField::operator[](const char* key) const {
  if (!value_->is_object()) refuse("an object");
  const auto member = value_->find(key);
  if (member == value_->end()) refuse_because(fmt::format("no field `{}`", key));
  return {*member, *this, key};
}

bool JsonField::has(const char* key) const {
  if (!value_->is_object()) refuse("an object");
  return value_->contains(key);
}

void JsonField::require_array() const {
  if (!value_->is_array()) refuse("a list");
}

const std::string& JsonField::text() const {
  if (!value_->is_string()) refuse("a text");
  return value_->get_ref<const std::string&>();
}

bool JsonField::boolean() const {
  if (!value_->is_boolean()) refuse("true or false");
  return value_->get<bool>();
}

double JsonField::number() const {
  if (value_->is_number()) return value_->get<double>();
  if (value_->is_string()) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const auto& name = value_->get_ref<const std::string&>();
    if (name == "inf") return infinity;
    if (name == "-inf") return -infinity;
    if (name == "nan") return std::numeric_limits<double>::quiet_NaN();
  }
  refuse("a number, or \"inf\", \"-inf\" or \"nan\"");
}

std::int64_t JsonField::count(std::int64_t least) const {
  const bool fits = value_->is_number_integer() &&
                    (!value_->is_number_unsigned() ||
                     value_->get<std::uint64_t>() <= std::uint64_t{std::numeric_limits<std::int64_t>::max()});
  if (!fits || value_->get<std::int64_t>() < least) refuse(fmt::format("a whole number of at least {}", least));
  return value_->get<std::int64_t>();
}

}  // namespace deltaproof
