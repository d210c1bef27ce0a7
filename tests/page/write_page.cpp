// `deltaproof_write_page DIR`: index.html from what DIR holds, as `deltaproof report` writes it, without the rest of the
// command, for the tests in a browser.
#include <cstdio>
#include <exception>

#include "reports/write.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    deltaproof::write_page(argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
