#include "cli/declared_case.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "reference/problem/arithmetics.hpp"
#include "reference/problem/input_error.hpp"

namespace deltaproof::cli {
namespace {

/// The text of a declaration; a file much longer than any declaration is refused.
std::string read_declaration(const std::string& path) {
  constexpr std::uintmax_t most = 1 << 20;
  std::error_code error;
  if (const auto size = std::filesystem::file_size(path, error); !error && size > most) {
    throw InputError(path + ": too long for a declaration (more than 1 MiB)");
  }
  std::ifstream stream(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(stream), {});
  if (!stream && !stream.eof()) throw InputError(path + ": cannot be read");
  return text;
}

}  // namespace

DeclaredCase read_declared_case(const std::string& path, const std::optional<std::string>& arithmetic) {
  DeclaredCase one{read_case(path), std::nullopt};
  if (!arithmetic) return one;
  std::string name = *arithmetic;
  if (find_arithmetic(name) == nullptr) {
    one.declared = declared_from_json(name, read_declaration(name), one.file.problem.options().rule);
    name = one.declared->text;
  }
  one.file.problem = one.file.problem.with_arithmetic(name);
  return one;
}

}  // namespace deltaproof::cli
