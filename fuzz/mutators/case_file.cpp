// Mutates case files so that most stay ones: header or data alone, or one thing in the header, after which lengths and
// offsets are made to fit again. An eighth goes without, for the reader's own checks of them.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

using Json = nlohmann::json;
using Random = std::minstd_rand;

constexpr std::size_t length_bytes = 8, most_data = 16384;

struct Parts {
  std::string header, data;
};

Parts parts_of(const std::uint8_t* bytes, std::size_t size) {
  std::uint64_t length = 0;
  if (size < length_bytes) return {};
  std::memcpy(&length, bytes, length_bytes);
  const char* const text = reinterpret_cast<const char*>(bytes) + length_bytes;
  length = std::min<std::uint64_t>(length, size - length_bytes);
  return {std::string(text, length), std::string(text + length, size - length_bytes - length)};
}

std::size_t put(const Parts& parts, std::uint8_t* bytes, std::size_t size, std::size_t most) {
  if (length_bytes + parts.header.size() + parts.data.size() > most) return size;
  const std::uint64_t length = parts.header.size();
  std::memcpy(bytes, &length, length_bytes);
  std::copy(parts.header.begin(), parts.header.end(), bytes + length_bytes);
  std::copy(parts.data.begin(), parts.data.end(), bytes + length_bytes + length);
  return length_bytes + parts.header.size() + parts.data.size();
}

void mutate_text(std::string& text) {
  const std::size_t size = text.size(), most = size + 64;
  text.resize(most);
  text.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(text.data()), size, most));
}

std::size_t bytes_of(const std::string& dtype) {
  static const std::map<std::string, std::size_t> known{{"BF16", 2}, {"F16", 2}, {"F32", 4},
                                                        {"F64", 8},  {"I32", 4}, {"I64", 8}};
  const auto found = known.find(dtype);
  return found == known.end() ? 1 : found->second;
}

template <class List>
const auto& one_of(const List& list, Random& random) {
  return list[random() % std::size(list)];
}

void change_tensor(Json& tensor, Random& random) {
  constexpr const char* dtypes[] = {"BF16", "F16", "F32", "F64", "I32", "I64"};
  constexpr std::int64_t extents[] = {0, 1, 2, 3, 4, 5, 7, 8, 16, 17};
  Json& shape = tensor["shape"];
  if (random() % 3 == 0 || !shape.is_array() || shape.empty()) {
    tensor["dtype"] = one_of(dtypes, random);
  } else {
    shape[random() % shape.size()] = one_of(extents, random);
  }
}

// All tensors with one extent get another: sizes that belong together.
void change_extent(Json& header, Random& random) {
  constexpr std::int64_t extents[] = {0, 1, 2, 3, 4, 5, 8, 16};
  const std::int64_t from = one_of(extents, random), to = one_of(extents, random);
  for (auto& [name, tensor] : header.items()) {
    if (name == "__metadata__" || !tensor.is_object() || !tensor["shape"].is_array()) continue;
    for (Json& extent : tensor["shape"]) {
      if (extent == from) extent = to;
    }
  }
}

void change_metadata(Json& metadata, Random& random) {
  constexpr std::pair<const char*, const char*> options[] = {
      {"rule", "delta"}, {"rule", "gated_delta"}, {"rule", "kla"}, {"rule", "longhorn"}, {"rule", "longhorn_exact"},
      {"rule", "linear"}, {"rule", "scalar_decay"}, {"rule", "vector_decay"}, {"rule", "vector_decay_delta"},
      {"rule", "softmax"}, {"rule", "gsa"}, {"rule", "hola"}, {"chunk_size", "1"}, {"chunk_size", "2"},
      {"chunk_size", "16"}, {"chunk_size", "9223372036854775807"}, {"states_every", "2"}, {"scale", "0"},
      {"scale", "1e308"}, {"scale", "-5e-324"}, {"eps", "0"}, {"qk_l2norm", "kernel"}, {"qk_l2norm", "k"},
      {"qk_l2norm_eps", "0"}, {"state_layout", "vk"}, {"variant", "single_gate"}, {"variant", "no_norm"},
      {"variant", "key_norm_only"}, {"variant", "learned_scalar"}, {"position", "inverse"}, {"c", "0"},
      {"arithmetic", "fla-chunk"}, {"arithmetic", "fp64"}, {"arithmetic", "generic"},
      {"arithmetic", "deltaproof-chunk"}, {"arithmetic", "fla-recurrent"}, {"cache_size", "2"}, {"cache_size", "0"},
      {"cache_block", "2"}, {"score", "recency"}, {"score", "attention"}, {"read", "l2"}, {"tau", "0"},
      {"state_rule", "kla"}};
  const auto& [key, value] = one_of(options, random);
  if (random() % 4 == 0) metadata.erase(key); else metadata[key] = value;
}

void change_header(Json& header, Random& random) {
  if (random() % 3 == 0) return change_metadata(header["__metadata__"], random);
  if (random() % 3 == 0) return change_extent(header, random);
  std::vector<std::string> names;
  for (const auto& [name, tensor] : header.items()) {
    if (name != "__metadata__" && tensor.is_object()) names.push_back(name);
  }
  if (names.empty()) return;
  constexpr const char* tensors[] = {"q", "k", "v", "g", "beta", "eta", "a", "s", "sink", "cache_gate", "gamma_q", "gamma_k",
                                     "cu_seqlens", "state_indices", "initial_state", "final_state", "o", "chunk_states",
                                     "scores", "selected", "initial_slot_keys", "initial_slot_values", "do"};
  const std::string name = one_of(names, random);
  switch (random() % 4) {
    case 0: header.erase(name); return;
    case 1: header[one_of(tensors, random)] = Json(header[name]); return;
    default: change_tensor(header[name], random);
  }
}

// Offsets in order of names, as long as dtype and shape say; data cut or repeated to fit.
void make_fit(Json& header, std::string& data) {
  std::size_t at = 0;
  for (auto& [name, tensor] : header.items()) {
    if (name == "__metadata__" || !tensor.is_object()) continue;
    std::size_t size = bytes_of(tensor.value("dtype", ""));
    const Json shape = tensor.value("shape", Json::array());
    for (const Json& extent : shape) size *= extent.is_number_unsigned() ? std::min(extent.get<std::size_t>(), most_data) : 1;
    size = std::min(size, most_data);
    tensor["data_offsets"] = {at, at + size};
    at += size;
  }
  const std::string old = data.empty() ? std::string(1, '\0') : data;
  for (data.resize(std::min(data.size(), at)); data.size() < at;) data += old.substr(0, at - data.size());
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* bytes, std::size_t size, std::size_t most, unsigned seed) {
  Random random(seed);
  const unsigned how = random() % 8;
  if (how == 0 || size < length_bytes) return LLVMFuzzerMutate(bytes, size, most);
  Parts parts = parts_of(bytes, size);
  if (how <= 2) {
    mutate_text(parts.header);
    return put(parts, bytes, size, most);
  }
  if (how <= 4) {
    if (!parts.data.empty()) LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(parts.data.data()), parts.data.size(), parts.data.size());
    return put(parts, bytes, size, most);
  }
  try {
    Json header = Json::parse(parts.header);
    if (!header.is_object()) return LLVMFuzzerMutate(bytes, size, most);
    change_header(header, random);
    make_fit(header, parts.data);
    parts.header = header.dump();
    return put(parts, bytes, size, most);
  } catch (const nlohmann::json::exception&) {
    return LLVMFuzzerMutate(bytes, size, most);
  }
}
