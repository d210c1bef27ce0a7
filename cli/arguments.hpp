#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace deltaproof::cli {

/// `check --kernel`: which kernels run, where, and on what.
struct KernelArguments {
  std::vector<std::string> names;    ///< empty: recorded runs are judged
  std::string device = "host";       ///< or "cuda"
  std::string regime = "typical";    ///< or "all": in turn
  std::vector<std::string> properties;  ///< empty: those of every run, and laws in turn; or "all"
  std::optional<std::string> problem;   ///< this one alone, as text (ProblemSpec)
  std::optional<std::int64_t> count;  ///< of generated cases; absent: one of each rule and type
  std::optional<std::int64_t> only;   ///< this generated case alone
  std::string schedule = "all";      ///< or the one under which everything runs
  bool against_host = false;
  double timeout = 30;               ///< seconds a launch may take
};

struct CheckArguments {
  std::vector<std::string> cases;
  KernelArguments kernel;
  std::optional<std::string> arithmetic;  ///< in place of the declared one
  double sample = 1;
  std::uint64_t seed = 0;
  bool strict = false;
  std::string tensor_core = "any";
  std::optional<std::string> report;
};

struct AnswerArguments {
  std::string case_path;
  std::string out;
};

struct ListArguments {
  std::string what;
};

/// `defects`: which known defects are put into which kernel, on which inputs.
struct DefectsArguments {
  std::string kernel = "chunk";      ///< or "recurrent", "fla-chunk"
  std::vector<std::string> defects;  ///< empty: all
  std::vector<std::string> regimes;  ///< empty: all
  std::optional<std::string> report;
  std::uint64_t seed = 0;            ///< of the problems and of places of defects
};

/// `explain`: what is wrong with a recorded run.
struct ExplainArguments {
  std::string case_path;
  std::optional<std::string> arithmetic;  ///< in place of the declared one
  std::string tensor_core = "any";
  bool json = false;
};

/// `shrink`: the smallest case that still fails in the same way.
struct ShrinkArguments {
  std::string case_path;
  std::string out;
  std::optional<std::string> kernel;      ///< run on every smaller problem; absent: the recorded run is sliced
  std::string device = "host";            ///< or "cuda"
  std::optional<std::string> arithmetic;  ///< of a recorded run, in place of the declared one
  double time = 60;                       ///< seconds of search
  double timeout = 30;                    ///< seconds a launch may take
};

/// `hunt`: inputs with the largest error against the bound.
struct HuntArguments {
  std::string kernel;
  std::string device = "host";  ///< or "cuda"
  double time = 60;             ///< seconds of search
  std::optional<std::int64_t> evaluations;  ///< ends the search, too: then it is the same on every machine
  std::uint64_t seed = 0;
  std::optional<std::string> out;  ///< folder of the worst cases, and of what a later run goes on from
  double timeout = 30;             ///< seconds a launch may take
  std::string rule, dtype, objective;  ///< what it is confined to; empty: all
  std::string defect;                  ///< put into the kernel, which is emulated then; empty: none
};

/// `golden`: the vectors in a folder with a manifest.
struct GoldenArguments {
  std::string action;  ///< "verify" or "write"
  std::string folder;
};

/// `audit`: which claims of papers are checked.
struct AuditArguments {
  std::vector<std::string> claims;  ///< ids; empty: all
  std::uint64_t seed = 0;           ///< of searches
  std::optional<std::string> report;
};

/// `compare`: two report.json.
struct CompareArguments {
  std::string before, after;
  bool strict = false, json = false;
};

/// `report`: index.html, from what the other commands have written into a folder.
struct ReportArguments {
  std::string folder;
};

/// Text to print, and nothing else to do: --help, --version.
struct PrintText {
  std::string text;
};

using Command = std::variant<CheckArguments, AnswerArguments, ListArguments, DefectsArguments, ExplainArguments,
                             ShrinkArguments, HuntArguments, GoldenArguments, AuditArguments, CompareArguments,
                             ReportArguments, PrintText>;

/// A command line that cannot be run; the message is one line.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws UsageError.
Command parse_arguments(int argc, const char* const* argv);

/// What `list` can list.
const std::vector<std::string>& list_topics();

}  // namespace deltaproof::cli
