#include "properties/accuracy/conclude.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "properties/accuracy/fitting.hpp"
#include "reference/arithmetic/emulate.hpp"
#include "reference/arithmetic/pin.hpp"
#include "reference/arithmetic/texts.hpp"

namespace deltaproof {
namespace {

// Names the declarations that fit in the report; returns the sentence about them.
std::string name_fits(const ConformityContext& context, const std::vector<Unit>& units, const Conformity& conformity,
                      bool by_bits, const AccuracyOptions& options, ConformityReport& report) {
  if (!options.name_fits) return "which one would fit was not asked for";
  const Fits fits = declarations_that_fit(context, units, conformity, by_bits, options.threads);
  for (const Fit& fit : fits.found) {
    std::string text = fit.description + ": no value outside PIN";
    if (context.bits) {
      text += fmt::format(", bits: {} of {} differ", fit.conformity.bits.unequal, fit.conformity.bits.compared);
    }
    report.fits.push_back(std::move(text));
  }
  if (!report.fits.empty()) return "would fit: " + fmt::format("{}", fmt::join(report.fits, "; or "));
  if (fits.cut_short) return "the search for a declaration that fits was cut short on so long a run: it found none";
  return "no declaration within three choices of it fits";
}

bool rejects_every_probe(const std::vector<Probe>& probes) {
  return std::none_of(probes.begin(), probes.end(), [](const Probe& probe) { return probe.accepted; });
}

void pass_although(const std::string& why, Verdict& verdict) {
  verdict.status = Status::passed;
  verdict.notes.push_back(verdict.bound + " alone says nothing (" + verdict.reason + "); " + why);
  verdict.reason.clear();
  verdict.terms.clear();
}

// The smaller of two bounds says something where either does; equal bits are a bound of zero.
void join_bounds(const ConformityContext& context, const Comparison& comparison, const Conformity& conformity,
                 Verdict& verdict) {
  if (comparison.compared == 0) return;
  const bool every_bit = context.reads != nullptr ? conformity.bits.compared > 0
                                                  : conformity.bits.compared == comparison.compared;
  if (every_bit && conformity.bits.unequal == 0) {
    pass_although("but every bit is that of the declared order of roundings", verdict);
    return;
  }
  if (conformity.pin.compared != comparison.compared) return;
  if (comparison.unbounded > 0 && conformity.pin.unbounded > 0) return;
  const bool every_value = conformity.pin.unbounded == 0;
  const auto probes = comparison.unbounded > 0 ? conformity.pin.probes() : comparison.probes_with(conformity.pin);
  if (!rejects_every_probe(probes) || !(every_value || comparison.unbounded == 0)) return;
  pass_although("the sets of the declared order of roundings reject every wrong answer tried", verdict);
  verdict.probes = probes;
}

// "hopper"; "fp32" for texts that use no tensor core.
std::string emulated_hardware(const Declared& declared) {
  const auto& choices = find_text(declared.text)->choices;
  if (std::find(choices.begin(), choices.end(), "mma") == choices.end()) return "fp32";
  return declared.mma == "any" ? "hopper" : declared.mma;
}

}  // namespace

ConformityContext conformity_context(const Problem& problem, const Outputs& outputs, const Declared& declared) {
  return {problem, outputs, resolve_for(problem, outputs, declared),
          no_pin(declared, problem.options()).empty(), no_emulation(declared, problem).empty()};
}

void report_conformity(const Declared& declared, const ConformityContext& context, const Conformity& conformity,
                       Verdict& verdict) {
  const Options& options = context.problem.options();
  ConformityReport report;
  report.declaration = describe_declared(declared, options.rule);
  report.layout = difference(declared, context.resolved.declared);
  if (context.pin) report.pin = states_hold_fp32(context.outputs) ? "PIN" : "PIN (carried)";
  if (context.bits) report.bits = emulated_hardware(declared);
  for (const std::string& why : {no_pin(declared, options), no_emulation(declared, context.problem)}) {
    if (!why.empty()) report.missing.push_back(why);
  }
  report.pin_compared = conformity.pin.compared;
  report.pin_violations = conformity.pin.violations;
  report.pin_unknown = conformity.pin.unbounded;
  report.pin_unambiguous = conformity.unambiguous;
  report.has_pin_first_bad = conformity.pin.first_bad.found;
  report.pin_first_bad = conformity.pin.first_bad.location;
  report.bits_compared = conformity.bits.compared;
  report.bits_unequal = conformity.bits.unequal;
  report.bits_first = conformity.bits.first;
  verdict.conformity = std::move(report);
}

void conclude(const ConformityContext& context, const std::vector<Unit>& units, const Comparison& comparison,
              const Conformity& conformity, const AccuracyOptions& options, Verdict& verdict) {
  if (verdict.status == Status::failed || verdict.status == Status::nonconforming) return;
  ConformityReport& report = *verdict.conformity;
  if (conformity.pin.violations > 0) {
    const std::string fits = name_fits(context, units, conformity, false, options, report);
    verdict.status = Status::nonconforming;
    verdict.reason = fmt::format("not the declared order of roundings ({}): {} of {} values lie outside what it "
                                 "can give, the first at {}; {}",
                                 report.declaration, report.pin_violations, report.pin_compared,
                                 to_string(report.pin_first_bad), fits);
    return;
  }
  if (verdict.status == Status::uninformative) join_bounds(context, comparison, conformity, verdict);
  if (verdict.status != Status::passed || conformity.bits.unequal == 0) return;
  const bool normalises = context.resolved.normalises_q || context.resolved.normalises_k;
  if (normalises && context.resolved.declared.norm_sum == NormSum::unknown) {
    verdict.notes.push_back(fmt::format("{} of {} bits differ from the emulation, which says nothing here: how a kernel "
                                        "normalises rows itself is not known to the bit",
                                        report.bits_unequal, report.bits_compared));
    return;
  }
  // o holds the read, too, and no declaration says how the cache is read.
  const bool states_agree = context.reads != nullptr && report.bits_first.row < 0;
  const std::string fits = states_agree ? "other declarations can be tried on states alone, whose bits agree"
                                        : name_fits(context, units, conformity, true, options, report);
  verdict.status = Status::suspect;
  verdict.reason = fmt::format("bits: {} of {} differ from the emulation of {} on {}, the first at {}, although "
                               "all lie within its sets: an order of sums, a tensor core or an instruction is not "
                               "the declared one; {}",
                               report.bits_unequal, report.bits_compared, report.declaration, report.bits,
                               to_string(report.bits_first), fits);
}

}  // namespace deltaproof
