#pragma once

#include <functional>
#include <string>
#include <utility>

#include "properties/laws/other_values.hpp"
#include "tests/properties/laws/wrong_kernels.hpp"

namespace deltaproof::wrong {

using EditInputs = std::function<void(const Problem&, TensorMap&)>;

/// The right run of other inputs.
inline RunWrongly with_inputs(EditInputs edit) {
  return [edit = std::move(edit)](const Kernel& right, const Problem& problem) {
    TensorMap inputs = problem.tensors();
    edit(problem, inputs);
    return right.run(problem.with_unchecked_values(std::move(inputs)));
  };
}

/// The right run with every value of one tensor, if it is there, read as another.
inline RunWrongly with_values(std::string tensor, std::function<double(double)> map) {
  return with_inputs([=](const Problem&, TensorMap& inputs) {
    if (const auto found = inputs.find(tensor); found != inputs.end())
      found->second = laws::mapped(found->second, map);
  });
}

}  // namespace deltaproof::wrong
