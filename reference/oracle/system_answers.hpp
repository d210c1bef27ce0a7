#pragma once

#include "reference/oracle/answer.hpp"

namespace deltaproof {

/// The answers of the systems beside the update family. R is double, Mpfr or Interval; for the
/// latter two the caller holds a WorkingPrecision of at least `bits`. `route` is left to the
/// caller.
template <class R>
HeadAnswer longhorn_answer(const HeadInputs& head, const AnswerRequest& request, int bits);
template <class R>
HeadAnswer softmax_answer(const HeadInputs& head, const AnswerRequest& request, int bits);
template <class R>
HeadAnswer gsa_answer(const HeadInputs& head, const AnswerRequest& request, int bits);

}  // namespace deltaproof
