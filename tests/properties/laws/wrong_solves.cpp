#include "tests/properties/laws/wrong_solves.hpp"

#include <cstring>
#include <utility>

#include "reference/problem/format.hpp"
#include "reference/problem/matrix.hpp"

namespace deltaproof {
namespace {

std::vector<float> floats(std::span<const std::byte> bytes) {
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

class WrongRun : public DeviceRun {
 public:
  WrongRun(std::unique_ptr<DeviceRun> right, const SolveWrongly& damage)
      : right_(std::move(right)), damage_(damage) {}

  void* input(const BufferLabel& label, std::span<const std::byte> bytes) override {
    if (label.name == "L") data_.L = floats(bytes);
    if (label.name == "R") data_.R = floats(bytes);
    return right_->input(label, bytes);
  }
  void* in_place(const BufferLabel& label, std::span<const std::byte> bytes) override {
    return right_->in_place(label, bytes);
  }
  void* output(const BufferLabel& label, std::size_t bytes) override { return right_->output(label, bytes); }
  void call(const KernelEntry& entry, const KernelCall& call) override { right_->call(entry, call); }
  void call(const SolveEntry& entry, const SolveCall& call) override {
    data_.batch = call.batch, data_.C = call.C, data_.columns = call.columns;
    right_->call(entry, call);
  }
  void call(const HolaEntry& entry, const HolaCall& call) override { right_->call(entry, call); }
  std::vector<std::byte> read(const void* buffer, std::size_t bytes) override {
    std::vector<float> X = floats(right_->read(buffer, bytes));
    damage_(data_, X);
    const auto damaged = std::as_bytes(std::span(X));
    return {damaged.begin(), damaged.end()};
  }

 private:
  std::unique_ptr<DeviceRun> right_;
  const SolveWrongly& damage_;
  SolveData data_;
};

class WrongDevice : public Device {
 public:
  WrongDevice(std::shared_ptr<const Device> right, SolveWrongly damage)
      : right_(std::move(right)), damage_(std::move(damage)) {}
  const KernelLibrary& library() const override { return right_->library(); }
  std::unique_ptr<DeviceRun> begin() const override { return std::make_unique<WrongRun>(right_->begin(), damage_); }
  const TensorCoreModel& tensor_core() const override { return right_->tensor_core(); }
  Provenance provenance() const override { return right_->provenance(); }

 private:
  std::shared_ptr<const Device> right_;
  SolveWrongly damage_;
};

Matrix in_f16(const Matrix& m) {
  return m.unaryExpr([](double x) { return round_to_nearest_even(formats::f16, x); });
}

}  // namespace

std::shared_ptr<const Device> wrong_solves(std::shared_ptr<const Device> right, SolveWrongly damage) {
  return std::make_shared<WrongDevice>(std::move(right), std::move(damage));
}

void neumann_in_f16(const SolveData& data, std::vector<float>& X) {
  const Index C = data.C, columns = data.columns;
  for (std::int64_t b = 0; b < data.batch; ++b) {
    Matrix L = Matrix::Zero(C, C), R(C, columns);
    for (Index i = 0; i < C; ++i) {
      for (Index j = 0; j < i; ++j) L(i, j) = double{data.L[static_cast<std::size_t>((b * C + i) * C + j)]};
    }
    for (Index i = 0; i < R.size(); ++i) R.data()[i] = double{data.R[static_cast<std::size_t>(b * R.size() + i)]};
    const Matrix I = Matrix::Identity(C, C);
    Matrix T = in_f16(I - L), power = in_f16(L);
    for (Index n = 2; n < C; n *= 2) {
      power = in_f16(power * power);
      T = in_f16(T * in_f16(I + power));
    }
    const Matrix result = T * R;
    for (Index i = 0; i < R.size(); ++i) {
      X[static_cast<std::size_t>(b * R.size() + i)] = static_cast<float>(result.data()[i]);
    }
  }
}

}  // namespace deltaproof
