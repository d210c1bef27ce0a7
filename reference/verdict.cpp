#include "reference/verdict.hpp"

namespace deltaproof {

const char* status_name(Status status) {
  switch (status) {
    case Status::passed:
      return "passed";
    case Status::failed:
      return "failed";
    case Status::nonconforming:
      return "nonconforming";
    case Status::suspect:
      return "suspect";
    case Status::uninformative:
      return "uninformative";
    case Status::skipped:
      return "skipped";
    case Status::error:
      return "error";
  }
  return "error";
}

bool is_failure(Status status) {
  return status == Status::failed || status == Status::nonconforming || status == Status::suspect ||
         status == Status::error;
}

std::string to_string(const Location& location) {
  std::string text = location.tensor;
  char separator = ':';
  const auto add = [&](const char* name, std::int64_t index) {
    if (index < 0) return;
    text += separator;
    text += ' ';
    text += name;
    text += ' ';
    text += std::to_string(index);
    separator = ',';
  };
  add("sequence", location.sequence);
  add("token", location.token);
  if (location.chunk >= 0 && location.token >= 0) {
    text += " (chunk " + std::to_string(location.chunk);
    if (location.chunk_position >= 0)
      text += ", position " + std::to_string(location.chunk_position);
    text += ")";
  } else {
    add("chunk", location.chunk);
  }
  add("head", location.head);
  add("row", location.row);
  add("column", location.column);
  return text;
}

Summary summarise(const std::vector<Verdict>& verdicts) {
  Summary summary;
  for (const Verdict& verdict : verdicts) {
    switch (verdict.status) {
      case Status::passed:
        ++summary.passed;
        break;
      case Status::failed:
        ++summary.failed;
        break;
      case Status::nonconforming:
        ++summary.nonconforming;
        break;
      case Status::suspect:
        ++summary.suspect;
        break;
      case Status::uninformative:
        ++summary.uninformative;
        break;
      case Status::skipped:
        ++summary.skipped;
        break;
      case Status::error:
        ++summary.error;
        break;
    }
  }
  return summary;
}

int exit_status(const Summary& summary, bool strict) {
  if (summary.failed > 0 || summary.nonconforming > 0 || summary.error > 0) return 1;
  if (strict && summary.suspect > 0) return 1;
  if (summary.uninformative > 0 || summary.skipped > 0) return 3;
  return summary.passed + summary.suspect > 0 ? 0 : 3;
}

}  // namespace deltaproof
