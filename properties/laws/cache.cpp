#include "properties/laws/cache.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "properties/laws/tensors.hpp"
#include "reference/problem/schema.hpp"

namespace deltaproof::laws {
namespace {

CacheSets rows_of(const Problem& problem, const Outputs& outputs, const Sequence& sequence, std::int64_t head) {
  const std::int64_t C = problem.options().hola.cache_block, w = problem.dims().cache, HV = problem.dims().HV;
  const std::int64_t blocks = part_rows(problem, C);
  const Tensor& selected = outputs.tensors.at("selected");
  CacheSets rows(static_cast<std::size_t>(state_count(sequence.length, C)));
  for (std::size_t n = 0; n < rows.size(); ++n) {
    const std::int64_t row = sequence.batch * blocks + sequence.first_block + static_cast<std::int64_t>(n);
    for (std::int64_t i = 0; i < w; ++i) {
      const std::int64_t token = selected.integer((row * HV + head) * w + i);
      if (token != -1) rows[n].push_back(token);
    }
  }
  return rows;
}

}  // namespace

std::string without_cache(const Problem& problem) {
  const Options& options = problem.options();
  if (options.rule != Rule::hola) return fmt::format("{} has no cache", rule_info(options.rule).name);
  if (options.hola.score == CacheScore::attention) return "score attention is not fixed when a token is written";
  return longest_answered(problem) == 0 ? "there is no token" : "";
}

std::optional<Outputs> cache_run(const Trial& trial, const Problem& problem, Verdict& verdict) {
  std::optional<Outputs> outputs = second_run(trial, problem, verdict);
  if (!outputs) return std::nullopt;
  for (const char* name : {"scores", "selected"}) {
    if (outputs->find(name) != nullptr) continue;
    skip(verdict, fmt::format("the kernel does not give out {}", name));
    return std::nullopt;
  }
  return outputs;
}

std::vector<CacheHead> cache_heads(const Problem& problem, const Outputs& outputs) {
  const Dimensions& d = problem.dims();
  const Tensor& scores = outputs.tensors.at("scores");
  std::vector<CacheHead> heads;
  for (const Sequence& sequence : problem.sequences()) {
    for (std::int64_t head = 0; sequence.state_row >= 0 && head < d.HV; ++head) {
      CacheHead& each = heads.emplace_back(CacheHead{sequence, head, {}, rows_of(problem, outputs, sequence, head)});
      for (std::int64_t t = 0; t < sequence.length; ++t) {
        each.scores.push_back(scores.value((sequence.batch * d.T + sequence.begin + t) * d.HV + head));
      }
    }
  }
  return heads;
}

CacheSets ascending(CacheSets rows) {
  for (auto& row : rows) std::sort(row.begin(), row.end());
  return rows;
}

Location place_of_set(const CacheHead& head, std::int64_t block, std::int64_t cache_block) {
  return {.tensor = "selected", .sequence = head.sequence.index, .token = block * cache_block, .head = head.head};
}

void expect_sets(const CacheHead& head, const CacheSets& expected, const CacheSets& got, std::int64_t cache_block,
                 const std::string& what, Verdict& verdict) {
  verdict.bound = "bits";
  for (std::size_t n = 0; n < std::min(expected.size(), got.size()); ++n) {
    ++verdict.compared;
    if (expected[n] == got[n]) continue;
    broken(verdict, place_of_set(head, static_cast<std::int64_t>(n), cache_block),
           fmt::format("{}: tokens {{{}}} instead of {{{}}}", what, fmt::join(got[n], ", "),
                       fmt::join(expected[n], ", ")));
  }
}

Problem with_cache(const Problem& problem, std::int64_t size, std::int64_t block) {
  Options options = problem.options();
  options.hola.cache_size = size;
  options.hola.cache_block = block;
  return problem.with_options(std::move(options), problem.tensors());
}

Problem with_parameter(const Problem& problem, const std::string& name, double value) {
  TensorMap inputs = problem.tensors();
  if (const auto found = inputs.find(name); found != inputs.end()) found->second = filled(found->second, value);
  return problem.with_inputs(std::move(inputs));
}

}  // namespace deltaproof::laws
