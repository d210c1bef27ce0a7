#pragma once

#include <map>
#include <vector>

#include "kernels/kernel.hpp"
#include "tests/properties/server/tokens.hpp"

namespace deltaproof::server {

inline constexpr int slots = 4;

/// Bugs that servers have had.
enum class Bug {
  none,
  rollback_keeps_state,  ///< accepted tokens run on from the state after the speculated ones
  slot_is_not_reset,     ///< a new conversation begins with the state of the one before in its slot
  padding_is_slot_0,     ///< -1 is taken for slot 0
  fork_copies_one_head,
};

struct Kernels {
  const Kernel& recurrent;
  const Kernel& chunk;
  const Kernel& of(Engine engine) const { return engine == Engine::recurrent ? recurrent : chunk; }
};

/// What the server asked of a kernel, and what it got.
struct Launch {
  Engine engine;
  Problem problem;
  Outputs outputs;
};

/// States of conversations in slots of one pool, as a serving engine keeps them.
class DecodeServer {
 public:
  DecodeServer(Kernels kernels, Bug bug) : kernels_(kernels), bug_(bug), pool_(zero_pool(slots)) {}

  /// A new conversation in a slot, whatever was in there.
  void prefill(int slot, const Tokens& tokens, Engine engine);
  /// One token for each of several conversations; a slot of -1 is padding of the batch.
  void decode(const std::vector<int>& rows, const Tokens& tokens);
  void fork(int from, int to);
  /// Runs tokens that may be taken back.
  void speculate(int slot, const Tokens& tokens);
  /// Keeps the first `count` of them: back to the state before, and those alone anew.
  void accept(int slot, std::size_t count);

  /// The slot's state, [1, HV, K, V].
  Tensor state(int slot) const;
  /// o of the slot's conversation, [1, tokens, HV, V]; speculated tokens are not among them.
  const Tensor& answers(int slot) const { return answers_.at(slot); }
  /// Launches since the last call.
  std::vector<Launch> take_launches();

 private:
  struct Speculation {
    Tensor state;
    Tokens tokens;
  };

  Outputs launch(Engine engine, const std::vector<Tokens>& sequences, const std::vector<int>& rows);
  Problem as_run(const Problem& problem) const;
  void put_state(int slot, const Tensor& state);
  void answer(int slot, const Tensor& o);

  Kernels kernels_;
  Bug bug_;
  Tensor pool_;
  std::map<int, Tensor> answers_;
  std::map<int, Speculation> speculations_;
  std::vector<Launch> launches_;
};

}  // namespace deltaproof::server
