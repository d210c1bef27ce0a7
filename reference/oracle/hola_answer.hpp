#pragma once

#include "reference/oracle/answer.hpp"

namespace deltaproof {

/// Answers of rule `hola`: the state's answer by that route, scores from its u or e, the sets they give, and the cache
/// read with them. For MPFR and MPFI the caller holds a WorkingPrecision of at least `bits`.
HeadAnswer hola_answer_double(const HeadInputs& head, const AnswerRequest& request);
HeadAnswer hola_answer_mpfr(const HeadInputs& head, const AnswerRequest& request, int bits);
HeadAnswer hola_answer_mpfi(const HeadInputs& head, const AnswerRequest& request, int bits);

/// Whether some A_n is not certain: more bits may not help, for scores can be equal.
bool sets_undecided(const HeadAnswer& answer);

}  // namespace deltaproof
