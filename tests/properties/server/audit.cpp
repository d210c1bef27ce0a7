#include "tests/properties/server/audit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "properties/accuracy/accuracy.hpp"
#include "properties/laws/bounded.hpp"
#include "properties/laws/untouched.hpp"
#include "properties/runs/finished_run.hpp"

namespace deltaproof::server {
namespace {

Tokens tokens_of(const History& history) {
  Tokens tokens;
  for (const auto& [engine, token] : history) tokens.push_back(token);
  return tokens;
}

bool is_of_chunk(const std::pair<Engine, Token>& step) { return step.first == Engine::chunk; }

}  // namespace

bool is_of_one_kernel(const History& history) {
  return std::all_of(history.begin(), history.end(),
                     [&](const auto& step) { return step.first == history.front().first; });
}

std::string Audit::launch(const Launch& launch) const {
  AccuracyOptions options;
  options.conformity = false;
  options.threads = 1;
  const Verdict verdict =
      check_accuracy(launch.problem, FinishedRun(kernels_.of(launch.engine), launch.outputs), options);
  if (verdict.compared == 0) return "a launch of which nothing was compared";
  if (verdict.status != Status::passed && verdict.status != Status::uninformative) {
    return fmt::format("a launch is {}: {}", status_name(verdict.status), verdict.reason);
  }
  if (laws::changed_pool_row(launch.problem, launch.outputs)) return "a launch changed a slot that it does not list";
  return laws::written_skipped_rows(launch.problem, launch.outputs) ? "a launch wrote o of its padding" : "";
}

const Tensor& Audit::plain_state(const History& history) {
  if (const auto known = plain_states_.find(history); known != plain_states_.end()) return known->second;
  if (history.empty()) return plain_states_.emplace(history, zero_pool(1)).first->second;
  // The last launch: the tokens of `chunk` at once, or one token of `recurrent`.
  const Engine engine = history.back().first;
  const auto first =
      engine == Engine::chunk ? std::find_if(history.begin(), history.end(), is_of_chunk) : history.end() - 1;
  const Tensor before = plain_state(History(history.begin(), first));
  const Problem problem = launch_problem(engine, {tokens_of(History(first, history.end()))}, {0}, before);
  return plain_states_.emplace(history, kernels_.of(engine).run(problem).tensors.at("final_state")).first->second;
}

std::string Audit::state(const Tensor& state, const History& history) {
  return state.bytes == plain_state(history).bytes ? "" : "a state has other bits than plain serving gives";
}

std::string Audit::conversation(const Tensor& answers, const Tensor& state, const History& history) const {
  const Engine engine = history.front().first;
  const Problem problem = launch_problem(engine, {tokens_of(history)}, {0}, zero_pool(1));
  Outputs outputs;
  outputs.tensors["o"] = answers;
  outputs.tensors["final_state"] = state;
  const laws::RunBound right = laws::run_bound(problem, kernels_.of(engine), outputs);
  Verdict verdict;
  verdict.status = Status::passed;
  laws::Bounded bounded(verdict);
  bounded.about("a conversation");
  bounded.outputs(problem, right.expected, right.bound, outputs);
  if (verdict.compared == 0) return "a conversation of which nothing was compared";
  return verdict.status == Status::passed ? "" : verdict.reason;
}

}  // namespace deltaproof::server
