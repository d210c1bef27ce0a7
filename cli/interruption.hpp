#pragma once

namespace deltaproof::cli {

/// SIGINT and SIGTERM as a question: while it lives, the first one only sets a mark, so that what is under way can be
/// finished and written. The second one ends the process. One at a time.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  bool came() const;
  /// Ends the process by the signal that came, as its parent expects; returns if none did.
  void pass_on();
};

}  // namespace deltaproof::cli
