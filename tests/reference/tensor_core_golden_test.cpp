// Tiles of mma.sync recorded on an H200 (golden/README.md): the model must give their bits.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "reference/problem/safetensors.hpp"
#include "reference/tensor_core.hpp"

namespace deltaproof {
namespace {

constexpr std::int64_t rows = 16, columns = 8, stored_depth = 16;

struct Tiles {
  Safetensors file;
  Operand operand;
  std::string prefix;
  std::int64_t count;

  Tiles(const std::string& name, Operand kind)
      : file(read_safetensors(std::filesystem::path(DELTAPROOF_SOURCE_DIR) / "golden/vectors" /
                              name)),
        operand(kind),
        prefix(std::string(operand_name(kind)) + "_"),
        count(file.tensors.at(prefix + "a").shape.at(0)) {}

  float at(const char* tensor, std::int64_t flat) const {
    return static_cast<float>(file.tensors.at(prefix + tensor).value(flat));
  }
  std::int64_t depth() const { return operand == Operand::tf32 ? 8 : 16; }
};

bool same_bits(float x, float y) {
  if (std::isnan(x) && std::isnan(y)) return true;  // payloads: SpecialNumbers
  return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y);
}

struct Comparison {
  std::int64_t compared = 0, unequal = 0, unequal_by_product = 0;
};

/// d of one tile as one product of matrices.
std::vector<float> tile_product(const Tiles& tiles, const TensorCoreModel& model,
                                std::int64_t tile) {
  std::vector<float> a(rows * stored_depth), b(stored_depth * columns), c(rows * columns);
  for (std::int64_t i = 0; i < rows * stored_depth; ++i) {
    a[i] = tiles.at("a", tile * rows * stored_depth + i);
  }
  for (std::int64_t i = 0; i < stored_depth * columns; ++i) {
    b[i] = tiles.at("b", tile * stored_depth * columns + i);
  }
  for (std::int64_t i = 0; i < rows * columns; ++i) c[i] = tiles.at("c", tile * rows * columns + i);
  tensor_core_product(model, tiles.operand, rows, columns, tiles.depth(), {a.data(), stored_depth},
                      {b.data(), columns}, {c.data(), columns});
  return c;
}

Comparison compare(const Tiles& tiles, const TensorCoreModel& model, std::int64_t first,
                   std::int64_t last) {
  Comparison result;
  const auto depth = static_cast<std::size_t>(tiles.depth());
  std::vector<float> a(depth), b(depth);
  for (std::int64_t tile = first; tile < last; ++tile) {
    const std::vector<float> product = tile_product(tiles, model, tile);
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < columns; ++j) {
        for (std::int64_t k = 0; k < tiles.depth(); ++k) {
          a[k] = tiles.at("a", (tile * rows + i) * stored_depth + k);
          b[k] = tiles.at("b", (tile * stored_depth + k) * columns + j);
        }
        const std::int64_t flat = (tile * rows + i) * columns + j;
        const float d = tensor_core_dot(model, a, b, tiles.at("c", flat), tiles.operand);
        ++result.compared;
        result.unequal += same_bits(d, tiles.at("d", flat)) ? 0 : 1;
        result.unequal_by_product +=
            same_bits(product[i * columns + j], tiles.at("d", flat)) ? 0 : 1;
      }
    }
  }
  return result;
}

class Mma : public testing::TestWithParam<Operand> {};

TEST_P(Mma, HopperModelGivesTheBitsOfAnH200) {
  const Tiles tiles("mma_h200.safetensors", GetParam());
  const Comparison result = compare(tiles, tensor_core("hopper"), 0, tiles.count);
  EXPECT_EQ(result.compared, 38400);
  EXPECT_EQ(result.unequal, 0);
  EXPECT_EQ(result.unequal_by_product, 0);
}

// The control: a model that differs must be seen to differ.
TEST_P(Mma, AmpereModelDoesNot) {
  const Tiles tiles("mma_h200.safetensors", GetParam());
  const Comparison result = compare(tiles, tensor_core("ampere"), 0, tiles.count);
  std::cout << "ampere differs in " << result.unequal << " of " << result.compared << "\n";
  EXPECT_GT(result.unequal, result.compared / 10);
  EXPECT_EQ(result.unequal_by_product, result.unequal);
}

INSTANTIATE_TEST_SUITE_P(Tiles, Mma, testing::Values(Operand::bf16, Operand::tf32),
                         [](const auto& test) { return std::string(operand_name(test.param)); });

class MmaEdges : public testing::TestWithParam<Operand> {};

TEST_P(MmaEdges, HopperModelGivesTheBitsOfAnH200) {
  const Tiles tiles("mma_edges_h200.safetensors", GetParam());
  const std::int64_t group = std::stoll(tiles.file.metadata.at("tiles_per_regime"));
  for (std::int64_t first = 0; first < tiles.count; first += group) {
    const Comparison result = compare(tiles, tensor_core("hopper"), first, first + group);
    EXPECT_EQ(result.compared, group * rows * columns);
    EXPECT_EQ(result.unequal, 0) << "group " << first / group << " of "
                                 << tiles.file.metadata.at("regimes");
    EXPECT_EQ(result.unequal_by_product, 0) << "group " << first / group;
  }
}

INSTANTIATE_TEST_SUITE_P(Tiles, MmaEdges,
                         testing::Values(Operand::bf16, Operand::f16, Operand::tf32),
                         [](const auto& test) { return std::string(operand_name(test.param)); });

}  // namespace
}  // namespace deltaproof
