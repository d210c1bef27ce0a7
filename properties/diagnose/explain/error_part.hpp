#pragma once

#include <string>
#include <vector>

#include "properties/diagnose/explain/chunk_terms.hpp"

namespace deltaproof {

/// A term of a right value that an error may be a multiple of: then it is that term which is wrong.
struct ErrorPart {
  const char* name;   ///< "the decay of the state", in "as if the decay of the state were .."
  const char* stage;  ///< "decay", "solve", "values", "read", "carry"
  Matrix value;       ///< of the error's shape
};

/// The terms of `o` of token t of a chunk that it owes to what is before the chunk, to each operation of its own step and
/// to the chunk: 1 x V each. Of a chunk whose own terms coincide (its first token, from a zero state) several are equal.
std::vector<ErrorPart> parts_of_token(const ChunkTerms& terms, Index t);

/// The terms of the state after a chunk: K x V each.
std::vector<ErrorPart> parts_of_state(const ChunkTerms& terms);

/// An error as `factor` times a part.
struct PartFit {
  double factor = 0;
  double explained = 0;  ///< share of the error's energy
  bool fits = false;     ///< what is left is within (1 + |factor|) times what is allowed, and is less than a tenth
};

/// Least squares. What is allowed counts 1 + |factor| times: the wrong term is rounded as the right one, in proportion.
PartFit fit_part(const Matrix& error, const Matrix& part, const Matrix& allowed);

/// The write of one token, k_t w^T with any w, that an error of the state after a chunk is; -1: of no one token.
Index lone_write(const ChunkTerms& terms, const Matrix& error, const Matrix& allowed);

/// Whether `o` of a chunk's last token is what a right kernel reads of the state that was recorded after it: then what is
/// wrong was wrong before both. `unknown`: what is allowed is too wide to tell. Errors: 1 x V, K x V.
enum class SameState { no, yes, unknown };
SameState same_state(const ChunkTerms& terms, const Matrix& o_error, const Matrix& o_allowed, const Matrix& state_error);

/// Whether a write of token t that is as wrong as `o` of that token (1 x V) would show in the state after the chunk.
bool shows_in_state(const ChunkTerms& terms, Index t, const Matrix& o_error, const Matrix& state_allowed);

/// Whether one and the same wrong u would give both errors, of `o` and of the state after a chunk. `no` rules out that u alone
/// is wrong; `yes` rules out nothing: where keys are few or alike, a wrong decay or state before may look the same. `unknown`:
/// keys that depend on each other, a right value of zero, or bounds too wide to tell.
enum class SameWrites { no, yes, unknown };
SameWrites same_writes(const ChunkTerms& terms, const Matrix& o_error, const Matrix& o_allowed, const Matrix& state_error,
                       const Matrix& state_allowed);

}  // namespace deltaproof
