#include "properties/claims/kla_count.hpp"
#include "properties/claims/kla_figure_checks.hpp"
#include "properties/claims/kla_parts.hpp"
#include "properties/claims/kla_search.hpp"

namespace deltaproof::claims {
namespace {

using Text = std::string;

Source section() { return {"kla", "Section 5.4, Fig. 3", "7, 9"}; }

Claim prefill() {
  return {"kla.prefill",
          derived(section()),
          "prefill at 131K: KLA takes 0.57 % less time than GDN",
          "",
          figure_method,
          bound(percent_more_is, Text("prefill.kla"), Text("prefill.gdn"), Text("-0.57")),
          {{"it takes 5.7 % less", Outcome::refuted,
            bound(percent_more_is, Text("prefill.kla"), Text("prefill.gdn"), Text("-5.7"))}}};
}

Claim prefill_mamba2() {
  return {"kla.prefill-mamba2",
          derived(section()),
          "prefill at 131K: KLA takes 36.98 % less time than Mamba2",
          "",
          figure_method,
          bound(percent_more_is, Text("prefill.kla"), Text("prefill.mamba2"), Text("-36.98")),
          {{"it takes 58.69 % less (that is of KLA's)", Outcome::refuted,
            bound(percent_more_is, Text("prefill.kla"), Text("prefill.mamba2"), Text("-58.69"))}}};
}

Claim decode() {
  return {"kla.decode-ratio",
          derived(section()),
          "decode at 32K: KLA makes 2.15 times as many tokens a second as GDN",
          "",
          figure_method,
          bound(ratio_is, Text("decode.kla"), Text("decode.gdn"), Text("2.15")),
          {{"2.51 times", Outcome::refuted, bound(ratio_is, Text("decode.kla"), Text("decode.gdn"), Text("2.51"))}}};
}

Claim decode_as_printed() {
  return {"kla.decode-ratio-printed",
          section(),
          "the ratio that the text has, about 2.1, is that of its figures",
          "",
          figure_method,
          bound(ratio_is, Text("decode.kla"), Text("decode.gdn"), figure("kla", "decode.ratio").text),
          {{"the ratio is about 2.3", Outcome::refuted,
            bound(ratio_is, Text("decode.kla"), Text("decode.gdn"), Text("2.3"))}}};
}

Claim decode_mamba2() {
  return {"kla.decode-mamba2",
          derived(section()),
          "decode at 32K: KLA makes 1.69 times as many tokens a second as Mamba2",
          "",
          figure_method,
          bound(ratio_is, Text("decode.kla"), Text("decode.mamba2"), Text("1.69")),
          {{"1.59 times", Outcome::refuted, bound(ratio_is, Text("decode.kla"), Text("decode.mamba2"), Text("1.59"))}}};
}

Claim reciprocal(const char* id, const char* name, const Text& key, const Text& ms, const Text& wrong) {
  return {id,
          derived(section()),
          fmt::format("decode at 32K: a token of {} takes {} ms, the reciprocal of its throughput", name, ms),
          "",
          figure_method,
          bound(milliseconds_are, key, ms),
          {{fmt::format("it takes {} ms", wrong), Outcome::refuted, bound(milliseconds_are, key, wrong)}}};
}

struct Speedup {
  Text low, high;
};

/// The ratio that the products of the two steps would give, against one that is claimed.
Result from_step_size(const Effort&, const Speedup& says) {
  const Rational kla(recurrence_work(Rule::kaczmarz, 128, 128, 1).products);
  const Rational gdn(recurrence_work(Rule::gated_delta, 128, 128, 1).products);
  const Rational ratio = gdn / kla;
  Result found;
  found.cases = 1;
  found.numbers = {{"products of a KLA token", text(kla)},
                   {"products of a GDN token", text(gdn)},
                   {"speed that they give", decimal(ratio, 4)}};
  found.finding = fmt::format(
      "a KLA token makes {} products and a GDN token {}, on a state of the same size: the speed is "
      "{} times GDN's",
      text(kla), text(gdn), decimal(ratio, 4));
  const bool within = printed(says.low).range.low <= ratio && ratio <= printed(says.high).range.high;
  found.outcome = within ? Outcome::holds : Outcome::refuted;
  if (!within) {
    found.counterexample =
        Counterexample{{{"dk", "128"}, {"dv", "128"}, {"products of KLA", text(kla)}, {"products of GDN", text(gdn)}},
                       fmt::format("the speed is {} times GDN's", decimal(ratio, 4))};
  }
  return found;
}

Claim step_size_speed() {
  return {"kla.decode-from-step-size",
          reading(section()),
          "the new step size makes decoding 2.15 times as fast: it follows from the step, kernels "
          "and states being alike",
          "same kernel, same state layout",
          "the products of both recurrences are counted for dk = dv = 128; time is taken to be "
          "proportional to them",
          bound(from_step_size, Speedup{"2.15", "2.15"}),
          {{"the step leaves the speed within 1 %", Outcome::holds, bound(from_step_size, Speedup{"0.99", "1.01"})},
           {"the step makes decoding at least 1.69 times as fast", Outcome::refuted,
            bound(from_step_size, Speedup{"1.69", "99"})}}};
}

/// Shares of GDN's time that a recurrent step common to both can take: no more than KLA's whole
/// time.
Result step_share(const Effort&, const Range& says) {
  const Rational ours = 1 / figure("kla", "decode.kla").value, theirs = 1 / figure("kla", "decode.gdn").value;
  const Rational kla(recurrence_work(Rule::kaczmarz, 128, 128, 1).products);
  const Rational gdn(recurrence_work(Rule::gated_delta, 128, 128, 1).products);
  const Rational most = ours / theirs * gdn / kla;
  Result found;
  found.cases = 1;
  found.numbers = {{"smallest share of the step in GDN's time", "0"}, {"largest", decimal(most, 4)}};
  found.finding = fmt::format(
      "with a step that costs both the same (KLA 1.002 times), the step is between 0 and {} of "
      "GDN's decode time; what else is timed is not published",
      decimal(most, 3));
  if (says.low <= 0 && most <= says.high) {
    found.outcome = Outcome::holds;
  } else if (says.low > most || says.high < 0) {
    found.outcome = Outcome::refuted;
    found.counterexample = Counterexample{
        {{"tokens/s of KLA", figure("kla", "decode.kla").text}, {"tokens/s of GDN", figure("kla", "decode.gdn").text}},
        fmt::format("the share is at most {}", decimal(most, 4))};
  }
  return found;
}

Claim step_time() {
  const Rational half(1, 2);
  return {"kla.decode-cause",
          reading(section()),
          "the measured decode gain is one of the recurrent step: the step takes a tenth or more "
          "of GDN's time a token",
          "same kernel, same state layout",
          "the range of shares that the two published throughputs leave, if the step costs both "
          "the same; what is timed "
          "besides (recomputation, caches) is not published",
          bound(step_share, Range{Rational(1, 10), 1}),
          {{"the step takes more than half of GDN's time a token", Outcome::refuted, bound(step_share, Range{half, 1})},
           {"the step takes less than half of GDN's time a token", Outcome::holds, bound(step_share, Range{0, half})}}};
}

/// Time to read and write all fp32 states once, as a share of the time a token takes.
Result traffic_share(const Effort&, const Rational& bytes_a_second, const Range& says) {
  const auto of = [](const char* key) { return figure("kla", key).value; };
  const Rational bytes = of("model.layers") * of("model.heads") * of("model.head_dim") * of("model.head_dim") * 4 * 2;
  const Rational share = bytes / bytes_a_second * of("decode.kla");
  Result found;
  found.cases = 1;
  found.numbers = {{"bytes of state moved a token", text(bytes)},
                   {"bytes a second that would fill the time", decimal(bytes * of("decode.kla"), 0)},
                   {"share of a token's time", decimal(share, 7)}};
  found.finding = fmt::format(
      "all states of a token, read and written, are {} bytes; moving them takes {} % of a token's "
      "time",
      text(bytes), decimal(100 * share, 4));
  const bool within = says.low <= share && share <= says.high;
  found.outcome = within ? Outcome::holds : Outcome::refuted;
  if (!within) {
    found.counterexample = Counterexample{
        {{"bytes", text(bytes)}, {"tokens/s", figure("kla", "decode.kla").text}, {"bytes/s", text(bytes_a_second)}},
        fmt::format("it takes {} % of the time", decimal(100 * share, 4))};
  }
  return found;
}

Claim state_traffic() {
  const Rational terabyte(1000000000000);
  return {"kla.decode-state-traffic",
          {"kla", "Section 5.1; Section 5.4, Fig. 3; Appendix C", "6, 7, 9, 18", Voice::reading},
          "at 3.54 tokens/s moving the states takes at least 1 % of a token's time",
          "24 layers, 8 heads, 128 x 128 states in fp32, batch 1; a GPU that moves at least 10^12 "
          "bytes a second (an A100 "
          "80GB is documented with more)",
          "arithmetic on the published shape and throughput",
          bound(traffic_share, terabyte, Range{Rational(1, 100), 1}),
          {{"it takes less than 0.01 %", Outcome::holds, bound(traffic_share, terabyte, Range{0, Rational(1, 10000)})},
           {"it takes half of it", Outcome::refuted, bound(traffic_share, terabyte, Range{Rational(1, 2), 1})}}};
}

}  // namespace

std::vector<Claim> kla_speed_claims() {
  return {prefill(),
          prefill_mamba2(),
          decode(),
          decode_as_printed(),
          decode_mamba2(),
          reciprocal("kla.decode-ms-kla", "KLA", "decode.kla", "282", "354"),
          reciprocal("kla.decode-ms-gdn", "GDN", "decode.gdn", "606", "165"),
          reciprocal("kla.decode-ms-mamba2", "Mamba2", "decode.mamba2", "476", "210"),
          step_size_speed(),
          step_time(),
          state_traffic()};
}

}  // namespace deltaproof::claims
