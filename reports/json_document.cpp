#include "reports/json_document.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include "reports/text.hpp"
#include "reports/write.hpp"

namespace deltaproof {
namespace {

using Json = nlohmann::json;

constexpr std::size_t deepest = 64;  // a report has 7 levels, and what later versions add is ignored

[[noreturn]] void refuse(const std::string& name, std::string_view what) {
  std::string message = printable(name);
  message += ": ";
  message += printable(what);
  throw ReportError(message);
}

/// Builds the document from the library's events: its own builder takes the last of two equal keys, and any depth.
class DocumentBuilder : public nlohmann::json_sax<Json> {
 public:
  explicit DocumentBuilder(const std::string& name) : name_(name) {}
  Json take() { return std::move(document_); }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(std::int64_t value) override { return add(value); }
  bool number_unsigned(std::uint64_t value) override { return add(value); }
  bool number_float(double value, const std::string&) override { return add(value); }
  bool string(std::string& value) override { return add(std::move(value)); }
  bool binary(Json::binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(std::string& name) override {
    const auto [member, is_new] = open_.back()->get_ref<Json::object_t&>().emplace(name, nullptr);
    if (!is_new) refuse(name_, "the key \"" + name.substr(0, 60) + "\" stands twice in one object");
    member_ = &member->second;
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) override {
    // "[json.exception.parse_error.101] parse error at line 1, column 5: syntax error .."
    std::string_view what = error.what();
    if (const std::size_t end = what.find("] "); end != std::string_view::npos) what.remove_prefix(end + 2);
    std::string message = "not JSON, or cut off: ";
    message += what.substr(0, 240);
    refuse(name_, message);
  }

 private:
  Json* place(Json value) {
    if (open_.empty()) return &(document_ = std::move(value));
    if (open_.back()->is_array()) return &open_.back()->get_ref<Json::array_t&>().emplace_back(std::move(value));
    return &(*member_ = std::move(value));
  }
  bool add(Json value) {
    place(std::move(value));
    return true;
  }
  bool open(Json value) {
    if (open_.size() == deepest) refuse(name_, "nested deeper than any report");
    open_.push_back(place(std::move(value)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  const std::string& name_;
  Json document_;
  std::vector<Json*> open_;  ///< from the document to the innermost container
  Json* member_ = nullptr;   ///< of the innermost object: where its next value goes
};

std::string known_as(const std::string& schema) {
  if (schema.starts_with("deltaproof.report/")) return schema;
  if (schema.starts_with("deltaproof.kill_matrix/")) return "a kill matrix (" + schema + ")";
  if (schema.starts_with("deltaproof.claims/")) return "a ledger of claims (" + schema + ")";
  if (schema.starts_with("deltaproof.comparison/")) return "a comparison (" + schema + ")";
  return "of schema \"" + schema.substr(0, 60) + "\"";
}

}  // namespace

Json parse_json_document(std::string_view json, const std::string& name) {
  if (json.empty()) refuse(name, "the file is empty");
  DocumentBuilder builder(name);
  Json::sax_parse(json.data(), json.data() + json.size(), &builder);
  return builder.take();
}

void require_schema(const Json& document, const std::string& wanted, const std::string& name) {
  if (!document.is_object()) refuse(name, "no JSON object; this version reads " + wanted);
  const auto schema = document.find("schema");
  if (schema == document.end() || !schema->is_string()) {
    refuse(name, "/schema: no text there; this version reads " + wanted);
  }
  const auto& found = schema->get_ref<const std::string&>();
  if (found != wanted) refuse(name, known_as(found) + ": this version reads " + wanted);
}

}  // namespace deltaproof
