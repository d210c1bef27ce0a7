#include "properties/claims/papers.hpp"

#include <stdexcept>

namespace deltaproof::claims {

const std::vector<Paper>& papers() {
  static const std::vector<Paper> all{
      {"kla", "Kaczmarz Linear Attention", "arXiv 2605.08587v1", "2026-05-09"},
      {"hola", "A Hippocampus for Linear Attention: An Exact Memory for What the Recurrent State Forgets",
       "arXiv 2607.02303v1", "2026-07-02"},
      {"kernels", "Published kernels and the rules that accept them", "docs/defects.md, golden/README.md", ""},
  };
  return all;
}

const Paper& paper(const std::string& id) {
  for (const Paper& each : papers()) {
    if (each.id == id) return each;
  }
  throw std::out_of_range("no paper " + id);
}

}  // namespace deltaproof::claims
