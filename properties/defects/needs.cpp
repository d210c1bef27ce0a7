#include "properties/defects/needs.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace deltaproof {
namespace {

bool is_computed(const Sequence& sequence) { return sequence.state_row >= 0; }

template <class Is>
bool any_computed(const Problem& problem, Is is) {
  return std::ranges::any_of(problem.sequences(), [&](const Sequence& s) { return is_computed(s) && is(s); });
}

bool has_write(const Problem& problem) {
  const std::string_view name = state_rule(problem.options()).write;
  return !name.empty() && problem.find(std::string(name)) != nullptr;
}

// Recordings of other rules bring the eta that their beta was formed from. What is generated may bring any.
bool was_formed_of_eta(const Problem& problem) {
  return has_write(problem) && problem.options().arithmetic == "fla-chunk" &&
         std::ranges::count(problem.unused(), "eta") > 0;
}

bool forms_kaczmarz_write(const Problem& problem) {
  return state_rule(problem.options()).rule == Rule::kla && problem.options().variant == KlaVariant::standard &&
         has_write(problem);
}

bool normalises(const Problem& problem, L2Norm one) {
  return problem.options().qk_l2norm == one || problem.options().qk_l2norm == L2Norm::both;
}

bool has_two_packed(const Problem& problem) {
  const auto has_tokens = [](const Sequence& s) { return is_computed(s) && s.length > 0; };
  return problem.find("cu_seqlens") != nullptr && std::ranges::count_if(problem.sequences(), has_tokens) > 1;
}

bool has_unused_row(const Problem& problem) {
  return problem.find("state_indices") != nullptr &&
         std::ranges::count_if(problem.sequences(), is_computed) < problem.dims().pool;
}

bool has_input(const Problem& problem, Dtype dtype) { return problem.find("q")->dtype == dtype; }

bool has_cache(const Problem& problem) { return problem.options().rule == Rule::hola && problem.dims().cache > 0; }

bool has_longer(const Problem& problem, std::int64_t tokens) {
  return has_cache(problem) && any_computed(problem, [&](const Sequence& s) { return s.length > tokens; });
}

// The tokens before the last block of a sequence are more than the cache holds.
bool fills_cache(const Problem& problem) {
  const std::int64_t block = problem.options().hola.cache_block;
  return has_cache(problem) && any_computed(problem, [&](const Sequence& s) {
           return s.length > 0 && (s.length - 1) / block * block > problem.dims().cache;
         });
}

bool has_open_gate(const Problem& problem) {
  const Tensor* gate = problem.find("cache_gate");
  if (gate == nullptr || !has_cache(problem)) return false;
  const std::vector<double> gates = gate->values();
  return std::ranges::any_of(gates, [](double g) { return 1 / (1 + std::exp(-g)) > 0x1p-126; });
}

bool scores_writes(const Problem& problem) {
  const CacheScore score = problem.options().hola.score;
  return has_cache(problem) && (score == CacheScore::beta_e || score == CacheScore::write_norm);
}

struct Need {
  Needs need;
  bool (*is_met)(const Problem&);
  const char* lack;
};

constexpr Need all_needs[] = {
    {Needs::two_heads, [](const Problem& p) { return p.dims().HV > 1; }, "there is one value head"},
    {Needs::two_chunks,
     [](const Problem& p) {
       return any_computed(p, [&](const Sequence& s) { return s.length > p.options().chunk_size; });
     },
     "no sequence has two chunks"},
    {Needs::two_columns, [](const Problem& p) { return p.dims().V > 1; }, "there is one value channel"},
    {Needs::square_state, [](const Problem& p) { return p.dims().K == p.dims().V; },
     "a state with K other than V has no transpose of its shape"},
    {Needs::oblong_state, [](const Problem& p) { return p.dims().K != p.dims().V; }, "K is V"},
    {Needs::kla, [](const Problem& p) { return was_formed_of_eta(p) || forms_kaczmarz_write(p); },
     "beta was not formed from an eta and |k|^2"},
    {Needs::formed_write, forms_kaczmarz_write, "the kernel does not form b from an eta and |k|^2"},
    {Needs::gates, [](const Problem& p) { return p.find("g") != nullptr; }, "there is no decay"},
    {Needs::scalar_gates, [](const Problem& p) { return p.find("g") != nullptr && p.find("g")->shape.size() == 3; },
     "there is no decay of one value a token"},
    {Needs::writes, has_write, "no write coefficient is handed in"},
    {Needs::residual, [](const Problem& p) { return rule_info(p.options().rule).residual; },
     "the rule writes no residual"},
    {Needs::initial_state, [](const Problem& p) { return p.find("initial_state") != nullptr; },
     "there is no initial state"},
    {Needs::normalised_q, [](const Problem& p) { return normalises(p, L2Norm::q); },
     "the kernel does not normalise q"},
    {Needs::normalised_k, [](const Problem& p) { return normalises(p, L2Norm::k); },
     "the kernel does not normalise k"},
    {Needs::grouped_heads, [](const Problem& p) { return p.dims().H > 1 && p.dims().HV > p.dims().H; },
     "value heads do not share two or more key heads"},
    {Needs::two_sequences, has_two_packed, "there are no two packed sequences"},
    {Needs::empty_sequence,
     [](const Problem& p) { return any_computed(p, [](const Sequence& s) { return s.length == 0; }); },
     "no sequence is empty"},
    {Needs::pool, [](const Problem& p) { return p.find("state_indices") != nullptr; }, "there is no pool of states"},
    {Needs::padding, [](const Problem& p) { return !std::ranges::all_of(p.sequences(), is_computed); },
     "no sequence is padding"},
    {Needs::tail,
     [](const Problem& p) {
       return any_computed(p, [&](const Sequence& s) { return s.length % p.options().chunk_size != 0; });
     },
     "every chunk is full"},
    {Needs::inputs_fp32, [](const Problem& p) { return has_input(p, Dtype::f32); }, "inputs are not in fp32"},
    {Needs::inputs_bf16, [](const Problem& p) { return has_input(p, Dtype::bf16); }, "inputs are not in bf16"},
    {Needs::two_tokens,
     [](const Problem& p) { return any_computed(p, [](const Sequence& s) { return s.length > 1; }); },
     "no sequence has two tokens"},
    {Needs::unused_row, has_unused_row, "the pool has no row that no sequence has"},
    {Needs::cache, has_cache, "there is no cache"},
    {Needs::two_blocks, [](const Problem& p) { return has_longer(p, p.options().hola.cache_block); },
     "no sequence has two blocks of the cache"},
    {Needs::full_cache, fills_cache, "the cache is never full"},
    {Needs::long_block, [](const Problem& p) { return p.options().hola.cache_block > 1 && has_longer(p, 1); },
     "every block has one token"},
    {Needs::open_gate, has_open_gate, "every gate of the cache is shut"},
    {Needs::rms_read, [](const Problem& p) { return has_cache(p) && p.options().hola.read == CacheRead::rmsnorm; },
     "the read is no RMSNorm"},
    {Needs::write_score, scores_writes, "the score is not that of a write"},
    {Needs::tau, [](const Problem& p) { return has_cache(p) && p.options().hola.tau != 1; }, "tau is 1"},
};

}  // namespace

std::string missing(Needs needs, const Problem& problem) {
  for (const Need& need : all_needs) {
    if (includes(needs, need.need) && !need.is_met(problem)) return need.lack;
  }
  return {};
}

}  // namespace deltaproof
