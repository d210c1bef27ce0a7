#include "tests/properties/server/commands.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <ostream>

namespace deltaproof::server {
namespace {

Tokens new_tokens(const Model& model, int count) {
  Tokens tokens;
  for (int i = 0; i < count; ++i) tokens.push_back(model.next + static_cast<Token>(i));
  return tokens;
}

int any_slot() { return *rc::gen::inRange(0, slots); }

void append(Slot& slot, Engine engine, const Tokens& tokens) {
  for (const Token token : tokens) slot.history->emplace_back(engine, token);
}

void hold(const std::string& wrong) {
  if (!wrong.empty()) RC_FAIL(wrong);
}

Slot& at(Model& model, int slot) { return model.all[static_cast<std::size_t>(slot)]; }
const Slot& at(const Model& model, int slot) { return model.all[static_cast<std::size_t>(slot)]; }

class Prefill : public AuditedCommand {
 public:
  explicit Prefill(const Model& model)
      : slot_(any_slot()),
        tokens_(new_tokens(model, *rc::gen::inRange(1, 36))),
        engine_(*rc::gen::element(Engine::recurrent, Engine::chunk)) {}
  void checkPreconditions(const Model& model) const override { RC_PRE(!at(model, slot_).history); }
  void apply(Model& model) const override {
    model.next += static_cast<Token>(tokens_.size());
    at(model, slot_).history.emplace();
    append(at(model, slot_), engine_, tokens_);
  }
  void show(std::ostream& os) const override {
    os << "prefill(slot " << slot_ << ", " << tokens_.size() << " tokens, " << engine_name(engine_) << ")";
  }

 private:
  void serve(DecodeServer& server) const override { server.prefill(slot_, tokens_, engine_); }

  int slot_;
  Tokens tokens_;
  Engine engine_;
};

class Decode : public AuditedCommand {
 public:
  explicit Decode(const Model& model) {
    for (int slot = slots - 1; slot >= 0; --slot) {
      if (at(model, slot).ready() && *rc::gen::arbitrary<bool>()) rows_.push_back(slot);
    }
    if (*rc::gen::arbitrary<bool>()) {
      // Shrinking may replay the place with fewer slots than it was drawn for.
      const int place = *rc::gen::inRange<int>(0, slots + 1);
      rows_.insert(rows_.begin() + std::min(place, static_cast<int>(rows_.size())), -1);
    }
    tokens_ = new_tokens(model, static_cast<int>(rows_.size()));
  }
  void checkPreconditions(const Model& model) const override {
    RC_PRE(std::any_of(rows_.begin(), rows_.end(), [](int slot) { return slot >= 0; }));
    // RC_PRE takes an expression apart to show it, and does not know that || ends early.
    for (const int slot : rows_) RC_PRE((slot < 0 || at(model, slot).ready()));
  }
  void apply(Model& model) const override {
    model.next += static_cast<Token>(tokens_.size());
    for (std::size_t n = 0; n < rows_.size(); ++n) {
      if (rows_[n] >= 0) append(at(model, rows_[n]), Engine::recurrent, {tokens_[n]});
    }
  }
  void show(std::ostream& os) const override {
    os << "decode(slots";
    for (const int slot : rows_) os << " " << slot;
    os << ")";
  }

 private:
  void serve(DecodeServer& server) const override { server.decode(rows_, tokens_); }

  std::vector<int> rows_;
  Tokens tokens_;
};

class Fork : public AuditedCommand {
 public:
  explicit Fork(const Model&) : from_(any_slot()), to_(any_slot()) {}
  void checkPreconditions(const Model& model) const override {
    RC_PRE(at(model, from_).ready());
    RC_PRE(!at(model, to_).history);
  }
  void apply(Model& model) const override { at(model, to_) = at(model, from_); }
  void show(std::ostream& os) const override { os << "fork(slot " << from_ << " -> slot " << to_ << ")"; }

 private:
  void serve(DecodeServer& server) const override { server.fork(from_, to_); }

  int from_, to_;
};

class Speculate : public AuditedCommand {
 public:
  explicit Speculate(const Model& model) : slot_(any_slot()), tokens_(new_tokens(model, *rc::gen::inRange(1, 6))) {}
  void checkPreconditions(const Model& model) const override { RC_PRE(at(model, slot_).ready()); }
  void apply(Model& model) const override {
    model.next += static_cast<Token>(tokens_.size());
    at(model, slot_).speculated = tokens_;
  }
  void show(std::ostream& os) const override {
    os << "speculate(slot " << slot_ << ", " << tokens_.size() << " tokens)";
  }

 private:
  void serve(DecodeServer& server) const override { server.speculate(slot_, tokens_); }

  int slot_;
  Tokens tokens_;
};

class Accept : public AuditedCommand {
 public:
  explicit Accept(const Model&) : slot_(any_slot()), count_(*rc::gen::inRange<std::size_t>(0, 6)) {}
  void checkPreconditions(const Model& model) const override {
    RC_PRE(at(model, slot_).speculated.has_value());
    RC_PRE(count_ <= at(model, slot_).speculated->size());
  }
  void apply(Model& model) const override {
    Tokens tokens = *std::exchange(at(model, slot_).speculated, std::nullopt);
    tokens.resize(count_);
    append(at(model, slot_), Engine::recurrent, tokens);
  }
  void show(std::ostream& os) const override { os << "accept(slot " << slot_ << ", " << count_ << " tokens)"; }

 private:
  void serve(DecodeServer& server) const override { server.accept(slot_, count_); }

  int slot_;
  std::size_t count_;
};

// The server is told nothing: a slot is used anew by the next prefill.
class Evict : public AuditedCommand {
 public:
  explicit Evict(const Model&) : slot_(any_slot()) {}
  void checkPreconditions(const Model& model) const override { RC_PRE(at(model, slot_).ready()); }
  void apply(Model& model) const override { at(model, slot_) = Slot{}; }
  void show(std::ostream& os) const override { os << "evict(slot " << slot_ << ")"; }

 private:
  void serve(DecodeServer&) const override {}

  int slot_;
};

}  // namespace

void AuditedCommand::run(const Model& before, Session& session) const {
  serve(session.server);
  for (const Launch& launch : session.server.take_launches()) hold(session.audit.launch(launch));
  const Model after = nextState(before);
  for (int slot = 0; slot < slots; ++slot) {
    if (!at(after, slot).history) continue;
    History history = *at(after, slot).history;
    if (const auto& speculated = at(after, slot).speculated) {
      for (const Token token : *speculated) history.emplace_back(Engine::recurrent, token);
    }
    hold(session.audit.state(session.server.state(slot), history));
  }
}

rc::Gen<std::shared_ptr<const Command>> any_command(const Model& model) {
  return rc::state::gen::execOneOfWithArgs<Prefill, Decode, Decode, Fork, Speculate, Accept, Accept, Evict>()(model);
}

std::map<Engine, int> audit_conversations(const Model& model, Session& session) {
  std::map<Engine, int> judged;
  for (int slot = 0; slot < slots; ++slot) {
    if (!at(model, slot).ready() || !is_of_one_kernel(*at(model, slot).history)) continue;
    const History& history = *at(model, slot).history;
    hold(session.audit.conversation(session.server.answers(slot), session.server.state(slot), history));
    ++judged[history.front().first];
  }
  return judged;
}

}  // namespace deltaproof::server
