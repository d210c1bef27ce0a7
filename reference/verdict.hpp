#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace deltaproof {

/// See docs/verdicts.md for what each one promises.
enum class Status { passed, failed, nonconforming, suspect, uninformative, skipped, error };

const char* status_name(Status status);

/// Whether something speaks against the run: `failed`, `nonconforming`, `suspect` or `error`.
bool is_failure(Status status);

/// Where in a tensor: -1 where an axis does not apply.
struct Location {
  std::string tensor;               ///< "o", "final_state", "chunk_states"
  std::int64_t sequence = -1;
  std::int64_t token = -1;          ///< from 0 in its sequence; for a state, tokens before it
  std::int64_t chunk = -1;
  std::int64_t chunk_position = -1; ///< token's place in its chunk
  std::int64_t head = -1;           ///< value head
  std::int64_t row = -1;            ///< key channel, states only
  std::int64_t column = -1;         ///< value channel
};

/// "o: sequence 0, token 70 (chunk 1, position 6), head 1, column 12"
std::string to_string(const Location& location);

/// One term of a bound at the worst element.
struct BoundTerm {
  std::string name;
  double value = 0;
};

/// What a probe of vacuity found, for one tensor and head.
struct Probe {
  std::string tensor;
  std::int64_t head = -1;
  std::string wrong_answer;  ///< "zeros", "shifted by one token", "flipped sign"
  bool accepted = false;     ///< the bound would have accepted it, in some chunk of some sequence
  std::int64_t places = 0;   ///< in how many chunks (states: boundaries)
  Location first = {};       ///< the first of them: its sequence, chunk and first token
};

/// How a run agrees with the declared order of roundings.
struct ConformityReport {
  std::string declaration;    ///< "the built-in fla-chunk", "fla-chunk with merge ieee instead of .."
  std::string layout;         ///< the layout that autotuning chose: how it differs from the declared one, or ""
  std::string pin;            ///< "PIN", "PIN (carried)", or "" where there is none
  std::string bits;           ///< tensor core that was emulated ("fp32": none is used), or "" where nothing was
  std::int64_t pin_compared = 0, pin_violations = 0;
  std::int64_t pin_unknown = 0;      ///< values of which PIN knows nothing
  std::int64_t pin_unambiguous = 0;  ///< values that PIN knows to the bit
  bool has_pin_first_bad = false;
  Location pin_first_bad;            ///< earliest value outside
  std::int64_t bits_compared = 0, bits_unequal = 0;
  Location bits_first;               ///< earliest unequal one, if any
  std::vector<std::string> fits;     ///< declarations that would fit, if this one does not
  std::vector<std::string> missing;  ///< why there is no PIN, why nothing was emulated
};

/// A pattern in the errors that chance does not explain (docs/advisory.md, 3).
struct Structure {
  std::string statistic;  ///< "slope" (error along the right answer) or "energy" (mean square in units of sigma)
  std::string tensor;     ///< "o", "states"
  std::string group;  ///< "all", "head", "chunk", "position" (o), "row" (states), "column"
  std::int64_t index = -1;  ///< which head, chunk, position or column; -1 for all
  double value = 0;       ///< slope: relative; energy: 1 or less is expected
  double expected = 0;    ///< of a correct kernel, before chance
  double limit = 0;       ///< slope: how far from `expected` it is reported; energy: above what
};

/// What the probabilistic tier saw (docs/advisory.md).
struct AdvisoryReport {
  std::string off;  ///< why it is off for the whole run, or ""
  std::int64_t units = 0, units_off = 0;  ///< chunks of heads judged; left out, because of `why_units_off`
  std::string why_units_off;
  double sigma_limit = 0;  ///< in standard deviations, from the number of values
  std::int64_t sigma_compared = 0, sigma_outside = 0;
  double sigma_largest = 0;  ///< in standard deviations
  Location sigma_worst;      ///< there
  std::int64_t statistics = 0;          ///< structured ones that were tested
  std::vector<Structure> structures;    ///< those beyond their limit, worst first
};

/// What a kernel was built from and where it ran; fields that do not apply are empty.
struct Provenance {
  std::string source_hash;  ///< SHA-256 of the kernel's sources
  std::string compiler, flags;
  std::string device;       ///< "host executor, schedule random, seed 0", "NVIDIA H200 (sm_90)"
  std::string driver;
  std::string tensor_core;  ///< model that the executor followed
  std::string launch;       ///< blocks, threads and shared memory
};

/// A place in a source that a check points at: a race, an access out of bounds, a deadlock ...
struct SourceFinding {
  std::string kind;       ///< "race", "out of bounds", "uninitialised read", "deadlock", "crash", "hang" ..
  std::string message;    ///< one sentence
  std::string file;       ///< from the top of the source tree
  std::int64_t line = 0;  ///< from 1; 0: unknown
};

/// Errors of one tensor against what is allowed, reduced for a picture (docs/verdicts.md). Every number is the largest of
/// what it stands for; a ratio is |error| / allowed as in `worst_ratio`, and NaN where nothing was compared.
struct TensorProfile {
  std::string tensor;                    ///< "o"; "states": every recorded one, initial aside, and the final ones
  std::vector<std::int64_t> heads;       ///< rows of `ratio`: value heads
  std::int64_t tokens = 0;               ///< of all sequences, one after another
  std::int64_t tokens_a_cell = 1;        ///< columns of `ratio`, entries of `error` and `allowed`
  std::vector<std::vector<double>> ratio;  ///< [head][cell]
  std::vector<double> error, allowed;    ///< [cell], over all heads, at the largest ratio
  std::int64_t chunk_size = 0;
  std::vector<double> position;          ///< [position in chunk]: ratio; of `o` alone
  double histogram_from = 0, histogram_step = 0;  ///< log10 of ratios: bucket i begins at from + i step
  std::vector<std::int64_t> histogram;   ///< counts of compared values; the first has those below, the last those above
};

/// The outcome of one check of one kernel on one problem.
struct Verdict {
  std::string case_name;
  std::string case_path;
  std::string kernel;
  std::string arithmetic;   ///< declared; `bound` says what it was judged by
  std::string property;     ///< "accuracy", "schedules", "checked", "against_host", "gradients"
  std::string bound;        ///< "LOC", "ADJ", "fp64", "LOC (generic, assumed)" ...
  Status status = Status::error;
  std::string reason;       ///< one sentence; never empty unless passed
  double worst_ratio = 0;   ///< largest |error| / bound over all compared values
  Location worst;           ///< where
  double value = 0, expected = 0, error = 0, bound_value = 0;  ///< there
  std::vector<BoundTerm> terms;                                ///< of the bound there
  bool has_first_bad = false;
  Location first_bad;       ///< earliest token out of bound
  std::int64_t compared = 0, violations = 0;
  std::vector<Probe> probes;
  std::optional<ConformityReport> conformity;  ///< where an order of roundings is declared
  std::optional<AdvisoryReport> advisory;      ///< where the bound's formats are those of a chunk kernel
  Provenance ran;           ///< of a kernel that was run
  std::string outputs_hash; ///< SHA-256 of the judged outputs' bits
  std::string reproduce;    ///< command line
  std::vector<std::string> notes;  ///< unused tensors, precision used, what was assumed
  std::vector<SourceFinding> findings;   ///< where a run that was checked for races and bounds went wrong
  std::vector<TensorProfile> profile;    ///< filled for reports only
  std::vector<std::string> explained;    ///< what `explain` says, by lines; empty: it was not asked
};

/// Count of each status, and the exit status that follows (docs/verdicts.md).
struct Summary {
  int passed = 0, failed = 0, nonconforming = 0, suspect = 0, uninformative = 0, skipped = 0, error = 0;
};
Summary summarise(const std::vector<Verdict>& verdicts);
int exit_status(const Summary& summary, bool strict);

}  // namespace deltaproof
