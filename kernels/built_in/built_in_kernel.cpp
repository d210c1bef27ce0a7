#include "kernels/built_in/built_in_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace deltaproof {
namespace {

const KernelEntry* find_entry(const KernelLibrary& library, std::string_view name) {
  const std::span entries(library.kernels, library.kernel_count);
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const auto& each) { return each.name == name; });
  if (found == entries.end()) throw KernelError(fmt::format("the kernel library has no kernel '{}'", name));
  return &*found;
}

CallType call_type(Dtype dtype) {
  switch (dtype) {
    case Dtype::bf16: return CallType::bf16;
    case Dtype::f16: return CallType::f16;
    default: return CallType::f32;
  }
}

Coefficient coefficient_of(const Options& options) {
  if (options.rule == Rule::longhorn_exact) return Coefficient::longhorn;
  if (options.rule != Rule::kla) {
    return rule_info(options.rule).write.empty() ? Coefficient::one : Coefficient::given;
  }
  switch (options.variant) {
    case KlaVariant::no_norm: return Coefficient::given;
    case KlaVariant::key_norm_only: return Coefficient::key_norm_only;
    case KlaVariant::learned_scalar: return Coefficient::learned_scalar;
    case KlaVariant::standard:
    case KlaVariant::single_gate: break;
  }
  return Coefficient::kaczmarz;
}

BufferLabel label(const std::string& name, const Tensor& tensor) {
  return {name, shape_string(tensor.shape), dtype_size(tensor.dtype), 16};
}

// The call of one run, whose tensors are copied into the device's memory one after the other.
class Filled {
 public:
  Filled(const Problem& problem, DeviceRun& run) : problem_(problem), run_(run) {
    sizes();
    options();
    call.q = input("q");
    call.k = input("k");
    call.v = input("v");
    call.g = input("g");
    call.per_channel = problem.find("g") != nullptr && problem.find("g")->shape.size() == 4;
    call.write = write();
    sequences();
    outputs();
  }

  KernelCall call{};
  Tensor o, final_state;

 private:
  const void* input(const std::string& name) {
    const Tensor* tensor = problem_.find(name);
    return tensor == nullptr ? nullptr : run_.input(label(name, *tensor), tensor->bytes);
  }

  void sizes() {
    const Dimensions& d = problem_.dims();
    call.B = d.B, call.T = d.T, call.H = d.H, call.HV = d.HV, call.K = d.K, call.V = d.V, call.N = d.N;
    call.input = call_type(problem_.find("q")->dtype);
    if (const Tensor* g = problem_.find("g")) call.g_type = call_type(g->dtype);
  }

  void options() {
    const Options& options = problem_.options();
    call.chunk = static_cast<std::int32_t>(options.chunk_size);
    call.coefficient = coefficient_of(options);
    call.residual = rule_info(options.rule).residual;
    call.normalise_q = options.qk_l2norm == L2Norm::q || options.qk_l2norm == L2Norm::both;
    call.normalise_k = options.qk_l2norm == L2Norm::k || options.qk_l2norm == L2Norm::both;
    call.state_vk = options.state_layout == StateLayout::vk;
    call.scale = static_cast<float>(options.scale);
    call.eps = static_cast<float>(options.eps);
    call.l2norm_eps = static_cast<float>(options.qk_l2norm_eps);
    call.c = static_cast<float>(options.c);
  }

  const void* write() {
    if (call.coefficient == Coefficient::one) return nullptr;
    const std::string name(rule_info(problem_.options().rule).write);
    if (const Tensor* tensor = problem_.find(name)) call.write_type = call_type(tensor->dtype);
    return input(name);
  }

  // Files hold 32 or 64 bits; kernels take one type.
  template <class Integer>
  const Integer* integers(const std::string& name) {
    const Tensor* tensor = problem_.find(name);
    if (tensor == nullptr) return nullptr;
    std::vector<Integer> values;
    for (std::int64_t i = 0; i < tensor->size(); ++i) values.push_back(static_cast<Integer>(tensor->integer(i)));
    const BufferLabel text{name, shape_string(tensor->shape), sizeof(Integer), 16};
    return static_cast<const Integer*>(run_.input(text, std::as_bytes(std::span(values))));
  }

  void sequences() {
    call.cu_seqlens = integers<std::int64_t>("cu_seqlens");
    call.state_indices = integers<std::int32_t>("state_indices");
  }

  // A pool of states is updated in place, as serving does it; rows that no sequence names must stay.
  void outputs() {
    const Dimensions& d = problem_.dims();
    o = {problem_.find("q")->dtype, {d.B, d.T, d.HV, d.V}, {}};
    call.o = run_.output(label("o", o), bytes_of(o));
    const bool vk = call.state_vk;
    final_state = {Dtype::f32, {d.pool, d.HV, vk ? d.V : d.K, vk ? d.K : d.V}, {}};
    const Tensor* initial = problem_.find("initial_state");
    if (call.state_indices != nullptr) {
      call.final_state = static_cast<float*>(run_.in_place(label("initial_state", *initial), initial->bytes));
      call.initial_state = call.final_state;
      return;
    }
    call.initial_state = static_cast<const float*>(input("initial_state"));
    call.final_state = static_cast<float*>(run_.output(label("final_state", final_state), bytes_of(final_state)));
  }

  static std::size_t bytes_of(const Tensor& tensor) {
    return static_cast<std::size_t>(tensor.size()) * dtype_size(tensor.dtype);
  }

  const Problem& problem_;
  DeviceRun& run_;
};

Tensor read_back(DeviceRun& run, const void* buffer, Tensor shape) {
  shape.bytes = run.read(buffer, static_cast<std::size_t>(shape.size()) * dtype_size(shape.dtype));
  return shape;
}

}  // namespace

BuiltInKernel::BuiltInKernel(const BuiltInInfo& info, std::shared_ptr<const Device> device)
    : info_(info), device_(std::move(device)), entry_(find_entry(device_->library(), info.name)) {}

Provenance BuiltInKernel::provenance() const {
  Provenance made = device_->provenance();
  made.launch = entry_->launch;
  return made;
}

Outputs BuiltInKernel::run(const Problem& problem) const {
  if (const std::string why = refusal(problem); !why.empty()) throw std::runtime_error(why);
  const std::unique_ptr<DeviceRun> run = device_->begin();
  Filled filled(problem, *run);
  KernelCall& call = filled.call;
  if (const std::size_t bytes = entry_->workspace_bytes(call); bytes > 0) {
    call.workspace = run->output({"workspace", "", 4, 256}, bytes);
  }
  run->call(*entry_, call);
  Outputs outputs;
  outputs.tensors["o"] = read_back(*run, call.o, filled.o);
  outputs.tensors["final_state"] = read_back(*run, call.final_state, filled.final_state);
  return outputs;
}

}  // namespace deltaproof
