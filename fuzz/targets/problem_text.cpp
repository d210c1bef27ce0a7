#include "fuzz/targets/problem_text.hpp"

#include <optional>

#include "reference/problem/input_error.hpp"

namespace deltaproof::fuzz {
namespace {

template <class Work>
auto unless_refused(Work work) -> std::optional<decltype(work())> {
  try {
    return work();
  } catch (const InputError& refused) {
    const std::string_view text = refused.what();
    if (text.empty() || text.find('\n') != std::string_view::npos) throw Finding("a refusal that is not one line of text");
    return std::nullopt;
  }
}

bool is_small(const ProblemSpec& spec) {
  const RegimeShape& s = spec.shape;
  return s.B <= 4 && s.tokens <= 64 && s.H <= 4 && s.HV <= 8 && s.K <= 32 && s.V <= 32 && spec.skip <= 64 &&
         spec.lengths.size() <= 8;
}

void require_equal(const Problem& one, const Problem& other) {
  if (one.name() != other.name()) throw Finding("one problem's text gives two names");
  if (one.tensors().size() != other.tensors().size()) throw Finding("one problem's text gives other tensors");
  for (const auto& [name, tensor] : one.tensors()) {
    const Tensor* const same = other.find(name);
    if (same == nullptr || same->dtype != tensor.dtype || same->shape != tensor.shape || same->bytes != tensor.bytes) {
      throw Finding("one problem's text gives two contents of " + name);
    }
  }
}

}  // namespace

void check_problem_text(Bytes bytes, const ProblemTextFunctions& functions) {
  const std::string text(bytes.begin(), bytes.end());
  const auto spec = unless_refused([&] { return functions.read(text); });
  if (!spec) return;
  const std::string written = functions.write(*spec);
  const auto again = unless_refused([&] { return functions.read(written); });
  if (!again) throw Finding("a problem's own text is refused: " + written);
  if (functions.write(*again) != written) throw Finding("a problem's text changed by reading: " + written);
  if (!is_small(*spec)) return;
  const auto problem = unless_refused([&] { return functions.draw(*spec); });
  const auto same = unless_refused([&] { return functions.draw(*again); });
  if (problem.has_value() != same.has_value()) throw Finding("a problem is drawn or refused by turns: " + written);
  if (problem) require_equal(*problem, *same);
}

}  // namespace deltaproof::fuzz
