#include "fuzz/memory_file.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <system_error>

namespace deltaproof::fuzz {
namespace {

std::filesystem::path new_folder() {
  std::error_code error;
  const bool in_memory = std::filesystem::is_directory("/dev/shm", error) && ::access("/dev/shm", W_OK) == 0;
  std::string name = (in_memory ? "/dev/shm" : std::filesystem::temp_directory_path()) / "deltaproof_fuzz.XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make the folder " + name);
  return name;
}

}  // namespace

MemoryFile::MemoryFile() : descriptor_(::memfd_create("deltaproof_fuzz", MFD_CLOEXEC)), folder_(new_folder()) {
  if (descriptor_ < 0) throw std::runtime_error("cannot make a file in memory");
}

MemoryFile::~MemoryFile() {
  ::close(descriptor_);
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

void MemoryFile::set(Bytes bytes) {
  if (::ftruncate(descriptor_, 0) != 0) throw std::runtime_error("cannot empty a file in memory");
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t put = ::pwrite(descriptor_, bytes.data() + at, bytes.size() - at, static_cast<off_t>(at));
    if (put <= 0) throw std::runtime_error("cannot write to a file in memory");
    at += static_cast<std::size_t>(put);
  }
}

std::filesystem::path MemoryFile::path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

}  // namespace deltaproof::fuzz
