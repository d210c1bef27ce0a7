#pragma once

#include "reference/oracle/answer.hpp"

namespace deltaproof {

/// Scores of a head with certified radii (docs/certificate.md, theorem 9): tokens x 1.
struct CacheScores {
  Matrix score, radius;
};

/// Scores that are fixed when a token is written, from the answer of the head's `state_part()`, which must hold what
/// `score_request` asks for. A route other than double computes them in intervals at its precision, so that a score
/// that doubles hold exactly has radius 0. Throws InputError for `attention`.
CacheScores cache_scores(const HeadInputs& head, const HeadAnswer& state_answer);

/// `request` and what the score needs of the state's answer.
AnswerRequest score_request(AnswerRequest request, CacheScore score);

}  // namespace deltaproof
