// How HOLA's cache is read: which entries, which rows, which logits, which weights, which gate.
#include <algorithm>
#include <cmath>
#include <limits>

#include "properties/defects/cache_read_faults.hpp"
#include "properties/defects/tables.hpp"

namespace deltaproof {
namespace {

using namespace faults;

Defect entry(std::string_view id, BugClass bug, std::string_view sentence, std::string_view formula, HolaFault fault,
             Needs needs = Needs::nothing) {
  return {id, Stage::cache_read, bug, sentence, formula, std::move(fault), Reach::everywhere,
          Needs::cache | Needs::open_gate | needs};
}

void add_entries(std::vector<Defect>& all) {
  using enum BugClass;
  constexpr Needs kept = Needs::two_blocks, inside = Needs::long_block;
  all.push_back(entry("read_future_cache", causality, "queries read what the cache keeps after their block",
                      "A_{n+1}, exported as A_n", reads_next_cache(), inside));
  all.push_back(entry("read_stale_cache", races, "queries read the cache of the block before",
                      "A_{n-1}, exported as A_n", reads_cache_before(), kept));
  all.push_back(entry("read_twice", eviction, "the cache takes tokens while its block reads: they are in both parts",
                      "top-w of tokens <= t, and nC .. t", reads_online_cache()));
  all.push_back(entry("read_next", causality, "a query reads the token after it, too", "nC .. t+1", reads_up_to(1),
                      inside));
  all.push_back(entry("read_whole_block", causality, "a query reads its whole block", "nC .. nC+C-1",
                      reads_whole_block(), inside));
  all.push_back(entry("read_not_self", causality, "a query does not read its own token", "nC .. t-1", reads_up_to(-1)));
  all.push_back(entry("read_no_block", eviction, "queries read the cache alone", "A_n", reads_cache_alone()));
  all.push_back(entry("read_no_cache", eviction, "queries read their block alone", "nC .. t", reads_block_alone(), kept));
  all.push_back(entry("read_last_lost", miscompile, "the last entry of the cache is not read", "A_n less its last",
                      loses_last_entry(), kept));
  all.push_back(entry("read_empty_places", uninitialised, "empty places of the cache are read as token 0",
                      "-1 as token 0", reads_empty_places()));
}

void add_rows(std::vector<Defect>& all) {
  using enum BugClass;
  constexpr Needs rms = Needs::rms_read;
  all.push_back(entry("rms_eps_outside", norms, "eps is added to the root, not below it",
                      "x / (sqrt(mean x^2) + eps)", rows_with(eps_outside), rms));
  all.push_back(entry("rms_no_eps", norms, "eps is left out", "x / sqrt(mean x^2)", rows_with(no_eps), rms));
  all.push_back(entry("rms_sum", norms, "the RMSNorm divides by the length, not by its mean", "x / sqrt(sum x^2 + eps)",
                      rows_with(sum_for_mean), rms));
  all.push_back(entry("rms_mean_unrooted", norms, "the RMSNorm divides by the mean square", "x / (mean x^2 + eps)",
                      rows_with(no_root), rms));
  all.push_back(entry("rms_flat", norms, "the read is flat instead of an RMSNorm", "x / |x|, no gamma", flat_read(),
                      rms));
  all.push_back(entry("gamma_lost", norms, "both gammas are left out", "gamma = 1", of_inputs(gammas_lost), rms));
  all.push_back(entry("gamma_k_lost", norms, "gamma of the keys is left out", "gamma_k = 1", of_inputs(gamma_k_lost),
                      rms));
  all.push_back(entry("gamma_head_0", layout, "all heads have the gammas of the first", "gamma of head 0",
                      of_inputs(gammas_of_head_0), rms | Needs::two_heads));
  all.push_back(entry("key_raw", norms, "keys are read as they are", "k~ = gamma_k o k", rows_with(raw_keys)));
  all.push_back(entry("query_raw", norms, "queries are used as they are", "q~ = gamma_q o q", rows_with(raw_queries)));
}

void add_softmax(std::vector<Defect>& all) {
  using enum BugClass;
  all.push_back(entry("logit_no_root_d", layout, "1/sqrt(K) is left out of the logits", "z = tau q~.k~",
                      of_inputs(no_root_of_K)));
  all.push_back(entry("logit_root_d_twice", layout, "1/sqrt(K) is applied twice", "z = tau q~.k~ / K",
                      of_inputs(root_of_K_twice)));
  all.push_back(entry("tau_lost", layout, "tau is left out of the logits", "z = q~.k~ / sqrt(K)", of_inputs(tau_lost),
                      Needs::tau));
  all.push_back(entry("sink_missing", miscompile, "the sum of the weights leaves the sink out",
                      "Z = sum_j e^{z_j}", of_inputs(sink_missing)));
  all.push_back(entry("sink_0", miscompile, "the sink's logit is 0 instead of its own", "Z = 1 + sum_j e^{z_j}",
                      of_inputs(sink_0)));
  all.push_back(entry("sink_head_0", layout, "all heads have the sink of the first", "sink of head 0",
                      of_inputs(sink_of_head_0), Needs::two_heads));
  all.push_back(entry("sink_value", uninitialised, "the sink has the value of the first entry, not 0",
                      "e^{sink} v_0 + sum_j e^{z_j} v_j", sink_has_value()));
  all.push_back(entry("softmax_no_shift", precision, "exponents are taken without their maximum", "e^{z_j}",
                      softmax_without_shift()));
  all.push_back(entry("softmax_no_rescale", miscompile, "what was summed is not rescaled when the maximum rises", "r = 1",
                      softmax_without_rescaling()));
  all.push_back(entry("softmax_no_division", miscompile, "weights are not divided by their sum", "sum_j e^{z_j - m} v_j",
                      softmax_without_division()));
  all.push_back(entry("value_head", layout, "values of the head whose number the key's head has", "v of head h / (HV/H)",
                      of_inputs(values_of_key_head), Needs::grouped_heads));
  all.push_back(entry("value_before", miscompile, "an entry is read with the value of the token before", "v_{j-1}",
                      of_inputs(values_of_token_before), Needs::two_tokens));
}

void add_gate(std::vector<Defect>& all) {
  using enum BugClass;
  all.push_back(entry("gate_no_sigmoid", gates, "the read is weighed with the gate, without its sigmoid",
                      "o = scale S^T q + gate o_cache", gate_as(itself)));
  all.push_back(entry("gate_exp", gates, "the read is weighed with e^gate", "e^gate o_cache", gate_as(exponential)));
  all.push_back(entry("gate_negated", gates, "the gate has the wrong sign", "sigmoid(-gate)", gate_as(negated)));
  all.push_back(entry("gate_open", gates, "the read is added as it is", "s = 1", gate_as(open)));
  all.push_back(entry("gate_shut", gates, "the read is left out", "s = 0", gate_as(shut)));
  all.push_back(entry("gate_head_0", layout, "all heads have the gate of the first", "gate of head 0",
                      of_inputs(gate_of_head_0), Needs::two_heads));
  all.push_back(entry("gate_mixes", gates, "the gate takes from the state's output what it gives to the cache",
                      "(1 - s) scale S^T q + s o_cache", mixed_outputs()));
}

}  // namespace

std::vector<Defect> cache_read_defects() {
  std::vector<Defect> all;
  add_entries(all);
  add_rows(all);
  add_softmax(all);
  add_gate(all);
  return all;
}

}  // namespace deltaproof
