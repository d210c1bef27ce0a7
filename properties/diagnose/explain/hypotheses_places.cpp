#include "properties/diagnose/explain/hypotheses_places.hpp"

#include <algorithm>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "reference/problem/schema.hpp"

namespace deltaproof {
namespace {

// How the draws of a defect follow each other: properties/defects/{kernel_faults,output_damage}.cpp.
enum class Draws {
  nothing, random,
  chunk_row,        ///< draw_chunk, then a row
  chunk_pair,       ///< draw_chunk, then a pair: the later of the two is the first wrong one
  chunk_pair_early, ///< the same, the earlier one
  chunk_state,      ///< draw_chunk, then an element of the state
  channel,          ///< a key channel
  up,               ///< up or down
  up_element,       ///< the same, then an element of o
  element, row, column,  ///< of o
  row_and_next, column_and_next,  ///< element of o, then the first of two neighbours
  state_element,
};

struct DrawsOf {
  std::string_view id;
  Draws draws;
};

constexpr DrawsOf draws_of_defects[] = {
    {"beta0_tok", Draws::chunk_row},        {"P_strict_row", Draws::chunk_row},
    {"L_missing_ij", Draws::chunk_pair},    {"P_future_ij", Draws::chunk_pair_early},
    {"stale_S", Draws::chunk_state},        {"kchan_kkt", Draws::channel},
    {"kchan_qk", Draws::channel},           {"kchan_S", Draws::channel},
    {"kchan_all", Draws::channel},          {"ulp1", Draws::up_element},
    {"ulp2", Draws::up_element},            {"ulp4", Draws::up_element},
    {"ulp8", Draws::up_element},            {"ulp2_big", Draws::up_element},
    {"ulp8_max", Draws::up},                {"zero_el", Draws::element},
    {"zero_row", Draws::row},               {"zero_col", Draws::column},
    {"swap_rows", Draws::row_and_next},     {"swap_cols", Draws::column_and_next},
    {"S_el_1e-3", Draws::state_element},    {"noise_2e-3", Draws::random},
    {"noise_5e-3", Draws::random},
};

Draws draws_of(const Defect& defect) {
  for (const DrawsOf& known : draws_of_defects) {
    if (known.id == defect.id) return known.draws;
  }
  return defect.reach == Reach::everywhere ? Draws::nothing : Draws::random;
}

constexpr std::size_t most_places = 256;  // that are tried of one defect

/// Places in one head, around where it goes wrong.
class Places {
 public:
  Places(const Problem& problem, const Outputs& outputs, const Window& window, const Focus& focus)
      : problem_(problem), outputs_(outputs), s_(*window.sequence), head_(window.head), focus_(focus) {
    for (const Sequence& other : problem.sequences()) {
      if (other.state_row >= 0 && other.length > 0 && other.index < s_.index) ++ordinal_;
    }
  }

  std::vector<DefectPlace> of(Draws draws) {
    const Index begin = focus_.chunk * size(), end = std::min(begin + size(), Index{s_.length});
    const std::vector<Index> rows = focus_.rows(), columns = focus_.columns();
    const Index first = rows.empty() ? end - 1 : rows.front();
    switch (draws) {
      case Draws::nothing:
      case Draws::random: break;
      case Draws::chunk_row:
        for (Index t = first; t >= begin - reach(); --t) token(t);
        break;
      case Draws::chunk_pair:
        for (Index i = first; i > begin; --i) {
          for (Index j = i - 1; j >= begin; --j) pair(i, j);
        }
        break;
      case Draws::chunk_pair_early:
        for (const Index j : leading(rows, 2)) {
          for (Index i = j + 1; i < end; ++i) pair(i, j);
        }
        break;
      case Draws::chunk_state: stale_state(columns); break;
      case Draws::channel:
        for (Index c = 0; c < problem_.dims().K; ++c) add({c}, fmt::format("key channel {}", c));
        break;
      case Draws::up:
        if (problem_.dims().T == 0) break;  // no output to move
        for (const Index up : {0, 1}) add({up}, up == 1 ? "up" : "down");
        break;
      case Draws::state_element:
        for (const auto& [i, j] : leading(focus_.states, 4)) state_element(i, j);
        break;
      default: of_outputs(draws, rows, columns);
    }
    return std::move(places_);
  }

 private:
  Index size() const { return problem_.options().chunk_size; }

  template <class T>
  static std::span<const T> leading(const std::vector<T>& all, std::size_t most) {
    return std::span(all).first(std::min(all.size(), most));
  }

  void add(std::vector<Index> draws, std::string name) {
    if (places_.size() >= most_places) return;
    std::vector<int> numbers;
    for (const Index draw : draws) numbers.push_back(static_cast<int>(draw));
    places_.push_back({std::move(numbers), std::move(name)});
  }

  void in_chunk(Index chunk, std::vector<Index> then, const std::string& name) {
    then.insert(then.begin(), {ordinal_, head_, chunk * size()});
    add(std::move(then), fmt::format("sequence {}, head {}, chunk {}{}", s_.index, head_, chunk, name));
  }

  // Where no states were recorded, what a token leaves in the state may be out of bound in the next chunk alone.
  Index reach() const { return outputs_.find("chunk_states") == nullptr && focus_.chunk > 0 ? size() : 0; }

  void token(Index t) { in_chunk(t / size(), {t % size()}, fmt::format(", token {}", t)); }

  void pair(Index i, Index j) {
    const Index begin = focus_.chunk * size();
    in_chunk(focus_.chunk, {i - begin, j - begin}, fmt::format(", tokens {} and {}", j, i));
  }

  // The state after the chunk that is wrong, or, where that was not recorded, the one that it read: what is stale there
  // stays in its place.
  void stale_state(const std::vector<Index>& columns) {
    for (const auto& [i, j] : leading(focus_.states, 4)) {
      in_chunk(focus_.chunk, {i, j}, fmt::format(", element ({}, {})", i, j));
    }
    if (focus_.chunk == 0) return;
    for (const auto& [i, j] : leading(focus_.states, 4)) {
      in_chunk(focus_.chunk - 1, {i, j}, fmt::format(", element ({}, {})", i, j));
    }
    for (const Index j : leading(columns, 2)) {
      for (Index i = 0; i < problem_.dims().K; ++i) {
        in_chunk(focus_.chunk - 1, {i, j}, fmt::format(", element ({}, {})", i, j));
      }
    }
  }

  // Of the recorded tensor: rows are value channels where states are [V, K].
  void state_element(Index i, Index j) {
    const bool turned = problem_.options().state_layout == StateLayout::vk;
    const Index row = turned ? j : i, column = turned ? i : j;
    const std::string name = fmt::format("sequence {}, head {}, element ({}, {}) of the state after chunk {}", s_.index,
                                         head_, i, j, focus_.chunk);
    const Tensor* states = outputs_.find("chunk_states");
    if (states == nullptr || states->size() == 0) return add({s_.state_row, head_, row, column}, name);
    const Index at = focus_.chunk * size() / problem_.options().states_every;
    add({chunk_state_row(*states, s_, at), head_, row, column}, name);
  }

  void of_outputs(Draws draws, const std::vector<Index>& rows, const std::vector<Index>& columns) {
    const auto named = [&](const std::string& what) {
      return fmt::format("sequence {}, head {}, {}", s_.index, head_, what);
    };
    const auto element = [&](Index t, Index c) { return std::vector<Index>{s_.batch, head_, s_.begin + t, c}; };
    const auto with = [](std::vector<Index> draws_so_far, Index next) {
      draws_so_far.push_back(next);
      return draws_so_far;
    };
    if (draws == Draws::element || draws == Draws::up_element) {
      for (const auto& [t, c] : leading(focus_.outputs, 4)) {
        const std::string name = named(fmt::format("token {}, column {}", t, c));
        if (draws == Draws::element) { add(element(t, c), name); continue; }
        for (const Index up : {0, 1}) add({up, s_.batch, head_, s_.begin + t, c}, name);
      }
    }
    if (draws == Draws::row) {
      for (const Index t : leading(rows, 4)) add(element(t, 0), named(fmt::format("token {}", t)));
    }
    if (draws == Draws::column) {
      for (const Index c : leading(columns, 4)) add(element(0, c), named(fmt::format("column {}", c)));
    }
    if (draws == Draws::row_and_next) {
      for (const Index t : leading(rows, 2)) {
        for (const Index from : {t, t - 1}) {
          const std::string name = named(fmt::format("tokens {} and {}", from, from + 1));
          if (from >= 0) add(with(element(t, 0), s_.begin + from), name);
        }
      }
    }
    if (draws == Draws::column_and_next) {
      for (const Index c : leading(columns, 2)) {
        for (const Index from : {c, c - 1}) {
          const std::string name = named(fmt::format("columns {} and {}", from, from + 1));
          if (from >= 0) add(with(element(0, c), from), name);
        }
      }
    }
  }

  const Problem& problem_;
  const Outputs& outputs_;
  const Sequence& s_;
  std::int64_t head_;
  const Focus& focus_;
  Index ordinal_ = 0;  // of the sequence among those that are computed
  std::vector<DefectPlace> places_;
};

}  // namespace

bool lies_everywhere(const Defect& defect) { return draws_of(defect) == Draws::nothing; }
bool is_random(const Defect& defect) { return draws_of(defect) == Draws::random; }

std::vector<DefectPlace> places_of(const Defect& defect, const Problem& problem, const Outputs& outputs,
                                   const Window& window, const Focus& focus) {
  return Places(problem, outputs, window, focus).of(draws_of(defect));
}

}  // namespace deltaproof
