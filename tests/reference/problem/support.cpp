#include "tests/reference/problem/support.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "reference/problem/input_error.hpp"

namespace deltaproof::testing {

TempFolder::TempFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "deltaproof-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = name;
}

TempFolder::~TempFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void write_bytes(const std::filesystem::path& path, std::string_view bytes) {
  // A new file: some file systems wait for the disk when an old one is overwritten.
  std::filesystem::remove(path);
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!file) throw std::runtime_error("cannot write " + path.string());
}

std::string read_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string safetensors_bytes(std::string_view header, std::string_view data) {
  const std::uint64_t length = header.size();
  std::string bytes(sizeof length, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  return bytes + std::string(header) + std::string(data);
}

void expect_refused(const std::function<void()>& action, const std::vector<std::string>& parts) {
  try {
    action();
  } catch (const InputError& error) {
    const std::string message = error.what();
    for (const std::string& part : parts)
      EXPECT_NE(message.find(part), std::string::npos) << message << "\nlacks " << part;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    return;
  }
  ADD_FAILURE() << "nothing was refused; wanted a message with " << parts.front();
}

Tensor filled(const std::string& name, std::vector<std::int64_t> shape, Dtype dtype) {
  std::uint32_t state = 12345;
  for (const char c : name) state = state * 31 + static_cast<unsigned char>(c);
  const bool is_gate = name == "beta" || name == "eta" || name == "a";
  std::size_t count = 1;
  for (const std::int64_t extent : shape) count *= static_cast<std::size_t>(extent);
  std::vector<double> values(count);
  for (double& value : values) {
    state = state * 1664525 + 1013904223;
    const double unit = (state >> 25) / 128.0;  // [0, 1), seven bits
    value = name == "g" ? -unit : is_gate ? 1 - unit : 2 * unit - 1;
  }
  return Tensor::from(dtype, std::move(shape), values);
}

Tensor integers(const std::vector<double>& values, Dtype dtype) {
  return Tensor::from(dtype, {static_cast<std::int64_t>(values.size())}, values);
}

void set(Tensor& tensor, std::int64_t flat, double value) {
  const auto stored = static_cast<float>(value);
  std::memcpy(tensor.bytes.data() + static_cast<std::size_t>(flat) * sizeof stored, &stored,
              sizeof stored);
}

Case small_case(const std::string& rule, const Sizes& s) {
  Case result;
  result.metadata = {{"format", "deltaproof.case/1"}, {"rule", rule}};
  const auto add = [&](const std::string& name, std::vector<std::int64_t> shape) {
    result.tensors[name] = filled(name, std::move(shape));
  };
  add("q", {s.B, s.T, s.H, s.K});
  add("k", {s.B, s.T, s.H, s.K});
  add("v", {s.B, s.T, s.HV, s.V});
  const RuleInfo& info = *find_rule(rule);
  if (info.decay == Decay::scalar) add("g", {s.B, s.T, s.HV});
  if (info.decay == Decay::per_channel) add("g", {s.B, s.T, s.HV, s.K});
  const std::string write(info.write);
  if (info.system == System::gsa)
    add(write, {s.B, s.T, s.HV, s.M});
  else if (info.system == System::longhorn)
    add(write, {s.B, s.T, s.HV, s.V});
  else if (!write.empty())
    add(write, {s.B, s.T, s.HV});
  if (info.system == System::hola) {
    for (const char* name : {"sink", "cache_gate"}) add(name, {s.HV});
    for (const char* name : {"gamma_q", "gamma_k"}) add(name, {s.HV, s.K});
  }
  return result;
}

}  // namespace deltaproof::testing
