#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "kernels/simt/block.hpp"

namespace deltaproof {

namespace {

bool same_place(const Meeting& meeting, const char* file, int line) {
  return meeting.line == line && (meeting.file == file || std::strcmp(meeting.file, file) == 0);
}

constexpr Call shuffle_calls[] = {Call::shuffle, Call::shuffle_up, Call::shuffle_down, Call::shuffle_xor};
constexpr Call vote_calls[] = {Call::ballot, Call::any, Call::all};

}  // namespace

[[gnu::always_inline]] inline Meeting& BlockRunner::join(Call call, std::uint32_t mask, const char* file, int line) {
  Warp& warp = this->warp();
  for (std::uint32_t i = 0; i < warp.meeting_count; ++i) {
    Meeting& meeting = warp.meetings[i];
    if (meeting.mask == mask) {
      // CUDA lets __syncwarp in different branches meet.
      if (meeting.call == call && (call == Call::syncwarp || same_place(meeting, file, line))) return meeting;
      wrong_meeting(meeting, "lanes of one warp meet in different collectives", call, mask);
    }
    if ((meeting.mask & lane_bit()) != 0 && (meeting.arrived & mask) != 0) {
      wrong_meeting(meeting, "lanes of one warp meet with different masks", call, mask);
    }
  }
  return warp.meetings[warp.meeting_count++] = {mask, 0, call, file, line};
}

[[gnu::always_inline]] inline void BlockRunner::meet(Call call, std::uint32_t mask, const char* file, int line) {
  at(file, line);
  if ((mask & lane_bit()) == 0) own_lane_missing(call, mask);
  Warp& warp = this->warp();
  Meeting& meeting = join(call, mask, file, line);
  meeting.arrived |= lane_bit();
  if (meeting.arrived == (mask & warp.alive)) {
    complete(warp, meeting);
  } else {
    warp.waits_at[lane()] = call;
    warp.waits_with[lane()] = mask;
    running_waits();
  }
  next_turn();
}

void BlockRunner::meet_all_lanes(Call call, const char* file, int line) { meet(call, all_lanes, file, line); }

void BlockRunner::own_lane_missing(Call call, std::uint32_t mask) {
  const RunningThread& thread = running_->thread;
  fail(&thread, fmt::format("{} with mask {:#010x}, which lacks the thread's own lane {}", call_name(call), mask,
                            lane()),
       thread.file, thread.line);
}

void BlockRunner::wrong_meeting(const Meeting& other, const char* what, Call call, std::uint32_t mask) {
  const RunningThread& thread = running_->thread;
  fail(&thread,
       fmt::format("{}: lane {} at {} with mask {:#010x}, lane {} at {} with mask {:#010x}, {}:{}", what, lane(),
                   call_name(call), mask, std::countr_zero(other.arrived), call_name(other.call), other.mask,
                   other.file, other.line),
       thread.file, thread.line);
}

void BlockRunner::complete(Warp& warp, Meeting& meeting) {
  switch (meeting.call) {
    case Call::syncwarp:
      if (checker_ != nullptr) checker_->warp_barrier(memory_, warp.number, meeting.arrived);
      break;
    case Call::shuffle:
    case Call::shuffle_up:
    case Call::shuffle_down:
    case Call::shuffle_xor:
      complete_shuffle(warp, meeting);
      break;
    case Call::ballot:
    case Call::any:
    case Call::all:
      complete_vote(warp, meeting);
      break;
    case Call::mma:
      complete_mma(warp, meeting);
      break;
    case Call::ldmatrix:
      complete_ldmatrix(warp, meeting);
      break;
    case Call::syncthreads:
      break;  // never a meeting of a warp
  }
  set_ready(warp, meeting.arrived);
  meeting = warp.meetings[--warp.meeting_count];
}

void BlockRunner::syncwarp(std::uint32_t mask, const char* file, int line) { meet(Call::syncwarp, mask, file, line); }

std::uint32_t BlockRunner::shuffle(simt_shuffle_kind kind, std::uint32_t mask, std::uint32_t bits,
                                   std::uint32_t operand, std::uint32_t width, const char* file, int line) {
  if (!std::has_single_bit(width) || width > 32) {
    fail(&running_->thread, fmt::format("{} with width {}; it must be 1, 2, 4, 8, 16 or 32",
                                        call_name(shuffle_calls[kind]), width),
         file, line);
  }
  Warp& warp = this->warp();
  const std::uint32_t self = lane();
  warp.value[self] = bits;
  warp.source[self] = shuffle_source(kind, self, operand, width);
  meet(shuffle_calls[kind], mask, file, line);
  return warp.result[self];
}

void BlockRunner::complete_shuffle(Warp& warp, const Meeting& meeting) {
  std::uint32_t outside = 0;
  for (std::uint32_t i = 0; i < 32; ++i) {
    // Another group of lanes may not have picked up its results yet.
    const std::uint32_t value = warp.value[warp.source[i]];
    warp.result[i] = (meeting.arrived >> i & 1) != 0 ? value : warp.result[i];
    outside |= ((meeting.arrived >> warp.source[i] & 1) ^ 1) << i;
  }
  outside &= meeting.arrived;
  if (outside == 0) return;
  const auto reader = static_cast<std::uint32_t>(std::countr_zero(outside));
  const std::uint32_t source = warp.source[reader];
  const bool in_mask = (meeting.mask >> source & 1) != 0;
  fail(&thread_of(warp, reader),
       fmt::format("{} with mask {:#010x} reads lane {}, which {}", call_name(meeting.call), meeting.mask, source,
                   in_mask ? "does not exist or has returned" : "is outside the mask"),
       meeting.file, meeting.line);
}

std::uint32_t BlockRunner::vote(simt_vote_kind kind, std::uint32_t mask, int predicate, const char* file, int line) {
  Warp& warp = this->warp();
  const std::uint32_t self = lane();
  warp.value[self] = predicate != 0;
  meet(vote_calls[kind], mask, file, line);
  return warp.result[self];
}

void BlockRunner::complete_vote(Warp& warp, const Meeting& meeting) {
  std::uint32_t votes = 0;
  for (std::uint32_t i = 0; i < 32; ++i) votes |= (warp.value[i] & 1) << i;
  votes &= meeting.arrived;
  std::uint32_t result = votes;
  if (meeting.call == Call::any) result = votes != 0;
  if (meeting.call == Call::all) result = votes == meeting.arrived;
  for (std::uint32_t i = 0; i < 32; ++i) {
    if ((meeting.arrived >> i & 1) != 0) warp.result[i] = result;
  }
}

}  // namespace deltaproof
