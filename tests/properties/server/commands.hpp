#pragma once

#include <rapidcheck/state.h>

#include <array>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/properties/server/audit.hpp"

namespace deltaproof::server {

/// What is known of a slot: nothing, or the conversation in it.
struct Slot {
  std::optional<History> history;
  std::optional<Tokens> speculated;
  bool ready() const { return history && !speculated; }
};

/// What the server's clients have asked for.
struct Model {
  std::array<Slot, slots> all;
  Token next = 1;  ///< a token that was not there yet
};

/// The server and its audit. A check that fails ends the property with its text.
struct Session {
  DecodeServer server;
  Audit audit;
};

using Command = rc::state::Command<Model, Session>;

/// Runs a command and audits: every launch, and the state of every conversation.
class AuditedCommand : public Command {
 public:
  void run(const Model& before, Session& session) const final;

 private:
  virtual void serve(DecodeServer& server) const = 0;
};

/// A drawn command that may follow.
rc::Gen<std::shared_ptr<const Command>> any_command(const Model& model);

/// At the end: conversations of one kernel against the exact answer. Returns how many there were of each.
std::map<Engine, int> audit_conversations(const Model& model, Session& session);

}  // namespace deltaproof::server
