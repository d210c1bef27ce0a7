#include "properties/golden/answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "properties/golden/rounding.hpp"
#include "properties/golden/routes.hpp"
#include "reference/problem/head.hpp"
#include "reference/problem/message.hpp"
#include "reference/problem/schema.hpp"

namespace deltaproof::golden {
namespace {

using Shape = std::vector<std::int64_t>;
constexpr int first_bits = 192;
// From here on, what one route does not tell the other may: q . k = 0 makes a zero of a product, but not of a sum.
constexpr int bits_of_both = 768;

/// Where a K x V matrix lies in a tensor.
struct Block {
  std::int64_t first, row_stride, column_stride;
  Index rows, columns;
};

/// One output: its values in the stored type, in double, and radii.
struct Output {
  Shape shape;
  Dtype dtype = Dtype::f32;
  std::vector<double> stored, f64, radius;
};

/// One head's outputs, rounded.
using RoundedHead = std::vector<std::vector<Rounded>>;

class Collector {
 public:
  Collector(const Problem& problem, Route route) : problem_(problem), d_(problem.dims()), route_(route) {
    const Options& options = problem.options();
    const Dtype q = problem.find("q")->dtype;
    wide_ = q == Dtype::f64 ? Dtype::f64 : Dtype::f32;
    for (const TensorSpec& spec : output_specs(options)) {
      if (spec.name != "selected") make(spec, spec.name == "o" ? q : wide_);
    }
    if (options.rule == Rule::hola) {
      const std::int64_t blocks = part_rows(problem, options.hola.cache_block);
      selected_.assign(static_cast<std::size_t>(d_.B * blocks * d_.HV * d_.cache), -1);
    }
  }

  Answers run() {
    keep_unlisted("initial_state", "final_state");
    keep_unlisted("initial_slot_keys", "final_slot_keys");
    keep_unlisted("initial_slot_values", "final_slot_values");
    for (const Sequence& s : problem_.sequences()) {
      if (s.state_row < 0) continue;
      for (std::int64_t h = 0; h < d_.HV; ++h) add_head(s, h);
    }
    return {tensors(), bits_, alone_};
  }

 private:
  void make(const TensorSpec& spec, Dtype dtype);
  void keep_unlisted(const std::string& initial, const std::string& final);
  void add_head(const Sequence& s, std::int64_t h);
  void add_sets(const Sequence& s, std::int64_t h, const CacheSets& sets);
  void put(const std::string& name, const Block& block, const std::vector<Rounded>& values);
  std::string place(const Sequence& s, std::int64_t h) const;
  TensorMap tensors() const;

  Block tokens(const Sequence& s, std::int64_t h, Index columns) const {
    return {((s.batch * d_.T + s.begin) * d_.HV + h) * columns, d_.HV * columns, 1, s.length, columns};
  }
  Block state(std::int64_t row, std::int64_t h, Index rows, Index columns, bool may_be_vk) const {
    const bool vk = may_be_vk && problem_.options().state_layout == StateLayout::vk;
    return {(row * d_.HV + h) * rows * columns, vk ? 1 : columns, vk ? rows : 1, rows, columns};
  }

  const Problem& problem_;
  const Dimensions& d_;
  Route route_;
  Dtype wide_ = Dtype::f32;
  std::map<std::string, Output> outputs_;
  std::vector<double> selected_;
  int bits_ = 0;
  std::int64_t alone_ = 0;
};

void Collector::make(const TensorSpec& spec, Dtype dtype) {
  Output output;
  output.dtype = dtype;
  const bool vk = problem_.options().state_layout == StateLayout::vk;
  const std::int64_t chunks = part_rows(problem_, problem_.options().states_every);
  const Shape matrix = vk ? Shape{d_.HV, d_.V, d_.K} : Shape{d_.HV, d_.K, d_.V};
  if (spec.name == "o") output.shape = {d_.B, d_.T, d_.HV, d_.V};
  else if (spec.name == "scores") output.shape = {d_.B, d_.T, d_.HV};
  else if (spec.name == "final_slot_keys") output.shape = {d_.pool, d_.HV, d_.slots, d_.K};
  else if (spec.name == "final_slot_values") output.shape = {d_.pool, d_.HV, d_.slots, d_.V};
  else output.shape = spec.name == "final_state" ? Shape{d_.pool} : Shape{d_.B, chunks};
  if (output.shape.size() < 3) output.shape.insert(output.shape.end(), matrix.begin(), matrix.end());
  std::size_t size = 1;
  for (const std::int64_t n : output.shape) size *= static_cast<std::size_t>(n);
  output.stored.assign(size, 0);
  output.f64.assign(size, 0);
  output.radius.assign(size, 0);
  outputs_[spec.name] = std::move(output);
}

// A pool's rows are all there before the sequences' own are written.
void Collector::keep_unlisted(const std::string& initial, const std::string& final) {
  const Tensor* from = problem_.find(initial);
  const auto to = outputs_.find(final);
  if (from == nullptr || to == outputs_.end()) return;
  to->second.f64 = from->values();
  const Format& format = dtype_format(to->second.dtype);
  std::ranges::transform(to->second.f64, to->second.stored.begin(),
                         [&](double x) { return round_to_nearest_even(format, x); });
}

std::string Collector::place(const Sequence& s, std::int64_t h) const {
  return fmt::format("{}: sequence {}, head {}", problem_.name(), s.index, h);
}

void Collector::put(const std::string& name, const Block& block, const std::vector<Rounded>& values) {
  Output& output = outputs_.at(name);
  for (Index r = 0; r < block.rows; ++r)
    for (Index c = 0; c < block.columns; ++c) {
      const auto at = static_cast<std::size_t>(block.first + r * block.row_stride + c * block.column_stride);
      const Rounded& value = values[static_cast<std::size_t>(r * block.columns + c)];
      output.f64[at] = value.f64;
      output.stored[at] = value.stored;
      output.radius[at] = value.radius;
    }
}

void Collector::add_sets(const Sequence& s, std::int64_t h, const CacheSets& sets) {
  const std::int64_t blocks = part_rows(problem_, problem_.options().hola.cache_block);
  for (std::size_t n = 0; n < sets.size(); ++n) {
    const std::int64_t row = s.batch * blocks + s.first_block + static_cast<std::int64_t>(n);
    std::ranges::copy(sets[n], selected_.begin() + (row * d_.HV + h) * d_.cache);
  }
}

/// Why an attempt told nothing, and what it told.
struct Attempt {
  std::string open;  ///< empty: everything is known
  RoundedHead parts;
  CacheSets sets;
  std::int64_t alone = 0;  ///< numbers that the other route told
};

HeadIntervals by(Route route, const HeadInputs& head) {
  return route == Route::first ? first_route(head) : second_route(head);
}

Route other(Route route) { return route == Route::first ? Route::second : Route::first; }

/// Rounds the numbers of one route, and those that it does not tell as the other does.
class HeadRounding {
 public:
  HeadRounding(Attempt& result, const HeadIntervals* other) : result_(result), other_(other) {}

  /// `part(intervals)` are the numbers, of either route.
  template <class Part>
  void take(const char* name, const HeadIntervals& exact, const Format& format, Part&& part) {
    const std::vector<Interval>& numbers = part(exact);
    std::vector<Rounded> all;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      std::optional<Rounded> one = rounded(numbers[i], format);
      if (!one && other_ != nullptr) {
        const Interval& also = part(*other_)[i];
        if (intersect(numbers[i], also)) one = rounded(also, format);
        result_.alone += one ? 1 : 0;
      }
      if (!one) {
        if (result_.open.empty()) result_.open = std::string(name);
        return;
      }
      all.push_back(*one);
    }
    result_.parts.push_back(std::move(all));
  }

 private:
  Attempt& result_;
  const HeadIntervals* other_;
};

// o, states .., slot values, scores: in this order.
Attempt attempt(const HeadInputs& head, Route route, const Format& of_o, const Format& wide, int bits) {
  const WorkingPrecision precision(bits);
  const HeadIntervals exact = by(route, head);
  std::optional<HeadIntervals> also;
  if (bits >= bits_of_both) also = by(other(route), head);
  if (!exact.certain || (also && !also->certain)) return {std::string("selected: scores may be equal"), {}, {}, 0};
  Attempt result;
  HeadRounding rounding(result, also ? &*also : nullptr);
  using Numbers = std::vector<Interval>;
  rounding.take("o", exact, of_o, [](const HeadIntervals& x) -> const Numbers& { return x.o; });
  for (std::size_t n = 0; n < exact.states.size(); ++n) {
    rounding.take("states", exact, wide, [&](const HeadIntervals& x) -> const Numbers& { return x.states[n]; });
  }
  rounding.take("slot values", exact, wide, [](const HeadIntervals& x) -> const Numbers& { return x.slot_values; });
  rounding.take("scores", exact, wide, [](const HeadIntervals& x) -> const Numbers& { return x.scores; });
  result.sets = exact.sets;
  return result;
}

void Collector::add_head(const Sequence& s, std::int64_t h) {
  const HeadInputs head = head_inputs(problem_, s, h);
  const Format &of_o = dtype_format(outputs_.at("o").dtype), &wide = dtype_format(wide_);
  Attempt exact;
  int bits = first_bits;
  for (;; bits *= 2) {
    exact = attempt(head, route_, of_o, wide, bits);
    if (exact.open.empty()) break;
    if (2 * bits > most_bits)
      throw InputError(fmt::format("{}: {} bits do not tell how {} rounds: a tie, beyond the range of double, or "
                                   "ill-conditioned beyond any use", place(s, h), bits, exact.open));
  }
  bits_ = std::max(bits_, bits);
  alone_ += exact.alone;
  put("o", tokens(s, h, d_.V), exact.parts.front());
  const System system = rule_info(problem_.options().rule).system;
  const std::size_t states = exact.parts.size() - 3;
  if (system == System::gsa) {
    put("final_slot_keys", state(s.state_row, h, d_.slots, d_.K, false), exact.parts[1]);
    put("final_slot_values", state(s.state_row, h, d_.slots, d_.V, false), exact.parts[states + 1]);
  } else if (system != System::softmax) {
    const std::int64_t chunks = part_rows(problem_, problem_.options().states_every);
    for (std::size_t n = 0; n < states && s.length > 0; ++n) {
      const std::int64_t row = s.batch * chunks + s.first_state + static_cast<std::int64_t>(n);
      put("chunk_states", state(row, h, d_.K, d_.V, true), exact.parts[1 + n]);
    }
    put("final_state", state(s.state_row, h, d_.K, d_.V, true), exact.parts[states]);
  }
  if (system != System::hola) return;
  put("scores", {(s.batch * d_.T + s.begin) * d_.HV + h, d_.HV, 1, s.length, 1}, exact.parts.back());
  add_sets(s, h, exact.sets);
}

TensorMap Collector::tensors() const {
  TensorMap all;
  for (const auto& [name, output] : outputs_) {
    all[name] = Tensor::from(output.dtype, output.shape, output.stored);
    all[name + ".f64"] = Tensor::from(Dtype::f64, output.shape, output.f64);
    all[name + ".radius"] = Tensor::from(Dtype::f64, output.shape, output.radius);
  }
  if (problem_.options().rule == Rule::hola) {
    const std::int64_t blocks = part_rows(problem_, problem_.options().hola.cache_block);
    all["selected"] = Tensor::from(Dtype::i64, {d_.B, blocks, d_.HV, d_.cache}, selected_);
  }
  return all;
}

}  // namespace

Answers answers(const Problem& problem, Route route) { return Collector(problem, route).run(); }

}  // namespace deltaproof::golden
