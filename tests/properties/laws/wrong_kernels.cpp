#include "tests/properties/laws/wrong_inputs.hpp"

#include <algorithm>
#include <memory>

#include "properties/laws/parts.hpp"
#include "properties/laws/second_run.hpp"
#include "properties/laws/tensors.hpp"

namespace deltaproof::wrong {
namespace {

using laws::taken;

bool has_pool(const Problem& problem) { return problem.find("state_indices") != nullptr; }

laws::Indices rows_of_tokens(std::int64_t T, std::int64_t shift) {
  laws::Indices rows = laws::range(0, T);
  for (std::int64_t& row : rows) row = std::min(row + shift, T - 1);
  return rows;
}

void flip_bit(Tensor& tensor, std::int64_t row) {
  const std::size_t bytes = tensor.bytes.size() / static_cast<std::size_t>(tensor.shape[0]);
  tensor.bytes[static_cast<std::size_t>(row) * bytes] ^= std::byte{1};
}

}  // namespace

RunWrongly keeps_values_of_last_call() {
  const auto last = std::make_shared<Tensor>();
  return [last](const Kernel& right, const Problem& problem) {
    TensorMap inputs = problem.tensors();
    Tensor& v = inputs.at("v");
    const Tensor now = v;
    if (last->shape == v.shape && last->dtype == v.dtype && v.shape[1] > 0) {
      const std::size_t row = v.bytes.size() / static_cast<std::size_t>(v.shape[0] * v.shape[1]);
      std::copy_n(last->bytes.begin(), row, v.bytes.begin());
    }
    *last = now;
    return right.run(problem.with_unchecked_values(std::move(inputs)));
  };
}

RunWrongly breaks_guard_zone_on_odd_sizes() {
  return [](const Kernel& right, const Problem& problem) {
    if (problem.dims().V % 16 != 0) throw KernelError("o: bytes behind the buffer were written");
    return right.run(problem);
  };
}

RunWrongly ignores_boundaries() {
  return [](const Kernel& right, const Problem& problem) {
    Outputs outputs = right.run(problem);
    if (problem.find("cu_seqlens") == nullptr || has_pool(problem)) return outputs;
    TensorMap inputs = problem.tensors();
    inputs.erase("cu_seqlens");
    if (const auto states = inputs.find("initial_state"); states != inputs.end()) {
      states->second = taken(states->second, 0, {0});
    }
    outputs.tensors["o"] = right.run(problem.with_unchecked_values(std::move(inputs))).tensors.at("o");
    return outputs;
  };
}

RunWrongly clears_states_of_empty_sequences() {
  return [](const Kernel& right, const Problem& problem) {
    Outputs outputs = right.run(problem);
    Tensor& states = outputs.tensors.at("final_state");
    const std::int64_t row = states.size() / states.shape[0];
    for (const Sequence& s : problem.sequences()) {
      for (std::int64_t i = 0; i < row && s.length == 0 && s.state_row >= 0; ++i) {
        laws::set_value(states, s.state_row * row + i, 0);
      }
    }
    return outputs;
  };
}

RunWrongly first_state_for_all() {
  return with_inputs([](const Problem& problem, TensorMap& inputs) {
    if (has_pool(problem) || !inputs.contains("initial_state")) return;
    Tensor& states = inputs.at("initial_state");
    states = taken(states, 0, laws::Indices(static_cast<std::size_t>(states.shape[0]), 0));
  });
}

RunWrongly reads_row_behind() {
  return with_inputs([](const Problem& problem, TensorMap& inputs) {
    laws::Indices rows = laws::range(0, problem.dims().T);
    if (rows.empty()) return;
    rows[0] = problem.dims().T - 1;
    inputs.at("v") = taken(inputs.at("v"), 1, rows);
  });
}

RunWrongly reads_next_token() {
  return with_inputs([](const Problem& problem, TensorMap& inputs) {
    inputs.at("v") = taken(inputs.at("v"), 1, rows_of_tokens(problem.dims().T, 1));
  });
}

RunWrongly ignores_initial_state() {
  return with_inputs([](const Problem&, TensorMap& inputs) {
    const auto states = inputs.find("initial_state");
    if (states != inputs.end()) states->second = laws::filled(states->second, 0);
  });
}

RunWrongly ignores_layout() {
  return [](const Kernel& right, const Problem& problem) {
    Options options = problem.options();
    if (problem.dims().K == problem.dims().V) options.state_layout = StateLayout::kv;
    return right.run(problem.with_options(std::move(options), problem.tensors()));
  };
}

RunWrongly row_n_for_sequence_n() {
  return with_inputs([](const Problem& problem, TensorMap& inputs) {
    if (!has_pool(problem)) return;
    Tensor& rows = inputs.at("state_indices");
    std::vector<double> now;
    for (std::int64_t n = 0; n < rows.size(); ++n) now.push_back(rows.integer(n) < 0 ? -1 : static_cast<double>(n));
    rows = Tensor::from(rows.dtype, rows.shape, now);
  });
}

RunWrongly starts_from(double value) {
  return with_inputs([value](const Problem& problem, TensorMap& inputs) {
    if (inputs.contains("initial_state")) return;
    inputs["initial_state"] = laws::filled(laws::states_before(problem), value);
  });
}

RunWrongly writes_unlisted_row() {
  return [](const Kernel& right, const Problem& problem) {
    Outputs outputs = right.run(problem);
    std::vector<bool> listed(static_cast<std::size_t>(problem.dims().pool));
    for (const Sequence& s : problem.sequences()) {
      if (s.state_row >= 0) listed[static_cast<std::size_t>(s.state_row)] = true;
    }
    const auto other = std::find(listed.begin(), listed.end(), false);
    if (other != listed.end()) flip_bit(outputs.tensors.at("final_state"), other - listed.begin());
    return outputs;
  };
}

RunWrongly skipped_is_row_0() {
  return with_inputs([](const Problem& problem, TensorMap& inputs) {
    if (!has_pool(problem)) return;
    Tensor& rows = inputs.at("state_indices");
    std::vector<double> now;
    for (std::int64_t n = 0; n < rows.size(); ++n) now.push_back(static_cast<double>(rows.integer(n)));
    const auto skipped = std::find(now.begin(), now.end(), -1);
    if (skipped == now.end() || std::find(now.begin(), now.end(), 0) != now.end()) return;
    *skipped = 0;
    rows = Tensor::from(rows.dtype, rows.shape, now);
  });
}

}  // namespace deltaproof::wrong
