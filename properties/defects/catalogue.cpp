#include "properties/defects/catalogue.hpp"

#include <algorithm>
#include <stdexcept>

#include "properties/defects/tables.hpp"

namespace deltaproof {
namespace {

bool has_two_chunks(const Problem& problem) {
  const auto& sequences = problem.sequences();
  return std::all_of(sequences.begin(), sequences.end(), [&](const Sequence& s) {
    return s.state_row < 0 || s.length > problem.options().chunk_size;
  });
}

// Cases of the KLA rule bring the eta that their beta was formed from.
bool has_eta(const Problem& problem) {
  return std::find(problem.unused().begin(), problem.unused().end(), "eta") != problem.unused().end();
}

std::string missing(Needs needs, const Problem& problem) {
  const Dimensions& d = problem.dims();
  switch (needs) {
    case Needs::nothing: return {};
    case Needs::two_heads: return d.HV > 1 ? "" : "there is one value head";
    case Needs::two_chunks: return has_two_chunks(problem) ? "" : "some sequence has one chunk alone";
    case Needs::two_columns: return d.V > 1 ? "" : "there is one value channel";
    case Needs::square_state: return d.K == d.V ? "" : "a state with K other than V has no transpose of its shape";
    case Needs::kla: return has_eta(problem) ? "" : "beta was not formed from an eta and |k|^2";
  }
  throw std::logic_error("unknown need of a defect");
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
  }
  throw std::logic_error("unknown stage of a defect");
}

const std::vector<Defect>& defect_catalogue() {
  static const std::vector<Defect> all = [] {
    std::vector<Defect> defects = output_defects();
    const std::vector<Defect> others = kernel_defects();
    defects.insert(defects.end(), others.begin(), others.end());
    return defects;
  }();
  return all;
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
  if (problem.options().arithmetic != "fla-chunk") return "the arithmetic is not fla-chunk";
  if (problem.find("cu_seqlens") != nullptr) return "sequences are packed";
  if (problem.options().qk_l2norm != L2Norm::none) return "the kernel normalises rows, in an unknown order";
  return missing(defect.needs, problem);
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
