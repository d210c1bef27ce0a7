#include "reference/arithmetic/choices.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "reference/arithmetic/texts.hpp"
#include "reference/tensor_core.hpp"

namespace deltaproof {
namespace {

template <class E>
using Names = std::vector<std::pair<E, std::string>>;

const Names<Point> point_names = {
    {Point::q, "q"},           {Point::k, "k"},
    {Point::k_beta, "k_beta"}, {Point::v_beta, "v_beta"},
    {Point::T, "T"},           {Point::u, "u"},
    {Point::w, "w"},           {Point::w_decayed, "w_decayed"},
    {Point::state_copy, "state_copy"}, {Point::v_new, "v_new"},
    {Point::k_beta_decayed, "k_beta_decayed"}, {Point::x_decayed, "x_decayed"},
    {Point::v_scaled, "v_scaled"}, {Point::k_scaled, "k_scaled"},
    {Point::q_scaled, "q_scaled"}, {Point::P, "P"},
    {Point::o, "o"}};
const Names<Product> product_names = {
    {Product::gram, "gram"},       {Product::scores, "scores"},   {Product::u, "u"},
    {Product::w, "w"},             {Product::w_state, "w_state"}, {Product::q_state, "q_state"},
    {Product::p_v, "p_v"},         {Product::state, "state"}};
const Names<PointFormat> format_names = {{PointFormat::input, "input"}, {PointFormat::stored, "stored"},
                                         {PointFormat::beta, "beta"},   {PointFormat::bf16, "bf16"},
                                         {PointFormat::f16, "f16"},     {PointFormat::tf32, "tf32"},
                                         {PointFormat::f32, "f32"}};
const std::string truncated_suffix = " truncated";

template <class E>
const std::string& name_of(const Names<E>& names, E value) {
  for (const auto& [each, name] : names) {
    if (each == value) return name;
  }
  throw std::logic_error("no name for an enumerator");
}

template <class E>
E value_of(const Names<E>& names, const std::string& name) {
  for (const auto& [value, each] : names) {
    if (each == name) return value;
  }
  throw std::logic_error("no enumerator named " + name);
}

template <class E>
std::vector<std::string> all_names(const Names<E>& names) {
  std::vector<std::string> list;
  for (const auto& entry : names) list.push_back(entry.second);
  return list;
}

// A choice among the enumerators of one member.
template <class E>
Choice enumerated(std::string name, E Declared::*member, Names<E> names) {
  Choice choice;
  choice.name = std::move(name);
  choice.rounds = choice.name == "inverse" || choice.name == "merge" || choice.name == "v_scaled_from" ||
                  choice.name == "u_ieee" || choice.name == "f32_products";
  choice.values = choice.variants = all_names(names);
  if (choice.name == "lanes") std::erase(choice.variants, "any");  // an order that nothing can contradict
  if (choice.name == "norm_sum" || choice.name == "layout") choice.variants.clear();  // these name no second order
  choice.get = [=](const Declared& d) { return name_of(names, d.*member); };
  choice.set = [=](Declared& d, const std::string& value) { d.*member = value_of(names, value); };
  return choice;
}

std::string rounding_text(const PointRounding& rounding) {
  std::string text = name_of(format_names, rounding.format);
  if (rounding.mode == PointMode::truncated) text += truncated_suffix;
  return text;
}

PointRounding rounding_of(const std::string& text) {
  PointRounding rounding;
  const bool cut = text.ends_with(truncated_suffix);
  if (cut) rounding.mode = PointMode::truncated;
  rounding.format = value_of(format_names, cut ? text.substr(0, text.size() - truncated_suffix.size()) : text);
  return rounding;
}

Choice point_choice(Point point) {
  Choice choice;
  choice.section = Choice::Section::points;
  choice.name = name_of(point_names, point);
  for (const auto& [format, name] : format_names) {
    if (format == PointFormat::stored && point != Point::o) continue;
    if (format == PointFormat::beta && point != Point::k_beta) continue;
    choice.values.push_back(name);
    if (format != PointFormat::f32) choice.values.push_back(name + truncated_suffix);
  }
  const std::string usual = point == Point::o ? "stored" : "input";
  choice.variants = {usual, usual + truncated_suffix, "f32"};
  choice.get = [point](const Declared& d) { return rounding_text(d[point]); };
  choice.set = [point](Declared& d, const std::string& value) { d[point] = rounding_of(value); };
  return choice;
}

Choice parts_choice(Product product) {
  Choice choice;
  choice.section = Choice::Section::parts;
  choice.rounds = false;
  choice.name = name_of(product_names, product);
  choice.values = {"1", "2", "4"};
  choice.variants = choice.values;
  choice.get = [product](const Declared& d) { return std::to_string(d[product]); };
  choice.set = [product](Declared& d, const std::string& value) { d[product] = std::stoi(value); };
  return choice;
}

Choice mma_choice() {
  Choice choice;
  choice.name = "mma";
  for (const TensorCoreModel& model : tensor_core_table()) choice.values.emplace_back(model.name);
  choice.variants = {"hopper", "ampere"};  // blackwell and ada compute as these do
  choice.rounds = false;
  choice.get = [](const Declared& d) { return d.mma; };
  choice.set = [](Declared& d, const std::string& value) { d.mma = value; };
  return choice;
}

// In the order of the JSON.
std::vector<Choice> every_top_choice() {
  return {
      mma_choice(),
      enumerated<Scan>("scan", &Declared::scan,
                       {{Scan::pieces_of_32, "pieces_of_32"}, {Scan::pieces_of_16, "pieces_of_16"},
                        {Scan::pieces_of_4, "pieces_of_4"}, {Scan::pieces_of_2, "pieces_of_2"},
                        {Scan::pairs, "pairs"}, {Scan::kogge_stone, "kogge_stone"},
                        {Scan::sklansky, "sklansky"}, {Scan::sequential, "sequential"}}),
      enumerated<Exp2>("exp2", &Declared::exp2,
                       {{Exp2::approx, "approx"}, {Exp2::approx_ftz, "approx_ftz"},
                        {Exp2::correctly_rounded, "correctly_rounded"}}),
      enumerated<Inverse>("inverse", &Declared::inverse,
                          {{Inverse::merged_blocks, "merged_blocks"}, {Inverse::substitution, "substitution"}}),
      enumerated<RowSum>("row_sum", &Declared::row_sum,
                         {{RowSum::halves_lower_fused, "halves_lower_fused"},
                          {RowSum::halves_upper_fused, "halves_upper_fused"},
                          {RowSum::halves_unfused, "halves_unfused"},
                          {RowSum::eights_lower_fused, "eights_lower_fused"},
                          {RowSum::fours_lower_fused, "fours_lower_fused"},
                          {RowSum::twos_lower_fused, "twos_lower_fused"}, {RowSum::ascending, "ascending"},
                          {RowSum::exact, "exact"}}),
      enumerated<Merge>("merge", &Declared::merge,
                        {{Merge::tf32_truncated, "tf32_truncated"},
                         {Merge::tf32_nearest_even, "tf32_nearest_even"},
                         {Merge::tf32_nearest_away, "tf32_nearest_away"}, {Merge::ieee, "ieee"}}),
      enumerated<MergeSum>("merge_sum", &Declared::merge_sum,
                           {{MergeSum::ascending, "ascending"}, {MergeSum::descending, "descending"},
                            {MergeSum::rotated, "rotated"}, {MergeSum::separate, "separate"}}),
      enumerated<ScaledFrom>("v_scaled_from", &Declared::v_scaled_from,
                             {{ScaledFrom::unrounded, "unrounded"}, {ScaledFrom::rounded, "rounded"}}),
      enumerated<StateSum>("state_sum", &Declared::state_sum,
                           {{StateSum::accumulator, "accumulator"}, {StateSum::added, "added"},
                            {StateSum::fused, "fused"}}),
      enumerated<OutputSum>("output_sum", &Declared::output_sum,
                            {{OutputSum::first_fused, "first_fused"}, {OutputSum::second_fused, "second_fused"},
                             {OutputSum::unfused, "unfused"}}),
      enumerated<ChunkSum>("chunk_sum", &Declared::chunk_sum,
                           {{ChunkSum::accumulator, "accumulator"}, {ChunkSum::added, "added"}}),
      enumerated<ChannelSum>("channel_sum", &Declared::channel_sum,
                             {{ChannelSum::eight, "eight"}, {ChannelSum::four, "four"},
                              {ChannelSum::four_second_fused, "four_second_fused"},
                              {ChannelSum::two, "two"}, {ChannelSum::one, "one"},
                              {ChannelSum::ascending, "ascending"}}),
      enumerated<ChannelOrder>("channel_order", &Declared::channel_order,
                               {{ChannelOrder::ascending, "ascending"}, {ChannelOrder::even_odd, "even_odd"}}),
      enumerated<Lanes>("lanes", &Declared::lanes,
                        {{Lanes::by_initial_state, "by_initial_state"}, {Lanes::four, "four"},
                         {Lanes::eight, "eight"}, {Lanes::sixteen, "sixteen"}, {Lanes::any, "any"}}),
      enumerated<LaneSum>("lane_sum", &Declared::lane_sum,
                          {{LaneSum::second_product, "second_product"}, {LaneSum::from_zero, "from_zero"}}),
      enumerated<NormSum>("norm_sum", &Declared::norm_sum,
                          {{NormSum::unknown, "unknown"}, {NormSum::warp, "warp"}}),
      enumerated<Layout>("layout", &Declared::layout,
                         {{Layout::autotuned, "autotuned"}, {Layout::fixed, "fixed"}}),
      enumerated<F32Products>("f32_products", &Declared::f32_products,
                              {{F32Products::tf32, "tf32"}, {F32Products::ieee, "ieee"}}),
      enumerated<bool>("u_ieee", &Declared::u_ieee, {{true, "yes"}, {false, "no"}}),
  };
}

std::vector<Choice> make_choices(const TextInfo& text) {
  std::vector<Choice> list;
  for (Choice& choice : every_top_choice()) {
    const auto& made = text.choices;
    if (std::find(made.begin(), made.end(), choice.name) != made.end()) list.push_back(std::move(choice));
  }
  for (const Point point : text.points) list.push_back(point_choice(point));
  for (const Product product : text.products) list.push_back(parts_choice(product));
  return list;
}

}  // namespace

std::string_view point_name(Point point) { return name_of(point_names, point); }

const std::vector<Choice>& choices_of(std::string_view text) {
  static std::map<std::string, std::vector<Choice>, std::less<>> made;
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  const auto found = made.find(text);
  if (found != made.end()) return found->second;
  const TextInfo* info = find_text(text);
  if (info == nullptr) throw std::logic_error("no text of arithmetic named " + std::string(text));
  return made.emplace(text, make_choices(*info)).first->second;
}

std::vector<Variation> variations(const Declared& declared) {
  std::vector<Variation> list;
  for (const Choice& choice : choices_of(declared.text)) {
    const std::string now = choice.get(declared);
    for (const std::string& value : choice.variants) {
      if (value == now) continue;
      Variation variation{declared, choice.rounds, {}};
      choice.set(variation.declared, value);
      variation.difference = difference(declared, variation.declared);
      list.push_back(std::move(variation));
    }
  }
  return list;
}

std::vector<Declared> autotuned_layouts(const Declared& declared) {
  if (declared.layout == Layout::fixed) return {};
  std::vector<Declared> list = {declared};
  for (const TextInfo::Autotuned& autotuned : find_text(declared.text)->autotuned) {
    const auto& choices = choices_of(declared.text);
    const auto choice = std::find_if(choices.begin(), choices.end(),
                                     [&](const Choice& each) { return each.name == autotuned.choice; });
    const auto& values = autotuned.values;
    if (std::find(values.begin(), values.end(), choice->get(declared)) == values.end()) continue;
    std::vector<Declared> longer;
    for (const Declared& each : list) {
      for (const std::string& value : values) {
        longer.push_back(each);
        choice->set(longer.back(), value);
      }
    }
    list = std::move(longer);
  }
  std::erase(list, declared);
  return list;
}

std::string difference(const Declared& base, const Declared& other) {
  if (base.text != other.text) return other.text + " instead of " + base.text;
  std::string text;
  if (base.exp_error != other.exp_error) {
    text = fmt::format("exp_error {} instead of {}", other.exp_error, base.exp_error);
  }
  for (const Choice& choice : choices_of(base.text)) {
    const std::string was = choice.get(base), is = choice.get(other);
    if (was == is) continue;
    if (!text.empty()) text += ", ";
    if (choice.section == Choice::Section::points) text += "point ";
    if (choice.section == Choice::Section::parts) text += "parts of product ";
    text += choice.name + " " + is + " instead of " + was;
  }
  return text;
}

}  // namespace deltaproof
