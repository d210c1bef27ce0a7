#include "reference/problem/safetensors_header.hpp"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "reference/problem/message.hpp"

namespace deltaproof {
namespace {

using Json = nlohmann::json;

/// Walks the header as it is parsed. It builds no tree, so neither depth nor duplicate keys can
/// hide, and the first thing out of place ends the reading.
class HeaderReader : public Json::json_sax_t {
 public:
  HeaderReader(const std::string& file, SafetensorsHeader& header) : file_(file), header_(header) {}

  bool null() override { return unexpected("null"); }
  bool boolean(bool value) override { return unexpected(value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override { return bad_number(fmt::to_string(value)); }
  bool number_float(number_float_t, const string_t& text) override { return bad_number(text); }
  bool binary(binary_t&) override { return unexpected("binary data"); }

  bool number_unsigned(number_unsigned_t value) override {
    if (where_ == Where::shape) {
      if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        return bad_number(fmt::to_string(value));
      entry_.shape.push_back(static_cast<std::int64_t>(value));
      return true;
    }
    if (where_ == Where::offsets) {
      if (offsets_ == 2)
        refuse_tensor(file_, entry_.name, "data_offsets has more than two numbers");
      (offsets_++ == 0 ? entry_.begin : entry_.end) = value;
      return true;
    }
    return unexpected(fmt::to_string(value));
  }

  bool string(string_t& text) override {
    if (where_ == Where::metadata) {
      header_.metadata[key_] = std::move(text);
      return true;
    }
    if (where_ != Where::tensor || key_ != "dtype") return unexpected(in_quotes(text));
    const auto dtype = find_dtype(text);
    if (!dtype)
      refuse_tensor(file_, entry_.name,
                    fmt::format("dtype {} is not known; known are BF16, F16, F32, F64, I32, I64",
                                in_quotes(text)));
    entry_.dtype = *dtype;
    return true;
  }

  bool start_object(std::size_t) override {
    if (where_ == Where::start) {
      where_ = Where::top;
    } else if (where_ == Where::top) {
      where_ = key_ == "__metadata__" ? Where::metadata : Where::tensor;
      keys_.clear();
    } else {
      return unexpected("an object");
    }
    return true;
  }

  bool key(string_t& name) override {
    auto& seen = where_ == Where::top ? names_ : keys_;
    if (!seen.insert(name).second)
      refuse(file_, "header: " + in_quotes(name) + " stands there twice");
    if (where_ == Where::tensor && name != "dtype" && name != "shape" && name != "data_offsets")
      refuse_tensor(file_, entry_.name, "header: unknown field " + in_quotes(name));
    if (where_ == Where::top) {
      entry_ = TensorEntry{};
      entry_.name = name;
      offsets_ = 0;
    }
    key_ = std::move(name);
    return true;
  }

  bool end_object() override {
    if (where_ == Where::tensor) finish_entry();
    where_ = where_ == Where::top ? Where::done : Where::top;
    return true;
  }

  bool start_array(std::size_t) override {
    if (where_ != Where::tensor || key_ == "dtype") return unexpected("an array");
    where_ = key_ == "shape" ? Where::shape : Where::offsets;
    return true;
  }

  bool end_array() override {
    where_ = Where::tensor;
    return true;
  }

  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::detail::exception& error) override {
    constexpr int kNumberOutOfRange = 406;
    if (error.id == kNumberOutOfRange) return bad_number(token);
    refuse(file_, fmt::format("the header is not JSON: error at its byte {}", position));
  }

 private:
  enum class Where { start, top, metadata, tensor, shape, offsets, done };

  void finish_entry() {
    for (const char* field : {"dtype", "shape", "data_offsets"})
      if (!keys_.contains(field))
        refuse_tensor(file_, entry_.name, fmt::format("header: no field '{}'", field));
    if (offsets_ != 2) refuse_tensor(file_, entry_.name, "data_offsets has fewer than two numbers");
    header_.entries.push_back(std::move(entry_));
  }

  bool bad_number(const std::string& text) {
    if (where_ != Where::shape && where_ != Where::offsets) return unexpected(text);
    refuse_tensor(file_, entry_.name,
                  fmt::format("{} has {}; wanted a non-negative integer below 2^63",
                              where_ == Where::shape ? "shape" : "data_offsets", in_quotes(text)));
  }

  bool unexpected(const std::string& what) {
    switch (where_) {
      case Where::start:
        refuse(file_, "the header is not a JSON object");
      case Where::metadata:
        refuse(file_, fmt::format("header: __metadata__ {} is {}; wanted a string", in_quotes(key_),
                                  what));
      case Where::top:
        if (key_ == "__metadata__")
          refuse(file_, fmt::format("header: __metadata__ is {}; wanted an object", what));
        refuse_tensor(file_, key_, fmt::format("header: is {}; wanted an object", what));
      default:
        refuse_tensor(file_, entry_.name,
                      fmt::format("header: {} has {} in the wrong place", in_quotes(key_), what));
    }
  }

  const std::string& file_;
  SafetensorsHeader& header_;
  Where where_ = Where::start;
  std::string key_;
  TensorEntry entry_;
  int offsets_ = 0;
  std::unordered_set<std::string> names_, keys_;
};

}  // namespace

SafetensorsHeader parse_header(const std::string& file, std::string_view json) {
  // The parser would take a byte order mark for nothing and a zero byte for the end.
  if (json.empty() || json.front() != '{' || json.find('\0') != std::string_view::npos)
    refuse(file, "the header is not JSON: it must begin with '{' and hold no zero byte");
  SafetensorsHeader header;
  HeaderReader reader(file, header);
  if (!Json::sax_parse(json.begin(), json.end(), &reader)) refuse(file, "the header is not JSON");
  return header;
}

}  // namespace deltaproof
