#include "properties/defects/output_damage.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "properties/defects/fault_places.hpp"
#include "properties/defects/tensor_edit.hpp"

namespace deltaproof::damage {
namespace {

using faults::any_of;

/// An edit of one tensor; wraps reading its values and writing them back.
DamageOutputs edit(std::string tensor, std::function<void(const Problem&, TensorEdit&, Generator&)> change) {
  return [tensor = std::move(tensor), change = std::move(change)](const Problem& problem, Outputs& outputs,
                                                                  Generator& draw) {
    TensorEdit values(outputs, tensor);
    change(problem, values, draw);
    values.write(outputs);
  };
}

struct Place {
  std::int64_t outer, head, row, column;
};

Place any_element(const TensorEdit& x, Generator& draw) {
  Place place{};
  place.outer = any_of(draw, x.outer);
  place.head = any_of(draw, x.heads);
  place.row = any_of(draw, x.rows);
  place.column = any_of(draw, x.columns);
  return place;
}

double& at(TensorEdit& x, const Place& p) { return x.at(p.outer, p.head, p.row, p.column); }

Place largest_of_row(TensorEdit& x, Place p) {
  Place largest = p;
  for (p.column = 0; p.column < x.columns; ++p.column) {
    if (std::abs(at(x, p)) > std::abs(at(x, largest))) largest = p;
  }
  return largest;
}

Place largest_of_all(TensorEdit& x) {
  Place largest{};
  Place p{};
  for (p.outer = 0; p.outer < x.outer; ++p.outer)
    for (p.head = 0; p.head < x.heads; ++p.head)
      for (p.row = 0; p.row < x.rows; ++p.row) {
        const Place found = largest_of_row(x, p);
        if (std::abs(at(x, found)) > std::abs(at(x, largest))) largest = found;
      }
  return largest;
}

void transpose(TensorEdit& x, std::int64_t outer) {
  for (std::int64_t h = 0; h < x.heads; ++h)
    for (std::int64_t r = 0; r < x.rows; ++r)
      for (std::int64_t c = 0; c < r; ++c) std::swap(x.at(outer, h, r, c), x.at(outer, h, c, r));
}

}  // namespace

DamageOutputs scale(std::vector<std::string> tensors, double factor) {
  return [tensors = std::move(tensors), factor](const Problem&, Outputs& outputs, Generator&) {
    for (const std::string& tensor : tensors) {
      if (outputs.find(tensor) == nullptr) continue;
      TensorEdit x(outputs, tensor);
      for (double& value : x.all()) value *= factor;
      x.write(outputs);
    }
  };
}

DamageOutputs scale_chunk(double factor) {
  return edit("o", [factor](const Problem& problem, TensorEdit& x, Generator&) {
    const std::int64_t size = problem.options().chunk_size;
    for (std::int64_t o = 0; o < x.outer; ++o)
      for (std::int64_t t = size; t < std::min(2 * size, x.rows); ++t)
        for (std::int64_t h = 0; h < x.heads; ++h)
          for (std::int64_t c = 0; c < x.columns; ++c) x.at(o, h, t, c) *= factor;
  });
}

DamageOutputs move(int units, Element element) {
  return [units, element](const Problem&, Outputs& outputs, Generator& draw) {
    TensorEdit x(outputs, "o");
    const bool up = draw.integer(0, 1) == 1;
    Place place = any_element(x, draw);
    if (element == Element::largest_of_a_row) place = largest_of_row(x, place);
    if (element == Element::largest) place = largest_of_all(x);
    double& value = at(x, place);
    value = neighbour(outputs.tensors.at("o").dtype, value, up ? units : -units);
    x.write(outputs);
  };
}

DamageOutputs zero_element() {
  return edit("o", [](const Problem&, TensorEdit& x, Generator& draw) { at(x, any_element(x, draw)) = 0; });
}

DamageOutputs zero_row() {
  return edit("o", [](const Problem&, TensorEdit& x, Generator& draw) {
    Place p = any_element(x, draw);
    for (p.column = 0; p.column < x.columns; ++p.column) at(x, p) = 0;
  });
}

DamageOutputs zero_column() {
  return edit("o", [](const Problem&, TensorEdit& x, Generator& draw) {
    Place p = any_element(x, draw);
    for (p.row = 0; p.row < x.rows; ++p.row) at(x, p) = 0;
  });
}

DamageOutputs swap_tokens() {
  return edit("o", [](const Problem&, TensorEdit& x, Generator& draw) {
    Place p = any_element(x, draw);
    if (x.rows < 2) return;
    p.row = any_of(draw, x.rows - 1);
    for (p.column = 0; p.column < x.columns; ++p.column) {
      std::swap(at(x, p), x.at(p.outer, p.head, p.row + 1, p.column));
    }
  });
}

DamageOutputs swap_columns() {
  return edit("o", [](const Problem&, TensorEdit& x, Generator& draw) {
    Place p = any_element(x, draw);
    p.column = any_of(draw, x.columns - 1);
    for (p.row = 0; p.row < x.rows; ++p.row) std::swap(at(x, p), x.at(p.outer, p.head, p.row, p.column + 1));
  });
}

DamageOutputs swap_heads() {
  return edit("o", [](const Problem&, TensorEdit& x, Generator&) {
    for (std::int64_t o = 0; o < x.outer; ++o)
      for (std::int64_t t = 0; t < x.rows; ++t)
        for (std::int64_t c = 0; c < x.columns; ++c) std::swap(x.at(o, 0, t, c), x.at(o, 1, t, c));
  });
}

DamageOutputs shift_token() {
  return edit("o", [](const Problem&, TensorEdit& x, Generator&) {
    for (std::int64_t o = 0; o < x.outer; ++o)
      for (std::int64_t t = x.rows - 1; t > 0; --t)
        for (std::int64_t h = 0; h < x.heads; ++h)
          for (std::int64_t c = 0; c < x.columns; ++c) x.at(o, h, t, c) = x.at(o, h, t - 1, c);
  });
}

DamageOutputs transpose_states(bool last_alone) {
  return [last_alone](const Problem& problem, Outputs& outputs, Generator&) {
    TensorEdit final(outputs, "final_state");
    for (std::int64_t n = 0; n < final.outer; ++n) transpose(final, n);
    final.write(outputs);
    if (outputs.find("chunk_states") == nullptr) return;
    TensorEdit states(outputs, "chunk_states");
    const std::int64_t count = states.outer / problem.dims().B;
    for (std::int64_t n = 0; n < states.outer; ++n) {
      if (!last_alone || n % count == count - 1) transpose(states, n);
    }
    states.write(outputs);
  };
}

DamageOutputs scale_state_element(double factor) {
  return [factor](const Problem& problem, Outputs& outputs, Generator& draw) {
    TensorEdit final(outputs, "final_state");
    const Tensor* between = outputs.find("chunk_states");
    if (between == nullptr || between->size() == 0) {
      at(final, any_element(final, draw)) *= factor;
      return final.write(outputs);
    }
    TensorEdit states(outputs, "chunk_states");
    Place p = any_element(states, draw);
    at(states, p) *= factor;
    const std::int64_t count = states.outer / problem.dims().B;
    if (p.outer % count == count - 1) final.at(p.outer / count, p.head, p.row, p.column) = at(states, p);
    final.write(outputs);
    states.write(outputs);
  };
}

DamageOutputs noise(double relative) {
  return edit("o", [relative](const Problem&, TensorEdit& x, Generator& draw) {
    double square = 0;
    for (const double value : x.all()) square += value * value;
    const double size = relative * std::sqrt(square / static_cast<double>(x.all().size()));
    for (double& value : x.all()) value += size * draw.normal();
  });
}

}  // namespace deltaproof::damage
