#include "properties/diagnose/hunt/hunt_state_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "reference/problem/input_error.hpp"
#include "reference/problem/message.hpp"

namespace deltaproof {
namespace {

using Json = nlohmann::json;

constexpr const char* schema = "deltaproof.hunt/1";
constexpr std::uintmax_t most_bytes = std::uintmax_t{1} << 26;  // far above any search
constexpr std::array all_statuses = {Status::passed,        Status::failed,  Status::nonconforming, Status::suspect,
                                     Status::uninformative, Status::skipped, Status::error};

Json json_of(const Candidate& candidate) {
  Json entries = Json::array();
  for (const EntryMove& move : candidate.entries) entries.push_back(to_text(move));
  return {{"problem", to_text(candidate.spec)}, {"entries", std::move(entries)}};
}

Candidate candidate_of(const Json& json) {
  Candidate candidate;
  candidate.spec = parse_spec(json.at("problem").get<std::string>());
  for (const Json& move : json.at("entries")) candidate.entries.push_back(parse_entry_move(move.get<std::string>()));
  return candidate;
}

// Of one that was judged: it is drawn once, so that a family or an option that is none is found now.
Candidate judged_candidate_of(const Json& json) {
  Candidate candidate = candidate_of(json);
  problem_of(candidate.spec);
  return candidate;
}

Status status_of(const Json& json) {
  for (const Status status : all_statuses) {
    if (json.get<std::string>() == status_name(status)) return status;
  }
  throw InputError(fmt::format("{} is no status", in_quotes(json.get<std::string>())));
}

double value_of(const Json& json) {
  const double value = json.get<double>();
  if (!std::isfinite(value) || value < 0) throw InputError("a value is no finite number from 0");
  return value;
}

std::int64_t count_of(const Json& json) {
  if (!json.is_number_unsigned() || json.get<std::uint64_t>() > std::uint64_t{1} << 53) {
    throw InputError(fmt::format("{} is no count", json.dump()));
  }
  return json.get<std::int64_t>();
}

Json json_of(const HuntIdentity& identity) {
  return {{"kernel", identity.kernel}, {"sources", identity.sources}, {"device", identity.device},
          {"seed", identity.seed},     {"rule", identity.rule},       {"dtype", identity.dtype},
          {"objective", identity.objective}};
}

HuntIdentity identity_of(const Json& json) {
  HuntIdentity identity;
  identity.kernel = json.at("kernel").get<std::string>();
  identity.sources = json.at("sources").get<std::string>();
  identity.device = json.at("device").get<std::string>();
  identity.seed = json.at("seed").get<std::uint64_t>();
  identity.rule = json.at("rule").get<std::string>();
  identity.dtype = json.at("dtype").get<std::string>();
  identity.objective = json.at("objective").get<std::string>();
  return identity;
}

Json json_of(const Archive& archive) {
  Json all = Json::array();
  for (const auto& [name, cell] : archive.cells()) {
    for (const Worst& worst : cell) {
      Json one = json_of(worst.candidate);
      one["value"] = worst.value;
      one["evaluation"] = worst.evaluation;
      all.push_back(std::move(one));
    }
  }
  return all;
}

Json json_of(const Finding& finding) {
  Json one = json_of(finding.candidate);
  one["status"] = status_name(finding.status);
  one["reason"] = finding.reason;
  one["evaluation"] = finding.evaluation;
  return one;
}

Json json_of(const Evaluated& evaluated) {
  Json one = json_of(evaluated.candidate);
  one["status"] = status_name(evaluated.result.status);
  one["reason"] = evaluated.result.reason;
  one["values"] = Json::array();
  for (const std::optional<double>& value : evaluated.result.values) one["values"].push_back(value ? Json(*value) : Json());
  return one;
}

Evaluated evaluated_of(const Json& json) {
  Evaluated evaluated;
  evaluated.result.status = status_of(json.at("status"));
  evaluated.candidate =
      evaluated.result.status == Status::skipped ? candidate_of(json) : judged_candidate_of(json);
  evaluated.result.reason = json.at("reason").get<std::string>();
  const Json& values = json.at("values");
  if (values.size() != objectives.size()) throw InputError("an evaluation has not one value of each objective");
  for (std::size_t i = 0; i < objectives.size(); ++i) {
    if (!values.at(i).is_null()) evaluated.result.values[i] = value_of(values.at(i));
  }
  return evaluated;
}

void read_objective(const Json& json, Objective objective, HuntState& state) {
  const auto at = static_cast<std::size_t>(objective);
  for (const Json& one : json.at("worst")) {
    state.archives[at].add(objective,
                           {judged_candidate_of(one), value_of(one.at("value")), count_of(one.at("evaluation"))});
  }
  for (const auto& [type, of_type] : json.at("typical").items()) {
    const TypicalValues typical{count_of(of_type.at("problems")), value_of(of_type.at("sum")),
                                value_of(of_type.at("largest"))};
    state.typical[at][type] = typical;
  }
}

HuntState state_of(const Json& json) {
  if (json.at("schema") != schema) throw InputError(fmt::format("schema is {}; wanted '{}'", json.at("schema").dump(), schema));
  HuntState state;
  state.identity = identity_of(json.at("search"));
  state.evaluations = count_of(json.at("evaluations"));
  state.typical_problems = count_of(json.at("typical_problems"));
  for (const auto& [name, count] : json.at("statuses").items()) state.statuses[name] = count_of(count);
  for (const Objective objective : objectives) {
    read_objective(json.at("objectives").at(std::string(objective_name(objective))), objective, state);
  }
  for (const Json& one : json.at("findings")) {
    state.findings.push_back({judged_candidate_of(one), status_of(one.at("status")),
                              one.at("reason").get<std::string>(), count_of(one.at("evaluation"))});
  }
  for (const Json& one : json.at("pending")) state.pending.push_back(evaluated_of(one));
  if (static_cast<std::int64_t>(state.pending.size()) >= HuntState::batch) {
    throw InputError(fmt::format("{} evaluations are pending; a batch has {}", state.pending.size(), HuntState::batch));
  }
  return state;
}

std::string text_of(const HuntIdentity& identity) {
  std::string text = fmt::format("kernel {} on {}, seed {}", identity.kernel, identity.device, identity.seed);
  for (const auto& [name, value] : {std::pair{"rule", &identity.rule}, std::pair{"dtype", &identity.dtype},
                                    std::pair{"objective", &identity.objective}}) {
    if (!value->empty()) text += fmt::format(", {} {}", name, *value);
  }
  return text;
}

void refuse_another(const std::string& file, const HuntIdentity& there, const HuntIdentity& wanted) {
  if (there == wanted) return;
  const std::string ours = text_of(wanted), theirs = text_of(there);
  if (ours == theirs) {
    throw InputError(fmt::format("{}: a search in {} built from other sources; choose another folder", file, theirs));
  }
  throw InputError(fmt::format("{}: a search with {}, not {}; choose another folder", file, theirs, ours));
}

}  // namespace

std::string json_of(const HuntState& state) {
  Json of_objectives = Json::object();
  for (const Objective objective : objectives) {
    const auto at = static_cast<std::size_t>(objective);
    Json typical = Json::object();
    for (const auto& [type, values] : state.typical[at]) {
      typical[type] = {{"problems", values.problems}, {"sum", values.sum}, {"largest", values.largest}};
    }
    of_objectives[std::string(objective_name(objective))] = {{"worst", json_of(state.archives[at])},
                                                             {"typical", std::move(typical)}};
  }
  Json json = {{"schema", schema},
               {"search", json_of(state.identity)},
               {"evaluations", state.evaluations},
               {"typical_problems", state.typical_problems},
               {"statuses", state.statuses},
               {"objectives", std::move(of_objectives)},
               {"findings", Json::array()},
               {"pending", Json::array()}};
  for (const Finding& finding : state.findings) json["findings"].push_back(json_of(finding));
  for (const Evaluated& evaluated : state.pending) json["pending"].push_back(json_of(evaluated));
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

HuntState state_of_json(const std::string& file, const std::string& text) {
  try {
    return state_of(Json::parse(text));
  } catch (const Json::exception& error) {
    throw InputError(fmt::format("{}: no state of a search: {}", file, in_quotes(error.what())));
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: no state of a search: {}", file, error.what()));
  }
}

std::optional<HuntState> read_hunt_state(const std::filesystem::path& path, const HuntIdentity& identity) {
  std::error_code error;
  const auto there = std::filesystem::status(path, error);
  if (!std::filesystem::exists(there)) return std::nullopt;
  const std::string file = path.string();
  if (!std::filesystem::is_regular_file(there)) throw InputError(fmt::format("{}: is no regular file", file));
  if (std::filesystem::file_size(path, error) > most_bytes || error) {
    throw InputError(fmt::format("{}: no state of a search: it has more than {} bytes", file, most_bytes));
  }
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) throw InputError(fmt::format("{}: cannot be read", file));
  HuntState state = state_of_json(file, text.str());
  refuse_another(file, state.identity, identity);
  return state;
}

}  // namespace deltaproof
