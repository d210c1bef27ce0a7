#include "properties/defects/defect_kernel.hpp"

#include <utility>

#include <fmt/format.h>

#include "kernels/built_in/capabilities.hpp"
#include "properties/accuracy/emulated_hola.hpp"
#include "reference/arithmetic/hola_bits.hpp"
#include "properties/defects/catalogue.hpp"
#include "properties/defects/faulty_head.hpp"

namespace deltaproof {
namespace {

// "chunk", "recurrent": the built-in kernel of the arithmetic, if it has one.
std::string kernel_name(const std::string& order) {
  for (const BuiltInInfo& kernel : built_in_kernels()) {
    if (!order.empty() && (kernel.arithmetic == order || kernel.name == order)) return std::string(kernel.name);
  }
  return order;
}

std::string arithmetic_name(const std::string& order) {
  const BuiltInInfo* kernel = find_built_in_kernel(order);
  return kernel == nullptr ? order : std::string(kernel->arithmetic);
}

}  // namespace

DefectKernel::DefectKernel(const Defect* defect, std::string order, std::uint64_t seed, std::uint64_t place)
    : defect_(defect), arithmetic_(arithmetic_name(order)), kernel_(kernel_name(order)), seed_(seed), place_(place) {}

std::string DefectKernel::name() const {
  return defect_ == nullptr ? kernel_ : fmt::format("{} with {}", kernel_, defect_->id);
}

std::string DefectKernel::refusal_without_defect(const Problem& problem) const {
  if (const BuiltInInfo* info = find_built_in_kernel(kernel_)) return refusal_of(*info, problem);
  const std::string_view rule = rule_info(problem.options().rule).name;
  const std::optional<Declared> declared = built_in(arithmetic_, problem.options().rule);
  if (!declared) return fmt::format("{}: rule {} has no declared order of roundings", kernel_, rule);
  for (const char* tensor : {"q", "k", "v"}) {
    if (problem.find(tensor)->dtype == Dtype::f64) return fmt::format("{}: {} in F64 is not computed", kernel_,
    tensor);
  }
  const std::string why = no_emulation(*declared, problem);
  return why.empty() ? why : fmt::format("{}: {}", kernel_, why);
}

Declared DefectKernel::declared_for(const Problem& problem) const {
  return built_in(arithmetic_, state_rule(problem.options()).rule).value();
}

std::string DefectKernel::refusal(const Problem& problem) const {
  if (std::string why = refusal_without_defect(problem); !why.empty() || defect_ == nullptr) return why;
  const std::string why = why_not(*defect_, problem, declared_for(problem));
  return why.empty() ? why : fmt::format("{}: says nothing here: {}", name(), why);
}

Outputs DefectKernel::run_with(const Fault& fault, const Problem& problem) const {
  if (problem.options().rule == Rule::hola) return run_with(fault, {}, problem);
  const Declared declared = declared_for(problem);
  const auto run = [&](const Sequence& sequence, std::int64_t head) {
    return run_head(fault, problem, declared, sequence, head);
  };
  return assembled_outputs(problem, run, false);
}

Outputs DefectKernel::run_with(const Fault& fault, const HolaFault& of_cache, const Problem& problem) const {
  const Problem part = problem.state_part();
  const Declared declared = declared_for(problem);
  if (of_cache.written) return emulated_hola(problem, of_cache, hola_state(part, declared, of_cache), true);
  const auto run = [&](const Sequence& sequence, std::int64_t head) {
    return run_head(fault, part, declared, sequence, head);
  };
  return emulated_hola(problem, of_cache, run, true);
}

bool DefectKernel::has_scores(const Problem& problem) const try {
  if (problem.options().rule == Rule::hola) run_with({}, problem);
  return true;
} catch (const UnrankedScore&) {
  return false;
}

Outputs DefectKernel::run(const Problem& problem) const {
  if (const std::string why = refusal_without_defect(problem); !why.empty()) throw std::runtime_error(why);
  if (defect_ == nullptr || !refusal(problem).empty()) return run_with({}, problem);
  Generator draw(seed_, {place_});
  if (const auto* of_cache = std::get_if<HolaFault>(&defect_->edit)) return run_with({}, *of_cache, problem);
  if (const auto* make = std::get_if<MakeFault>(&defect_->edit)) {
    return run_with((*make)(problem.state_part(), draw), problem);
  }
  if (const auto* wrong = std::get_if<WrongRun>(&defect_->edit)) {
    return (*wrong)(problem, DefectKernel(nullptr, kernel_));
  }
  Outputs damaged = run_with({}, problem);
  std::get<DamageOutputs>(defect_->edit)(problem, damaged, draw);
  return damaged;
}

}  // namespace deltaproof
