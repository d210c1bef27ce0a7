#include "properties/accuracy/read_parts.hpp"

#include <algorithm>
#include <limits>

#include "reference/oracle/hola_read.hpp"

namespace deltaproof {
namespace {

// More than the threads of a check, each of which is at one head.
constexpr std::size_t kept = 64;

}  // namespace

Matrix bound_rows(const ReadPart& part, Index begin, Index count) {
  Matrix sum = Matrix::Zero(count, part.value.cols());
  for (const Terms::Term& term : part.bound.list()) sum += term.value.middleRows(begin, count);
  return sum;
}

void forget_chosen(const ReadPart& part, Index begin, Matrix& radius) {
  const Index block = part.head.options.hola.cache_block;
  for (Index t = 0; t < radius.rows(); ++t) {
    if (!part.read.chosen[static_cast<std::size_t>((begin + t) / block)]) continue;
    radius.row(t).setConstant(std::numeric_limits<double>::infinity());
  }
}

std::shared_ptr<const ReadPart> ReadParts::of(const Sequence& sequence, std::int64_t head) const {
  std::shared_ptr<Slot> slot;
  {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(slots_.begin(), slots_.end(), [&](const auto& each) {
      return each->sequence == sequence.index && each->head == head;
    });
    if (found != slots_.end()) {
      slot = *found;
    } else {
      slot = std::make_shared<Slot>();
      slot->sequence = sequence.index, slot->head = head;
      slots_.push_back(slot);
      if (slots_.size() > kept) slots_.pop_front();
    }
  }
  std::call_once(slot->made, [&] {
    ReadPart& part = slot->part;
    part.head = head_inputs(problem_, sequence, head);
    part.read = sets_(sequence, head);
    CacheReadAnswer answer = cache_read_answer(part.head, part.read.sets);
    part.value = std::move(answer.o);
    part.radius = std::move(answer.o_radius);
    part.formats = formats_(part.head);
    part.bound = read_bound(part.head, part.read.sets, part.formats, apart_);
  });
  return {slot, &slot->part};
}

}  // namespace deltaproof
