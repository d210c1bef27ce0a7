// Shrinks a defect in a small run and writes case and test into a folder: the test is compiled and run as it is written.
#include <cstdio>
#include <filesystem>

#include "properties/defects/catalogue.hpp"
#include "properties/diagnose/shrink/shrunk_file.hpp"
#include "properties/diagnose/shrink/snippet.hpp"
#include "reports/write.hpp"
#include "tests/properties/diagnose/shrink/defect_case.hpp"

int main(int argc, char** argv) {
  using namespace deltaproof;
  if (argc != 2) return 2;
  const std::filesystem::path folder = argv[1], file = folder / "small.safetensors";
  ProblemSpec spec;
  spec.options = {{"rule", "gated_delta"}, {"chunk_size", "16"}, {"arithmetic", "fla-chunk"}};
  spec.shape.tokens = 40, spec.shape.K = spec.shape.V = 16;
  const DefectKernel kernel(find_defect("scale_none"), "fla-chunk");
  const ShrunkCase shrunk = shrink_case(case_of(spec), KernelJudge(kernel, {}));
  if (!shrunk.fails()) return 1;
  write_report_file(folder, snippet_name(file), test_snippet(shrunk, {"small.safetensors", "small", "deltaproof check small.safetensors"}));
  write_shrunk_case(file, shrunk, "a drawn problem");
  std::puts("written");
  return 0;
}
