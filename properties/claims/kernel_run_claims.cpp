// What one run of a kernel says of another: cut in two, cut short, repeated, made by another kernel.
#include <fmt/format.h>

#include <memory>

#include "properties/claims/kernel_claims.hpp"
#include "properties/claims/kernel_pairs.hpp"
#include "properties/claims/kernel_problems.hpp"
#include "properties/defects/catalogue.hpp"
#include "properties/defects/defect_kernel.hpp"

namespace deltaproof::claims {
namespace {

constexpr const char* method =
    "kernels emulated to the bit, none loaded or run on a GPU: every wanted token of 48 drawn problems of 2 to 48 "
    "tokens, chunks of 16, rule gated_delta, bf16; no proof for other problems";
constexpr const char* two_kernels = "of the emulation of fla-chunk and deltaproof-chunk";

bool anywhere(std::int64_t) { return true; }
bool on_chunks(std::int64_t at) { return at % claim_chunk == 0; }
bool at_first(std::int64_t at) { return at == 1; }

Source of(const char* place) { return {"kernels", place, ""}; }
Source read_into(const char* place) { return {"kernels", place, "", Voice::reading}; }

// The first that does not hold, or the last.
Check all_of(std::vector<Check> checks) {
  return [checks = std::move(checks)](const Effort& effort) {
    Result result;
    std::int64_t cases = 0;
    for (const Check& check : checks) {
      result = check(effort);
      cases += result.cases;
      if (result.outcome != Outcome::holds) break;
    }
    result.cases = cases;
    return result;
  };
}

using Make = std::function<MakePair(const Run&)>;

Check both_chunk_kernels(const Make& make, const WantedToken& wanted) {
  return all_of({same_bits_check(make(kernel("fla-chunk")), wanted),
                 same_bits_check(make(kernel("deltaproof-chunk")), wanted)});
}

MakePair split_in_fp32(const Run& run) { return split(run); }
MakePair split_in_bf16(const Run& run) { return split(run, Dtype::bf16); }

// If it is only without an initial state that it does not hold, that is the condition.
Check recurrent_check(const Make& make) {
  const Check given = all_of({same_bits_check(make(kernel("deltaproof-recurrent")), anywhere),
                              same_bits_check(make(kernel("deltaproof-recurrent")), anywhere, false),
                              same_bits_check(make(kernel("fla-recurrent")), anywhere)});
  const Check absent = same_bits_check(make(kernel("fla-recurrent")), anywhere, false);
  return [=](const Effort& effort) {
    Result with = given(effort);
    if (with.outcome != Outcome::holds) return with;
    Result without = absent(effort);
    without.cases += with.cases;
    if (without.outcome == Outcome::holds) return without;
    without.outcome = Outcome::conditional;
    without.condition = "the run is given an initial state, if only of zeros; deltaproof-recurrent does not need it";
    without.finding = fmt::format("{}, of fla-recurrent without an initial state; none of {} others", without.finding,
                                  with.cases);
    return without;
  };
}

// Changes a bit of every third answer.
Run forgetful(const Run& run) {
  const auto calls = std::make_shared<int>(0);
  return [run, calls](const Problem& problem) {
    Outputs outputs = run(problem);
    if (++*calls % 3 == 0) outputs.tensors.at("o").bytes.front() ^= std::byte{1};
    return outputs;
  };
}

Run with_defect(const char* id) {
  const auto defective = std::make_shared<DefectKernel>(find_defect(id), "deltaproof-chunk");
  return [defective](const Problem& problem) { return defective->run(problem); };
}

// A run is its own twin: what a `forgetful` kernel counts begins anew with every check.
Check repeats_check(const std::function<Run()>& make) {
  return [make](const Effort& effort) { return same_bits_check(repeated(make()), on_chunks)(effort); };
}

Claim split_on_grid() {
  return {"kernels.split_on_chunks", of("docs/properties.md, split_on_chunks"),
          "A chunk kernel's run cut between two chunks, with the fp32 state handed on, gives the bits of one run.",
          two_kernels, method, both_chunk_kernels(split_in_fp32, on_chunks),
          {{"cut after any token", Outcome::refuted, both_chunk_kernels(split_in_fp32, anywhere)},
           {"with the state handed on in bf16", Outcome::refuted, both_chunk_kernels(split_in_bf16, on_chunks)}}};
}

Claim split_off_grid() {
  return {"kernels.split_anywhere", read_into("tests that feed a kernel in pieces"),
          "A chunk kernel's run cut after any token, with the fp32 state handed on, gives the bits of one run.",
          two_kernels, method, both_chunk_kernels(split_in_fp32, anywhere),
          {{"cut between two chunks, with the fp32 state handed on, it does", Outcome::holds,
            both_chunk_kernels(split_in_fp32, on_chunks)},
           {"cut after any token, with the state handed on in bf16", Outcome::refuted,
            both_chunk_kernels(split_in_bf16, anywhere)}}};
}

Claim split_recurrent() {
  return {"kernels.split_recurrent", of("docs/properties.md, split_on_chunks"),
          "A token recurrence cut after any token, with the fp32 state handed on, gives the bits of one run.",
          "of the emulation of fla-recurrent and deltaproof-recurrent", method, recurrent_check(split_in_fp32),
          {{"with the state handed on in bf16", Outcome::refuted, recurrent_check(split_in_bf16)}}};
}

Claim prefix_outputs() {
  const auto defective = [](const Run&) { return prefix(with_defect("P_future_ij")); };
  return {"kernels.prefix_outputs", of("docs/properties.md, later_ignored"),
          "The rows of o of the first P tokens are, to the bit, those of a run of the first P tokens.", two_kernels,
          method, both_chunk_kernels(prefix, anywhere),
          {{"also of a kernel in which a token reads the next one (P_future_ij)", Outcome::refuted,
            both_chunk_kernels(defective, anywhere)}}};
}

Claim prefix_states() {
  const auto check = [](std::int64_t short_by) {
    return all_of({same_bits_check(prefix_state("fla-chunk", short_by), on_chunks),
                   same_bits_check(prefix_state("deltaproof-chunk", short_by), on_chunks)});
  };
  return {"kernels.prefix_states", of("golden/README.md; docs/recording.md"),
          "The state between two chunks of a run is, to the bit, the final state of a run of the tokens before.",
          two_kernels, method, check(0),
          {{"of a run of one token less", Outcome::refuted, check(1)}}};
}

Claim repeats() {
  const auto of_kernel = [](const char* name) { return repeats_check([name] { return kernel(name); }); };
  return {"kernels.repeats", of("docs/properties.md, second_call"),
          "A kernel gives the same bits for the same input whatever ran before.",
          "of the emulation of declared orders of operations. That a GPU keeps its bits is measured, not proved "
          "(docs/gpu-results.md); no input was recorded twice, so recordings say nothing of it", method,
          all_of({of_kernel("fla-chunk"), of_kernel("deltaproof-chunk"), of_kernel("fla-recurrent")}),
          {{"also of a kernel that changes one bit of every third run", Outcome::refuted,
            repeats_check([] { return forgetful(kernel("deltaproof-chunk")); })}}};
}

Claim one_answer() {
  const auto pair = [](const char* one, const char* other) {
    return same_bits_check(of_two(kernel(one), kernel(other)), at_first);
  };
  return {"kernels.one_answer", read_into("tests of one kernel against another"),
          "Two right kernels of one rule give the same bits.", "of the emulation; the same inputs in the same types", method,
          pair("deltaproof-chunk", "deltaproof-recurrent"),
          {{"a kernel and itself do", Outcome::holds, pair("deltaproof-chunk", "deltaproof-chunk")},
           {"two token recurrences, of flash-linear-attention and of this repository, do", Outcome::refuted,
            pair("fla-recurrent", "deltaproof-recurrent")}}};
}

}  // namespace

std::vector<Claim> kernel_run_claims() {
  return {split_on_grid(), split_off_grid(), split_recurrent(), prefix_outputs(), prefix_states(), repeats(),
          one_answer()};
}

}  // namespace deltaproof::claims
