#include "properties/laws/table.hpp"

#include <algorithm>

namespace deltaproof {
namespace {

constexpr const Property* all[] = {
    &laws::repeatable,
    // Bit for bit.
    &laws::second_call,
    &laws::split_on_chunks,
    &laws::packed_alone,
    &laws::packed_rows,
    &laws::empty_sequence,
    &laws::batch_permutation,
    &laws::head_permutation,
    &laws::head_alone,
    &laws::grouped_heads,
    &laws::column_permutation,
    &laws::prefix_causality,
    &laws::later_ignored,
    &laws::layouts,
    &laws::state_rows,
    &laws::in_place,
    &laws::unlisted_rows,
    &laws::padding,
    &laws::nan_contained,
    &laws::nan_reaches,
    &laws::zero_state,
    &laws::zero_beta,
    &laws::zero_gate,
    &laws::zero_value,
    &laws::guard_zones,
    &laws::negated_values,
    &laws::negated_queries,
    &laws::value_scaling,
    &laws::query_scaling,
    &laws::key_scaling,
    &laws::split,
    &laws::one_by_one,
    &laws::chunk_sizes,
    &laws::linear_in_values,
    &laws::reset_gate,
    &laws::kla_unit_keys,
    &laws::zero_key,
    &laws::residual_contraction,
    &laws::interference,
    &laws::projection,
    &laws::line_search,
    &laws::proximal,
    &laws::closed_form,
    &laws::pure_decay,
    &laws::slow_decay,
    &laws::exact_integers,
    &laws::chunk_form,
    &laws::comparator,
    // Of an exact cache.
    &laws::cache_causality,
    &laws::cache_of_scores,
    &laws::cache_bounded,
    &laws::cache_ties,
    &laws::cache_closed_gate,
    &laws::cache_recency,
    &laws::cache_size_zero,
    &laws::cache_holds_all,
    &laws::cache_block_sizes,
    &laws::cache_fixed_scores,
    &laws::cache_kept_stays,
    &laws::cache_sharpening,
    &laws::cache_weights,
};

}  // namespace

std::span<const Property* const> all_laws() { return all; }

const Property* find_law(std::string_view name) {
  const auto found = std::find_if(std::begin(all), std::end(all), [&](const Property* law) { return law->name == name; });
  return found == std::end(all) ? nullptr : *found;
}

}  // namespace deltaproof
