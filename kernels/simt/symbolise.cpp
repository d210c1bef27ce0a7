#include "kernels/simt/symbolise.hpp"

#include <fcntl.h>
#include <link.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace deltaproof {

namespace {

/// The loaded object that holds an instruction.
struct Object {
  std::uintptr_t code = 0;
  std::string file;
  std::uintptr_t offset = 0;  ///< of the instruction, as the object's own tables count
  bool found = false;
};

int visit_object(dl_phdr_info* info, std::size_t, void* data) {
  auto& object = *static_cast<Object*>(data);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
    if (header.p_type != PT_LOAD || object.code - begin >= header.p_memsz) continue;
    object.file = info->dlpi_name[0] != '\0' ? info->dlpi_name : "/proc/self/exe";
    object.offset = object.code - info->dlpi_addr;
    object.found = true;
    return 1;
  }
  return 0;
}

std::string hexadecimal(std::uintptr_t n) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%zx", static_cast<std::size_t>(n));
  return text;
}

/// All that can be read from `descriptor`.
std::string read_all(int descriptor) {
  std::string text;
  char part[1024];
  for (;;) {
    const ssize_t count = read(descriptor, part, sizeof part);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(part, static_cast<std::size_t>(count));
  }
}

/// What addr2line prints, empty if it cannot be run. Not through a shell: file names are arguments.
std::string run_addr2line(const Object& object) {
  // The child's own /proc/self/exe would be addr2line.
  std::string file = object.file;
  if (file == "/proc/self/exe") file = "/proc/" + std::to_string(getpid()) + "/exe";
  std::string offset = hexadecimal(object.offset);
  char name[] = "addr2line", inlined[] = "-i", option[] = "-e";
  char* const arguments[] = {name, inlined, option, file.data(), offset.data(), nullptr};

  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {};  // another thread may start a process meanwhile
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const bool started = posix_spawnp(&child, name, &actions, nullptr, arguments, environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string text = started ? read_all(ends[0]) : std::string{};
  close(ends[0]);
  int status = 0;
  while (started && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return text;
}

/// The header that kernels include is the executor's, and what that includes is the system's: neither is the kernel's.
bool is_beneath_kernels(std::string_view file) {
  return file.starts_with("kernels/simt/") || file.starts_with("/usr/");
}

/// From the lines of addr2line (innermost first) the first one that is known and, if any is, a kernel's own.
SourcePlace choose(std::string_view lines) {
  SourcePlace chosen;
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(line.size() < lines.size() ? line.size() + 1 : lines.size());
    const std::size_t colon = line.rfind(':');
    if (colon == std::string_view::npos) continue;
    const std::string file(line.substr(0, colon));
    const int number = std::atoi(std::string(line.substr(colon + 1)).c_str());
    if (number <= 0 || file.starts_with('?')) continue;
    const SourcePlace place{without_source_prefix(file.c_str()), number};
    if (chosen.line == 0 || is_beneath_kernels(chosen.file)) chosen = place;
    if (!is_beneath_kernels(chosen.file)) break;
  }
  return chosen;
}

}  // namespace

const char* without_source_prefix(const char* file) {
  constexpr std::string_view root = DELTAPROOF_SOURCE_DIR "/", here = "./";
  if (std::string_view(file).starts_with(root)) file += root.size();
  // Also behind the root, and several times: of the folder that a compiler (or its cache) worked in, of an include path.
  while (std::string_view(file).starts_with(here)) file += here.size();
  return file;
}

SourcePlace symbolise(std::uintptr_t code) {
  Object object;
  object.code = code;
  dl_iterate_phdr(visit_object, &object);
  if (!object.found) return {"code at " + hexadecimal(code), 0};
  const std::string lines = run_addr2line(object);
  SourcePlace place = choose(lines);
  if (place.line != 0) return place;
  const std::string name = object.file.substr(object.file.rfind('/') + 1);
  return {name + "+" + hexadecimal(object.offset) +
              (lines.empty() ? " (install binutils to see the line)" : " (compiled without -g)"), 0};
}

std::string to_string(const SourcePlace& place) {
  return place.line == 0 ? place.file : place.file + ":" + std::to_string(place.line);
}

}  // namespace deltaproof
