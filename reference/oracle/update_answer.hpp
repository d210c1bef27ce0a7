#pragma once

#include "reference/oracle/answer.hpp"

namespace deltaproof {

/// Answers of the update family with the certificate of docs/certificate.md, theorem 3. For MPFR
/// and MPFI the caller holds a WorkingPrecision of at least `bits`.
HeadAnswer update_answer_double(const HeadInputs& head, const AnswerRequest& request);
HeadAnswer update_answer_mpfr(const HeadInputs& head, const AnswerRequest& request, int bits);
/// Interval arithmetic: each number encloses the exact one, whatever the certificate says.
HeadAnswer update_answer_mpfi(const HeadInputs& head, const AnswerRequest& request, int bits);

}  // namespace deltaproof
