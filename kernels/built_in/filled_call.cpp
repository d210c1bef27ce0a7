#include "kernels/built_in/filled_call.hpp"

namespace deltaproof {
namespace {

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

}  // namespace

CallType call_type(Dtype dtype) {
  switch (dtype) {
    case Dtype::bf16: return CallType::bf16;
    case Dtype::f16: return CallType::f16;
    default: return CallType::f32;
  }
}

BufferLabel label_of(const std::string& name, const Tensor& tensor) {
  return {name, shape_string(tensor.shape), dtype_size(tensor.dtype), 16};
}

std::size_t bytes_of(const Tensor& tensor) {
  return static_cast<std::size_t>(tensor.size()) * dtype_size(tensor.dtype);
}

const void* input_tensor(const Problem& problem, DeviceRun& run, const std::string& name) {
  const Tensor* tensor = problem.find(name);
  return tensor == nullptr ? nullptr : run.input(label_of(name, *tensor), tensor->bytes);
}

Tensor read_back(DeviceRun& run, const void* buffer, Tensor kind) {
  kind.bytes = run.read(buffer, bytes_of(kind));
  return kind;
}

FilledCall::FilledCall(const Problem& problem, DeviceRun& run) : problem_(problem), run_(run) {
  sizes();
  options();
  call.q = input_tensor(problem, run, "q");
  call.k = input_tensor(problem, run, "k");
  call.v = input_tensor(problem, run, "v");
  call.g = input_tensor(problem, run, "g");
  call.per_channel = problem.find("g") != nullptr && problem.find("g")->shape.size() == 4;
  call.write = write();
  call.cu_seqlens = integers<std::int64_t>("cu_seqlens");
  call.state_indices = integers<std::int32_t>("state_indices");
  outputs();
}

void FilledCall::sizes() {
  const Dimensions& d = problem_.dims();
  call.B = d.B, call.T = d.T, call.H = d.H, call.HV = d.HV, call.K = d.K, call.V = d.V, call.N = d.N;
  call.input = call_type(problem_.find("q")->dtype);
  if (const Tensor* g = problem_.find("g")) call.g_type = call_type(g->dtype);
}

void FilledCall::options() {
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

const void* FilledCall::write() {
  if (call.coefficient == Coefficient::one) return nullptr;
  const std::string name(rule_info(problem_.options().rule).write);
  if (const Tensor* tensor = problem_.find(name)) call.write_type = call_type(tensor->dtype);
  return input_tensor(problem_, run_, name);
}

// Files hold 32 or 64 bits; kernels take one type.
template <class Integer>
const Integer* FilledCall::integers(const std::string& name) {
  const Tensor* tensor = problem_.find(name);
  if (tensor == nullptr) return nullptr;
  std::vector<Integer> values;
  for (std::int64_t i = 0; i < tensor->size(); ++i) values.push_back(static_cast<Integer>(tensor->integer(i)));
  return input_array(run_, name, values);
}

// A pool of states is updated in place, as serving does it; rows that no sequence names must stay.
void FilledCall::outputs() {
  const Dimensions& d = problem_.dims();
  o = {problem_.find("q")->dtype, {d.B, d.T, d.HV, d.V}, {}};
  call.o = output_tensor(run_, "o", o);
  const bool vk = call.state_vk;
  final_state = {Dtype::f32, {d.pool, d.HV, vk ? d.V : d.K, vk ? d.K : d.V}, {}};
  const Tensor* initial = problem_.find("initial_state");
  if (call.state_indices != nullptr) {
    call.final_state = static_cast<float*>(run_.in_place(label_of("initial_state", *initial), initial->bytes));
    call.initial_state = call.final_state;
    return;
  }
  call.initial_state = static_cast<const float*>(input_tensor(problem_, run_, "initial_state"));
  call.final_state = output_tensor<float>(run_, "final_state", final_state);
}

}  // namespace deltaproof
