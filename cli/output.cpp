#include "cli/output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include "reports/text.hpp"

namespace deltaproof::cli {

void secure_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // The lowest free number is the one just found free.
    if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", O_RDWR) != stream) std::_Exit(2);
  }
  std::signal(SIGPIPE, SIG_IGN);
}

void print(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  const bool flushed = std::fflush(stdout) == 0;
  const int error = errno;
  if ((!flushed || std::ferror(stdout) != 0) && error != EPIPE) {
    throw OutputError("cannot write to standard output: " + std::generic_category().message(error));
  }
}

void print_error(std::string_view message) {
  const std::string line = "deltaproof: " + printable(message) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

bool colour_wanted() {
  const char* no_colour = std::getenv("NO_COLOR");
  return isatty(STDOUT_FILENO) == 1 && (no_colour == nullptr || *no_colour == '\0');
}

}  // namespace deltaproof::cli
