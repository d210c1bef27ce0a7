#pragma once

#include <CLI/App.hpp>

namespace deltaproof::cli {

/// The options of one command, into `Arguments`. It must stay where it was made while the command line is parsed. What
/// derives from it adds the options, and has `finish`: what was given, validated.
template <class Arguments>
class CommandOptions {
 public:
  bool parsed() const { return command_->parsed(); }

 protected:
  CommandOptions(CLI::App& app, const char* name, const char* description)
      : command_(app.add_subcommand(name, description)) {}

  CLI::App* command_;
  Arguments arguments_;
};

}  // namespace deltaproof::cli
