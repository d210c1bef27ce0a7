#pragma once

#include <string>
#include <vector>

#include "tests/kernels/device/functions.hpp"
#include "tests/kernels/device/table.hpp"

/// Comparisons of GPU and host, a row of the table each. Throw std::runtime_error where the GPU fails.
namespace deltaproof {

Row compare_unary(Unary function);
Row compare_binary(Binary function);
/// mma.sync under the tensor-core model of this name, for every kind of operand.
std::vector<Row> compare_mma(const std::string& model);
Row compare_ldmatrix();
Row compare_cp_async();
Row compare_shuffles();
/// Messages of refused launches, guard zones of buffers, poison.
Row check_launch_message();
Row check_guard_zones();

}  // namespace deltaproof
