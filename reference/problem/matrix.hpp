#pragma once

#include <Eigen/Dense>

namespace deltaproof {

using Index = Eigen::Index;

/// Dense row-major matrix of doubles: rows are tokens or key channels, columns are channels.
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;
using RowVector = Eigen::RowVectorXd;

}  // namespace deltaproof
