#include "tables.hpp"

#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

#include "properties/accuracy/conclude.hpp"
#include "properties/accuracy/units.hpp"
#include "reference/arithmetic/choices.hpp"

namespace deltaproof {
namespace {

constexpr std::array shown = {"gdn_chunk_bf16", "gdn_chunk_bf16_strong_decay", "kla_chunk_bf16_T300",
                              "kla_trained_layer0_T512", "gdn_chunk_fp16", "gdn_chunk_bf16_l2norm_zero_key"};

// "values of o / of the states outside PIN"
std::string cell(const CaseFile& file, const Declared& declared) {
  const BoundChoice choice = choose_bound(declared.text, file.problem);
  ConformityContext context = conformity_context(file.problem, *file.outputs, declared);
  context.bits = false;
  std::int64_t o = 0, states = 0;
  context.observe = [&](const ComparedBlock& block) {
    const auto outside = ((*block.value - *block.expected).cwiseAbs().array() > block.bound->array()).count();
    (block.is_state ? states : o) += outside;
  };
  judge_conformity(context, plan_units(file.problem, *file.outputs, choice), 1);
  return fmt::format("{} / {}", o, states);
}

}  // namespace

void print_declarations_table() {
  std::vector<CaseFile> files;
  for (CaseFile& file : recordings()) {
    const std::string name = file.path.stem().string();
    if (std::find(shown.begin(), shown.end(), name) != shown.end()) files.push_back(std::move(file));
  }
  fmt::print("| declared |");
  for (const CaseFile& file : files) fmt::print(" {} |", file.path.stem().string());
  fmt::print("\n|---|");
  for (std::size_t i = 0; i < files.size(); ++i) fmt::print("---|");
  const Declared right = built_in("fla-chunk", Rule::gated_delta).value();
  std::vector<Variation> rows = {{right, true, "the built-in fla-chunk"}};
  for (Variation& variation : variations(right)) {
    if (variation.rounds) rows.push_back(std::move(variation));
  }
  for (const Variation& row : rows) {
    fmt::print("\n| {} |", row.difference);
    for (const CaseFile& file : files) fmt::print(" {} |", cell(file, row.declared));
  }
  fmt::print("\n");
}

}  // namespace deltaproof
