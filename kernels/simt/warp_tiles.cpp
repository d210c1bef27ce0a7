#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <exception>

#include "kernels/simt/block.hpp"
#include "kernels/simt/ldmatrix_tile.hpp"
#include "kernels/simt/mma_tile.hpp"

namespace deltaproof {

void BlockRunner::require_all_lanes(const Meeting& meeting) {
  if (meeting.arrived == all_lanes) return;
  fail(&running_->thread, fmt::format("{} needs all 32 lanes of the warp; lane {} does not exist or has returned",
                                      call_name(meeting.call), std::countr_one(meeting.arrived)),
       meeting.file, meeting.line);
}

void BlockRunner::mma(const Warp::Mma& operands, const char* file, int line) {
  warp().mma[lane()] = operands;
  meet_all_lanes(Call::mma, file, line);
}

void BlockRunner::complete_mma(Warp& warp, const Meeting& meeting) {
  require_all_lanes(meeting);
  const simt_mma_kind kind = warp.mma[0].kind;
  std::uint32_t a[32][4], b[32][2];
  float c[32][4], d[32][4];
  for (int lane = 0; lane < 32; ++lane) {
    const Warp::Mma& operands = warp.mma[lane];
    if (operands.kind != kind) {
      fail(&running_->thread, "mma with different types in the lanes of one warp", meeting.file, meeting.line);
    }
    std::memcpy(a[lane], operands.a, sizeof a[lane]);
    std::memcpy(b[lane], operands.b, sizeof b[lane]);
    std::memcpy(c[lane], operands.c, sizeof c[lane]);
  }
  std::string refused;
  try {
    mma_tile(kind, launch_->tensor_core, a, b, c, d);
  } catch (const std::exception& error) {
    refused = error.what();
  }
  if (!refused.empty()) fail(&running_->thread, std::move(refused), meeting.file, meeting.line);
  for (int lane = 0; lane < 32; ++lane) std::memcpy(warp.mma[lane].d, d[lane], sizeof d[lane]);
}

void BlockRunner::ldmatrix(const Warp::Ldmatrix& operands, const void* row, const char* file, int line) {
  at(file, line);
  Warp& warp = this->warp();
  const std::uint32_t self = lane();
  warp.ldmatrix[self] = operands;
  if (self < 8 * static_cast<std::uint32_t>(operands.matrices)) {  // the other lanes' addresses are not used
    const char* const fault = reinterpret_cast<std::uintptr_t>(row) % 16 != 0 ? "ldmatrix row not aligned to 16 bytes"
                              : !shared_.contains(row, 16) ? "ldmatrix row outside shared memory" : nullptr;
    if (fault != nullptr) fail(&running_->thread, fault, file, line);
    if (checker_ != nullptr) checker_->access(running_->thread, row, 16, Access::read, file, line);
    std::memcpy(warp.rows[self], row, 16);
  }
  meet_all_lanes(Call::ldmatrix, file, line);
}

void BlockRunner::complete_ldmatrix(Warp& warp, const Meeting& meeting) {
  require_all_lanes(meeting);
  const Warp::Ldmatrix form = warp.ldmatrix[0];
  const void* rows[32];
  std::uint32_t registers[32][4];
  for (int lane = 0; lane < 32; ++lane) {
    if (warp.ldmatrix[lane].matrices != form.matrices || warp.ldmatrix[lane].transposed != form.transposed) {
      fail(&running_->thread, "ldmatrix of different forms in the lanes of one warp", meeting.file, meeting.line);
    }
    rows[lane] = warp.rows[lane];
  }
  ldmatrix_tile(form.matrices, form.transposed, rows, registers);
  const std::size_t bytes = 4 * static_cast<std::size_t>(form.matrices);
  for (int lane = 0; lane < 32; ++lane) std::memcpy(warp.ldmatrix[lane].registers, registers[lane], bytes);
}

void BlockRunner::cp_async(void* shared, const void* global, std::uint32_t bytes, const char* file, int line) {
  at(file, line);
  const RunningThread& thread = running_->thread;
  if (bytes > 16) fail(&thread, fmt::format("cp_async_16 of {} bytes", bytes), file, line);
  if (reinterpret_cast<std::uintptr_t>(shared) % 16 != 0) {
    fail(&thread, "cp_async_16: destination not aligned to 16 bytes", file, line);
  }
  if (reinterpret_cast<std::uintptr_t>(global) % 16 != 0) {
    fail(&thread, "cp_async_16: source not aligned to 16 bytes", file, line);
  }
  if (!shared_.contains(shared, 16)) fail(&thread, "cp_async_16: destination outside shared memory", file, line);
  if (bytes != 0 && shared_.contains(global, bytes)) {
    fail(&thread, "cp_async_16: source in shared memory", file, line);
  }
  if (checker_ != nullptr) {
    if (bytes != 0) checker_->access(thread, global, bytes, Access::open_source, file, line);
    checker_->access(thread, shared, 16, Access::issue, file, line);
  }
  running_->copies.issue(static_cast<std::byte*>(shared), global, bytes, file, line);
}

void BlockRunner::cp_async_commit(const char* file, int line) {
  at(file, line);
  running_->copies.commit();
}

void BlockRunner::cp_async_wait(int groups_left, const char* file, int line) {
  at(file, line);
  const RunningThread& thread = running_->thread;
  if (groups_left < 0) fail(&thread, fmt::format("cp_async_wait<{}>", groups_left), file, line);
  running_->copies.wait(static_cast<std::uint32_t>(groups_left), [&](const AsyncCopy& copy) {
    if (AsyncCopies::source_changed(copy)) {
      fail(&thread, "race: the source of this cp.async was written to before its cp_async_wait", copy.file,
           copy.line);
    }
    if (checker_ == nullptr) return;
    if (copy.global_bytes != 0) {
      checker_->access(thread, copy.global, copy.global_bytes, Access::close_source, copy.file, copy.line);
    }
    checker_->access(thread, copy.shared, 16, Access::write, copy.file, copy.line);
  });
}

}  // namespace deltaproof
