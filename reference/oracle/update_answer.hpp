#pragma once

#include "reference/oracle/answer.hpp"

namespace deltaproof {

/// Answers of the update family with the certificate of docs/certificate.md, theorem 3.
HeadAnswer update_answer_double(const HeadInputs& head, const AnswerRequest& request);
HeadAnswer update_answer_mpfr(const HeadInputs& head, const AnswerRequest& request, int bits);

}  // namespace deltaproof
