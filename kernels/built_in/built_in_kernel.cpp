#include "kernels/built_in/built_in_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kernels/built_in/filled_call.hpp"
#include "kernels/built_in/hola_decoder.hpp"
#include "kernels/built_in/hola_run.hpp"

namespace deltaproof {
namespace {

const KernelEntry* find_entry(const KernelLibrary& library, std::string_view name) {
  const std::span entries(library.kernels, library.kernel_count);
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const auto& each) { return each.name == name; });
  if (found == entries.end()) throw KernelError(fmt::format("the kernel library has no kernel '{}'", name));
  return &*found;
}

}  // namespace

BuiltInKernel::BuiltInKernel(const BuiltInInfo& info, std::shared_ptr<const Device> device)
    : info_(info), device_(std::move(device)) {
  if (computes_hola(info)) {
    hola_ = &hola_entry(*device_, info.name);
  } else {
    entry_ = find_entry(device_->library(), info.name);
  }
}

Provenance BuiltInKernel::provenance() const {
  Provenance made = device_->provenance();
  made.launch = hola_ != nullptr ? hola_->launch : entry_->launch;
  return made;
}

Outputs BuiltInKernel::run(const Problem& problem) const {
  if (const std::string why = refusal(problem); !why.empty()) throw std::runtime_error(why);
  if (hola_ != nullptr) {
    return info_.name == "hola_decode" ? run_hola_decode(*device_, problem) : run_hola(*device_, problem);
  }
  const std::unique_ptr<DeviceRun> run = device_->begin();
  FilledCall filled(problem, *run);
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
