#include "recordings.hpp"

#include <cctype>
#include <sstream>

namespace deltaproof {

CaseFile recording(const std::string& name) {
  return read_case(std::string(DELTAPROOF_SOURCE_DIR "/golden/recorded/") + name + ".safetensors");
}

const std::vector<std::string>& all_recordings() {
  static const std::vector<std::string> names = {"delta_backward_states",
                                                 "delta_chunk_bf16",
                                                 "gdn_backward_bf16_a",
                                                 "gdn_backward_gva",
                                                 "gdn_backward_states",
                                                 "gdn_chunk_bf16",
                                                 "gdn_chunk_bf16_K96_V32",
                                                 "gdn_chunk_bf16_l2norm_zero_key",
                                                 "gdn_chunk_bf16_strong_decay",
                                                 "gdn_chunk_bf16_varlen_gva",
                                                 "gdn_chunk_fp16",
                                                 "gdn_chunk_fp32",
                                                 "gdn_decode_bf16_B16",
                                                 "gdn_recurrent_bf16_T200",
                                                 "gdn_recurrent_fp32",
                                                 "gla_chunk_bf16",
                                                 "kda_chunk_bf16",
                                                 "kla_chunk_bf16_T300",
                                                 "kla_official_chunk_bf16_T256",
                                                 "kla_trained_layer0_T512",
                                                 "mamba2_chunk_bf16"};
  return names;
}

Verdict judge(const CaseFile& file, const Outputs& outputs, const AccuracyOptions& options) {
  return judge(file.problem, outputs, options);
}

Verdict judge(const Problem& problem, const Outputs& outputs, const AccuracyOptions& options) {
  return check_accuracy(problem, GivenOutputs(problem.options().arithmetic, outputs), options);
}

Verdict judge_by_bound_alone(const Problem& problem, const Outputs& outputs) {
  AccuracyOptions options;
  options.conformity = false;
  return judge(problem, outputs, options);
}

std::string describe(const Verdict& verdict) {
  std::ostringstream text;
  text << status_name(verdict.status) << " by " << verdict.bound << " (" << verdict.reason
       << "); worst " << verdict.worst_ratio << " at " << to_string(verdict.worst) << "; value "
       << verdict.value << ", expected " << verdict.expected << ", bound " << verdict.bound_value;
  if (verdict.has_first_bad) text << "; first bad at " << to_string(verdict.first_bad);
  for (const BoundTerm& term : verdict.terms) text << "\n  " << term.name << ": " << term.value;
  return text.str();
}

std::string as_test_name(std::string text) {
  for (char& c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return text;
}

}  // namespace deltaproof
