#include "properties/defects/catalogue.hpp"

#include <algorithm>
#include <stdexcept>

#include "properties/defects/tables.hpp"

namespace deltaproof {
namespace {

void append(const std::vector<Defect>& part, std::vector<Defect>& all) {
  all.insert(all.end(), part.begin(), part.end());
}

}  // namespace

const char* stage_name(Stage stage) {
  switch (stage) {
    case Stage::output: return "output";
    case Stage::gates: return "gates";
    case Stage::solve: return "solve";
    case Stage::values: return "values";
    case Stage::state: return "state";
    case Stage::attention: return "attention";
    case Stage::channels: return "channels";
    case Stage::reading: return "reading";
    case Stage::norms: return "norms";
    case Stage::layout: return "layout";
    case Stage::sequences: return "sequences";
    case Stage::slots: return "slots";
    case Stage::tail: return "tail";
    case Stage::selection: return "selection";
    case Stage::cache_read: return "cache read";
    case Stage::none: return "none";
  }
  throw std::logic_error("unknown stage of a defect");
}

const std::vector<Defect>& defect_catalogue() {
  static const std::vector<Defect> all = [] {
    std::vector<Defect> defects;
    for (const auto part : {output_defects, kernel_defects, gate_defects, step_defects, carry_defects, solve_defects,
                            norm_defects, layout_defects, sequence_defects, slot_defects, tail_defects,
                            precision_defects, score_defects, selection_defects, cache_read_defects,
                            control_defects}) {
      append(part(), defects);
    }
    return defects;
  }();
  return all;
}

std::span<const Defect> recording_defects() {
  static const std::size_t count = output_defects().size() + kernel_defects().size();
  return std::span(defect_catalogue()).first(count);
}

const Defect* find_defect(std::string_view id) {
  const auto& all = defect_catalogue();
  const auto found = std::find_if(all.begin(), all.end(), [id](const Defect& defect) { return defect.id == id; });
  return found == all.end() ? nullptr : &*found;
}

std::string why_not(const Defect& defect, const Problem& problem, const Outputs& outputs) {
  for (const char* tensor : {"o", "final_state", "chunk_states"}) {
    if (outputs.find(tensor) == nullptr) return std::string("there is no '") + tensor + "'";
  }
  if (std::holds_alternative<WrongRun>(defect.edit)) return "a wrong run is made anew, not of a recorded one";
  const std::optional<Declared> declared = built_in(problem.options().arithmetic, problem.options().rule);
  if (!declared) return "the arithmetic has no declared order of roundings";
  if (std::string why = no_emulation(*declared, problem); !why.empty()) return why;
  return why_not(defect, problem, *declared);
}

std::string why_not(const Defect& defect, const Problem& problem, const Declared& declared) {
  if (std::string lack = missing(defect.needs, problem); !lack.empty()) return lack;
  const bool cached = problem.options().rule == Rule::hola;
  if (std::holds_alternative<HolaFault>(defect.edit)) return cached ? "" : "there is no cache";
  const auto* fault = std::get_if<MakeFault>(&defect.edit);
  if (fault == nullptr) return cached ? "in a kernel with a cache, defects of its arithmetic alone are tried" : "";
  Generator draw(1, {});
  return is_in((*fault)(problem.state_part(), draw), declared)
             ? ""
             : "a kernel of text " + declared.text + " has no such place";
}

bool same_bits(const Outputs& x, const Outputs& y) {
  const auto same = [](const auto& a, const auto& b) {
    return a.first == b.first && a.second.bytes == b.second.bytes;
  };
  return std::equal(x.tensors.begin(), x.tensors.end(), y.tensors.begin(), y.tensors.end(), same);
}

Outputs with_defect(const Defect& defect, const Problem& problem, const Outputs& right, const FaultyKernel& kernel,
                    std::uint64_t seed, std::uint64_t place) {
  Generator draw(seed, {place});
  if (const auto* fault = std::get_if<MakeFault>(&defect.edit)) return kernel.run((*fault)(problem, draw));
  Outputs damaged = right;
  std::get<DamageOutputs>(defect.edit)(problem, damaged, draw);
  return damaged;
}

}  // namespace deltaproof
