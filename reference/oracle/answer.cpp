#include "reference/oracle/answer.hpp"

#include <stdexcept>

#include "reference/oracle/update_answer.hpp"
#include "reference/rules/rule.hpp"

namespace deltaproof {

HeadAnswer answer_double(const HeadInputs& head, const AnswerRequest& request) {
  switch (rule_info(head.options.rule).system) {
    case System::update_family: return update_answer_double(head, request);
    case System::longhorn:
    case System::softmax:
    case System::gsa: break;
  }
  throw std::logic_error("unknown system");
}

HeadAnswer answer_mpfr(const HeadInputs& head, const AnswerRequest& request, int bits) {
  switch (rule_info(head.options.rule).system) {
    case System::update_family: return update_answer_mpfr(head, request, bits);
    case System::longhorn:
    case System::softmax:
    case System::gsa: break;
  }
  throw std::logic_error("unknown system");
}

}  // namespace deltaproof
