#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "reference/arithmetic/choices.hpp"
#include "reference/arithmetic/texts.hpp"
#include "reference/problem/input_error.hpp"

namespace deltaproof {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* format_name = "deltaproof.arithmetic/1";

const char* section_name(Choice::Section section) {
  return section == Choice::Section::points ? "points" : "parts";
}

[[noreturn]] void refuse(const std::string& source, const std::string& what) {
  throw InputError(source + ": " + what);
}

// A value as the file has it, for a message: long ones cut.
std::string written(const Json& value) {
  constexpr std::size_t shown = 60;
  const std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);  // ASCII
  return text.size() <= shown ? text : fmt::format("{}... ({} bytes)", text.substr(0, shown), text.size());
}

// The fields of one object, each known to the text: anything else is refused by name.
void read_fields(const std::string& source, const Json& object, Choice::Section section, Declared& declared) {
  const char* kind = section == Choice::Section::points   ? "point"
                     : section == Choice::Section::parts ? "product"
                                                         : "field";
  std::vector<std::string> known;
  for (const Choice& choice : choices_of(declared.text)) {
    if (choice.section == section) known.push_back(choice.name);
  }
  for (const auto& [name, value] : object.items()) {
    if (section == Choice::Section::top &&
        (name == "format" || name == "text" || name == "points" || name == "parts" || name == "exp_error")) {
      continue;
    }
    const auto& all = choices_of(declared.text);
    const auto choice = std::find_if(all.begin(), all.end(), [&, &wanted = name](const Choice& each) {
      return each.section == section && each.name == wanted;
    });
    if (choice == all.end()) {
      refuse(source, fmt::format("unknown {} {}; text {} has: {}", kind, written(name), declared.text,
                                 fmt::join(known, ", ")));
    }
    const bool number = section == Choice::Section::parts;
    std::string text;
    if (number && value.is_number_integer()) text = written(value);
    if (!number && value.is_string()) text = value.get<std::string>();
    if (std::find(choice->values.begin(), choice->values.end(), text) == choice->values.end()) {
      refuse(source, fmt::format("{} {} is {}; it can be: {}", kind, written(name), written(value),
                                 fmt::join(choice->values, ", ")));
    }
    choice->set(declared, text);
  }
}

const Json* object_field(const std::string& source, const Json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end()) return nullptr;
  if (!found->is_object()) refuse(source, fmt::format("\"{}\" must be an object, not {}", name, written(*found)));
  return &*found;
}

std::string string_field(const std::string& source, const Json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end() || !found->is_string()) {
    refuse(source, fmt::format("\"{}\" must be there and be a string", name));
  }
  return found->get<std::string>();
}

Json parsed(const std::string& source, const std::string& text) {
  // The parser keeps the last of two equal keys; a declaration that says two things says nothing.
  std::vector<std::vector<std::string>> keys;
  std::string twice;
  // Writing a value into a message takes a frame of the stack for each level.
  constexpr int deepest = 8;
  const auto watch = [&](int depth, Json::parse_event_t event, Json& value) {
    if (depth > deepest) refuse(source, "nested too deeply for a declaration");
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key) {
      auto& seen = keys.back();
      const std::string key = value.get<std::string>();
      if (std::find(seen.begin(), seen.end(), key) != seen.end() && twice.empty()) twice = key;
      seen.push_back(key);
    }
    return true;
  };
  Json json;
  try {
    json = Json::parse(text, watch);
  } catch (const Json::exception& error) {
    const std::string_view what = error.what();  // "[json.exception.parse_error.101] parse error at .."
    refuse(source, fmt::format("not JSON: {}", what.substr(what.starts_with('[') ? what.find("] ") + 2 : 0)));
  }
  if (!twice.empty()) refuse(source, "field " + written(twice) + " is there twice");
  if (!json.is_object()) refuse(source, "a declaration is a JSON object");
  return json;
}

}  // namespace

std::string to_json(const Declared& declared) {
  Json json;
  json["format"] = format_name;
  json["text"] = declared.text;
  json["exp_error"] = declared.exp_error;
  for (const Choice& choice : choices_of(declared.text)) {
    const std::string value = choice.get(declared);
    if (choice.section == Choice::Section::top) {
      json[choice.name] = value;
    } else if (choice.section == Choice::Section::points) {
      json[section_name(choice.section)][choice.name] = value;
    } else {
      json[section_name(choice.section)][choice.name] = std::stoi(value);
    }
  }
  return json.dump(2) + "\n";
}

Declared declared_from_json(const std::string& source, const std::string& text, Rule rule) {
  const Json json = parsed(source, text);
  const std::string format = string_field(source, json, "format");
  if (format != format_name) {
    refuse(source, fmt::format("format is {}, not \"{}\"", written(format), format_name));
  }
  const std::string name = string_field(source, json, "text");
  if (find_text(name) == nullptr) {
    std::vector<std::string_view> names;
    for (const TextInfo& each : text_table()) names.push_back(each.name);
    refuse(source, fmt::format("unknown text {}; there are: {}", written(name), fmt::join(names, ", ")));
  }
  std::optional<Declared> declared = built_in(name, rule);
  if (!declared) {
    refuse(source, fmt::format("text {} does not compute rule {}", name, rule_info(rule).name));
  }
  if (const auto error = json.find("exp_error"); error != json.end()) {
    // No fp32 instruction has less: its results are rounded.
    if (!error->is_number() || !(error->get<double>() >= 0x1p-24 && error->get<double>() < 1)) {
      refuse(source, fmt::format("exp_error is {}; it is a relative error: a number from 2^-24 to below 1",
                                 written(*error)));
    }
    declared->exp_error = error->get<double>();
  }
  read_fields(source, json, Choice::Section::top, *declared);
  for (const auto section : {Choice::Section::points, Choice::Section::parts}) {
    const Json* object = object_field(source, json, section_name(section));
    if (object != nullptr) read_fields(source, *object, section, *declared);
  }
  return *declared;
}

}  // namespace deltaproof
