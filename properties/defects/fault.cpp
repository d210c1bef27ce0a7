#include "properties/defects/fault.hpp"

#include <algorithm>

#include "reference/arithmetic/texts.hpp"

namespace deltaproof {
namespace {

template <class Value>
bool meet(const std::vector<Value>& x, const std::vector<Value>& y) {
  return std::find_first_of(x.begin(), x.end(), y.begin(), y.end()) != x.end();
}

bool has_another_declaration(const Fault& fault, const Declared& declared) {
  if (!fault.declaration) return false;
  Declared changed = declared;
  fault.declaration(changed);
  return !difference(declared, changed).empty();
}

}  // namespace

bool is_in(const Fault& fault, const Declared& declared) {
  const TextInfo& text = *find_text(declared.text);
  const bool recurrent = text.products.empty();
  if (fault.kernels != Kernels::any && recurrent != (fault.kernels == Kernels::recurrent)) return false;
  if (fault.run_inputs || fault.entering || fault.kept || fault.chunk_inputs || fault.next_state) return true;
  if (fault.log2e || has_another_declaration(fault, declared)) return true;
  if (fault.recurrence && recurrent) return true;
  if (fault.lower && !recurrent && text.decay == Decay::scalar) return true;
  if ((fault.strictly_lower || fault.block_inverse || fault.off_diagonal) && text.merges) return true;
  return meet(fault.products, text.products) || meet(fault.points, text.points);
}

}  // namespace deltaproof
