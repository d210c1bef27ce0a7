#include "fuzz/targets/barriers_model.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "fuzz/byte_reader.hpp"

namespace deltaproof::fuzz {
namespace {

using Clock = std::vector<std::uint32_t>;

/// When a slot of shared memory was touched, by each thread; 0: never.
struct Slot {
  std::uint32_t value = 0xffffffffu;  // poison
  std::uint32_t writer = 0, written = 0;
  Clock read;
};

struct Thread {
  std::uint32_t at = 0;  ///< operation
  bool left = false, waits = false;
  std::array<std::uint32_t, simt_registers> r{};
  Clock seen;  ///< of every thread: what of its past happened before this one's present
};

class BlockModel {
 public:
  BlockModel(const SimtProgram& program, std::uint32_t block) : p_(program), threads_(program.threads), slots_(simt_slots) {
    for (std::uint32_t t = 0; t < p_.threads; ++t) {
      for (std::uint32_t i = 0; i < simt_registers; ++i) threads_[t].r[i] = t * 17 + block * 1000003 + i;
      threads_[t].seen.assign(p_.threads, 0);
      threads_[t].seen[t] = 1;
    }
    for (Slot& slot : slots_) slot.read.assign(p_.threads, 0);
  }

  /// The fault, or nothing.
  std::string run() {
    for (;;) {
      for (std::uint32_t t = 0; t < p_.threads && fault_.empty(); ++t) advance(t);
      bool met = false;
      for (std::uint32_t warp = 0; 32 * warp < p_.threads && fault_.empty(); ++warp) met = meet_in(warp) || met;
      if (!fault_.empty()) return fault_;
      if (met) continue;
      if (std::all_of(threads_.begin(), threads_.end(), [](const Thread& t) { return t.left; })) return {};
      if (!meet_in_block()) return fault_;
    }
  }

  bool races() const { return races_; }
  const std::vector<Thread>& threads() const { return threads_; }

 private:
  const SimtOp& op_of(std::uint32_t t) const { return p_.ops[threads_[t].at]; }
  static bool meets(SimtCode code) {
    return code == SimtCode::block_barrier || code == SimtCode::warp_barrier || code == SimtCode::shuffle ||
           code == SimtCode::vote;
  }

  // To the thread's next meeting, or its end.
  void advance(std::uint32_t t) {
    Thread& self = threads_[t];
    while (!self.left && !self.waits) {
      if (self.at >= p_.count) {
        self.left = true;
        return;
      }
      const SimtOp& op = p_.ops[self.at];
      if (takes_part(op, t)) {
        if (meets(op.code)) {
          arrive(t, op);
          return;
        }
        step(t, op);
      }
      ++self.at;
    }
  }

  void arrive(std::uint32_t t, const SimtOp& op) {
    threads_[t].waits = true;
    if (op.code == SimtCode::block_barrier) return;
    if ((mask_of(op, t) >> t % 32 & 1) == 0) fault_ = "a mask without the thread's own lane";
    if (op.code == SimtCode::shuffle && shuffle_width(op) == 3) fault_ = "a width that is no power of two";
  }

  void step(std::uint32_t t, const SimtOp& op) {
    Thread& self = threads_[t];
    std::uint32_t& to = self.r[op.a & 3];
    switch (op.code) {
      case SimtCode::add: to = self.r[op.b & 3] * 2654435761u + self.r[op.c & 3] + t; return;
      case SimtCode::flip: to ^= op.c * 0x01010101u; return;
      case SimtCode::choose:
        if (self.r[op.b & 3] % 2 == 1) to += op.c;
        return;
      case SimtCode::store: store(t, slots_[slot_of(op, t)], to); return;
      case SimtCode::load: to = load(t, slots_[slot_of(op, t)]); return;
      default: self.left = true; return;
    }
  }

  bool after(std::uint32_t t, std::uint32_t other, std::uint32_t time) const { return threads_[t].seen[other] >= time; }

  void store(std::uint32_t t, Slot& slot, std::uint32_t value) {
    if (slot.written != 0 && !after(t, slot.writer, slot.written)) races_ = true;
    for (std::uint32_t other = 0; other < p_.threads; ++other) races_ = races_ || !after(t, other, slot.read[other]);
    slot.value = value, slot.writer = t, slot.written = threads_[t].seen[t];
  }
  std::uint32_t load(std::uint32_t t, Slot& slot) {
    if (slot.written != 0 && !after(t, slot.writer, slot.written)) races_ = true;
    slot.read[t] = threads_[t].seen[t];
    return slot.value;
  }

  // What these threads did happens before what they will do.
  void order(const std::vector<std::uint32_t>& group) {
    Clock joint(p_.threads, 0);
    for (const std::uint32_t t : group) {
      for (std::uint32_t i = 0; i < p_.threads; ++i) joint[i] = std::max(joint[i], threads_[t].seen[i]);
    }
    for (const std::uint32_t t : group) {
      threads_[t].seen = joint;
      ++threads_[t].seen[t];
    }
  }

  void release(const std::vector<std::uint32_t>& group) {
    for (const std::uint32_t t : group) threads_[t].waits = false, ++threads_[t].at;
  }

  bool waits_in_warp(std::uint32_t t) const {
    return t < p_.threads && threads_[t].waits && op_of(t).code != SimtCode::block_barrier;
  }

  // Calls and places that lanes of one mask may not mix.
  static bool same_call(const SimtOp& x, const SimtOp& y) {
    if (x.code != y.code) return false;
    if (x.code == SimtCode::warp_barrier) return true;
    if (x.code == SimtCode::shuffle && shuffle_kind(x) != shuffle_kind(y)) return false;
    if (x.code == SimtCode::vote && std::min(vote_kind(x), 2u) != std::min(vote_kind(y), 2u)) return false;
    return x.place == y.place;
  }

  // True if some lanes of the warp met.
  bool meet_in(std::uint32_t warp) {
    for (std::uint32_t t = 32 * warp; t < 32 * warp + 32; ++t) {
      if (!waits_in_warp(t)) continue;
      const std::uint32_t mask = mask_of(op_of(t), t);
      std::vector<std::uint32_t> group;
      bool all = true;
      for (std::uint32_t other = 32 * warp; other < std::min(32 * warp + 32, p_.threads); ++other) {
        if ((mask >> other % 32 & 1) == 0 || threads_[other].left) continue;
        if (!waits_in_warp(other)) {
          all = false;
          continue;
        }
        const std::uint32_t others = mask_of(op_of(other), other);
        if (others == mask && !same_call(op_of(t), op_of(other))) fault_ = "different collectives under one mask";
        if (others != mask && (others >> t % 32 & 1) != 0) fault_ = "lanes that want each other with different masks";
        if (others != mask) all = false;
        group.push_back(other);
      }
      if (!fault_.empty()) return false;
      if (!all) continue;
      finish(group, mask);
      return fault_.empty();
    }
    return false;
  }

  void finish(const std::vector<std::uint32_t>& group, std::uint32_t) {
    const SimtCode code = op_of(group.front()).code;
    if (code == SimtCode::warp_barrier) order(group);
    if (code == SimtCode::shuffle) finish_shuffle(group);
    if (code == SimtCode::vote) finish_vote(group);
    release(group);
  }

  // PTX ISA, shfl.sync: the lane that is read, or the thread's own where that is out of its segment.
  static std::uint32_t source(const SimtOp& op, std::uint32_t t) {
    const std::uint32_t lane = t % 32, width = shuffle_width(op), first = lane / width * width, last = first + width - 1;
    const std::uint32_t by = shuffle_operand(op, t) % 32;
    switch (shuffle_kind(op)) {
      case 0: return first + by % width;
      case 1: return by <= lane - first ? lane - by : lane;
      case 2: return lane + by <= last ? lane + by : lane;
      default: return (lane ^ by) <= last ? lane ^ by : lane;
    }
  }

  void finish_shuffle(const std::vector<std::uint32_t>& group) {
    std::vector<std::uint32_t> results;
    for (const std::uint32_t t : group) {
      const std::uint32_t from = t / 32 * 32 + source(op_of(t), t);
      if (std::find(group.begin(), group.end(), from) == group.end()) {
        fault_ = "a shuffle that reads a lane which is not there";
        return;
      }
      results.push_back(threads_[from].r[op_of(from).a & 3]);
    }
    for (std::size_t i = 0; i < group.size(); ++i) threads_[group[i]].r[op_of(group[i]).a & 3] = results[i];
  }

  void finish_vote(const std::vector<std::uint32_t>& group) {
    std::uint32_t ballot = 0;
    for (const std::uint32_t t : group) ballot |= (threads_[t].r[op_of(t).b & 3] & 1) << t % 32;
    const auto yes = static_cast<std::size_t>(__builtin_popcount(ballot));
    for (const std::uint32_t t : group) {
      const unsigned kind = vote_kind(op_of(t));
      threads_[t].r[op_of(t).a & 3] = kind == 0 ? ballot : kind == 1 ? (yes > 0 ? 1 : 0) : (yes == group.size() ? 1 : 0);
    }
  }

  bool meet_in_block() {
    std::vector<std::uint32_t> all;
    for (std::uint32_t t = 0; t < p_.threads; ++t) {
      const bool at_barrier = threads_[t].waits && op_of(t).code == SimtCode::block_barrier;
      if (!at_barrier || op_of(t).place != op_of(0).place) fault_ = "threads of the block do not meet";
      all.push_back(t);
    }
    if (!fault_.empty()) return false;
    order(all);
    release(all);
    return true;
  }

  const SimtProgram& p_;
  std::vector<Thread> threads_;
  std::vector<Slot> slots_;
  std::string fault_;
  bool races_ = false;
};

}  // namespace

SimtProgram read_program(Bytes bytes) {
  SimtProgram program;
  if (bytes.size() < 2) return program;
  program.threads = 1 + bytes[0] % 96;
  program.blocks = 1 + bytes[1] % 2;
  for (std::size_t at = 2; at + 6 <= bytes.size() && program.count < most_simt_ops; at += 6) {
    program.ops[program.count++] = {static_cast<SimtCode>(bytes[at] % simt_codes), bytes[at + 1], bytes[at + 2],
                                    bytes[at + 3], bytes[at + 4], bytes[at + 5]};
  }
  return program;
}

ModelOutcome model_of(const SimtProgram& program) {
  ModelOutcome outcome;
  for (std::uint32_t block = 0; block < program.blocks; ++block) {
    BlockModel model(program, block);
    const std::string fault = model.run();
    if (outcome.fault.empty()) outcome.fault = fault;
    outcome.races = outcome.races || model.races();
    for (const Thread& thread : model.threads()) {
      outcome.registers.insert(outcome.registers.end(), thread.r.begin(), thread.r.end());
    }
  }
  return outcome;
}

}  // namespace deltaproof::fuzz
