#include "tests/properties/server/decode_server.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "properties/laws/tensors.hpp"

namespace deltaproof::server {

void DecodeServer::prefill(int slot, const Tokens& tokens, Engine engine) {
  answers_.erase(slot);
  if (bug_ != Bug::slot_is_not_reset) put_state(slot, zero_pool(1));
  answer(slot, launch(engine, {tokens}, {slot}).tensors.at("o"));
}

void DecodeServer::decode(const std::vector<int>& rows, const Tokens& tokens) {
  std::vector<Tokens> sequences;
  for (const Token token : tokens) sequences.push_back({token});
  const Tensor o = launch(Engine::recurrent, sequences, rows).tensors.at("o");
  for (std::size_t n = 0; n < rows.size(); ++n) {
    if (rows[n] >= 0) answer(rows[n], laws::taken(o, 0, {static_cast<std::int64_t>(n)}));
  }
}

void DecodeServer::fork(int from, int to) {
  answers_.insert_or_assign(to, answers_.at(from));
  const Tensor whole = state(from);
  if (bug_ != Bug::fork_copies_one_head) return put_state(to, whole);
  put_state(to, laws::joined(laws::taken(whole, 1, {0}), laws::taken(state(to), 1, {1}), 1));
}

void DecodeServer::speculate(int slot, const Tokens& tokens) {
  speculations_.insert_or_assign(slot, Speculation{state(slot), tokens});
  launch(Engine::recurrent, {tokens}, {slot});
}

void DecodeServer::accept(int slot, std::size_t count) {
  const Speculation before = std::move(speculations_.extract(slot).mapped());
  if (bug_ != Bug::rollback_keeps_state) put_state(slot, before.state);
  if (count == 0) return;
  const Tokens kept(before.tokens.begin(), before.tokens.begin() + static_cast<std::ptrdiff_t>(count));
  answer(slot, launch(Engine::recurrent, {kept}, {slot}).tensors.at("o"));
}

Tensor DecodeServer::state(int slot) const { return laws::taken(pool_, 0, {slot}); }

std::vector<Launch> DecodeServer::take_launches() { return std::exchange(launches_, {}); }

Outputs DecodeServer::launch(Engine engine, const std::vector<Tokens>& sequences, const std::vector<int>& rows) {
  Problem problem = launch_problem(engine, sequences, rows, pool_);
  Outputs outputs = kernels_.of(engine).run(as_run(problem));
  pool_ = outputs.tensors.at("final_state");
  launches_.push_back({engine, std::move(problem), outputs});
  return outputs;
}

Problem DecodeServer::as_run(const Problem& problem) const {
  const Tensor& rows = *problem.find("state_indices");
  std::vector<double> read;
  for (std::int64_t n = 0; n < rows.size(); ++n) read.push_back(static_cast<double>(rows.integer(n)));
  const auto padding = std::find(read.begin(), read.end(), -1);
  const bool slot_0_is_free = std::find(read.begin(), read.end(), 0) == read.end();
  if (bug_ != Bug::padding_is_slot_0 || padding == read.end() || !slot_0_is_free) return problem;
  *padding = 0;
  TensorMap inputs = problem.tensors();
  inputs["state_indices"] = Tensor::from(rows.dtype, rows.shape, read);
  return problem.with_inputs(std::move(inputs));
}

void DecodeServer::put_state(int slot, const Tensor& state) {
  const auto at = static_cast<std::ptrdiff_t>(state.bytes.size()) * slot;
  std::copy(state.bytes.begin(), state.bytes.end(), pool_.bytes.begin() + at);
}

void DecodeServer::answer(int slot, const Tensor& o) {
  const auto [known, is_new] = answers_.try_emplace(slot, o);
  if (!is_new) known->second = laws::joined(known->second, o, 1);
}

}  // namespace deltaproof::server
