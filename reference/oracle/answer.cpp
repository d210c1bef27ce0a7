#include "reference/oracle/answer.hpp"

#include <algorithm>
#include <stdexcept>

#include "reference/oracle/hola_answer.hpp"
#include "reference/oracle/system_answers.hpp"
#include "reference/oracle/update_answer.hpp"
#include "reference/rules/scalar.hpp"

namespace deltaproof {
namespace {

template <class R>
HeadAnswer other_system(const HeadInputs& head, const AnswerRequest& request, int bits,
                        const char* route) {
  HeadAnswer answer;
  switch (rule_info(head.options.rule).system) {
    case System::longhorn:
      answer = longhorn_answer<R>(head, request, bits);
      break;
    case System::softmax:
      answer = softmax_answer<R>(head, request, bits);
      break;
    case System::gsa:
      answer = gsa_answer<R>(head, request, bits);
      break;
    case System::hola:
      throw std::logic_error("hola has its own answer");
    case System::update_family:
      throw std::logic_error("the update family has its own answer");
  }
  answer.route = route;
  return answer;
}

bool in_update_family(const HeadInputs& head) {
  return rule_info(head.options.rule).system == System::update_family;
}

bool has_cache(const HeadInputs& head) { return head.options.rule == Rule::hola; }

}  // namespace

HeadAnswer answer_double(const HeadInputs& head, const AnswerRequest& request) {
  if (in_update_family(head)) return update_answer_double(head, request);
  if (has_cache(head)) return hola_answer_double(head, request);
  return other_system<double>(head, request, 53, "double");
}

HeadAnswer answer_mpfr(const HeadInputs& head, const AnswerRequest& request, int bits) {
  const WorkingPrecision precision(bits);
  if (in_update_family(head)) return update_answer_mpfr(head, request, bits);
  if (has_cache(head)) return hola_answer_mpfr(head, request, bits);
  return other_system<Mpfr>(head, request, bits, "mpfr");
}

HeadAnswer answer_mpfi(const HeadInputs& head, const AnswerRequest& request, int bits) {
  const WorkingPrecision precision(bits);
  if (in_update_family(head)) return update_answer_mpfi(head, request, bits);
  if (has_cache(head)) return hola_answer_mpfi(head, request, bits);
  return other_system<Interval>(head, request, bits, "mpfi");
}

}  // namespace deltaproof
