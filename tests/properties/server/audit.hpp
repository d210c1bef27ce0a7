#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/properties/server/decode_server.hpp"

namespace deltaproof::server {

/// Tokens of a conversation, each with the kernel that is to run it. Neighbours of kernel `chunk` are one launch.
using History = std::vector<std::pair<Engine, Token>>;

/// Whether one kernel ran all of a conversation.
bool is_of_one_kernel(const History& history);

/// What must be true of a server that is right. Each check returns "" or what is wrong.
class Audit {
 public:
  explicit Audit(Kernels kernels) : kernels_(kernels) {}

  /// From the states that the launch found, its outputs are within the bounds of its kernel; it wrote no other slot,
  /// and nothing for the padding.
  std::string launch(const Launch& launch) const;

  /// The state has the bits of plain serving: a prefill from zero, then one token at a time.
  std::string state(const Tensor& state, const History& history);

  /// Of a conversation that one kernel ran: its answers and its state against the exact answer of the whole of it.
  std::string conversation(const Tensor& answers, const Tensor& state, const History& history) const;

 private:
  const Tensor& plain_state(const History& history);

  Kernels kernels_;
  std::map<History, Tensor> plain_states_;
};

}  // namespace deltaproof::server
