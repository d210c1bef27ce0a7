#include "properties/diagnose/explain/hypotheses.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "kernels/recorded.hpp"
#include "properties/defects/defect_kernel.hpp"
#include "properties/defects/faulty_kernel.hpp"
#include "properties/defects/kernel_faults.hpp"
#include "reference/arithmetic/built_in.hpp"
#include "tests/properties/diagnose/explain/hypotheses_hits.hpp"

namespace deltaproof {
namespace {

std::string id_of(const Hypotheses& found) {
  return found.ranked.empty() ? "nothing" : std::string(found.ranked.front().defect->id);
}

// Every defect of the catalogue that a kernel can have and that puts a value out of bound, and those that only bits tell.
TEST(Hypotheses, OfADefectOfTheDeclaredOrderNameItFirst) {
  int hits = 0;
  for (const Defect& defect : defect_catalogue()) {
    if (!defect.equivalent.empty() || defect.id.starts_with("noise")) continue;
    const Hit hit = hit_of(defect, "chunk", FileOf::declared_order);
    if (hit.kernel.empty()) continue;
    EXPECT_EQ(hit.rank, 1) << defect.id << ": " << status_name(hit.status) << ", first " << hit.first;
    EXPECT_TRUE(hit.fits) << defect.id;
    hits += hit.is_first() ? 1 : 0;
  }
  EXPECT_GT(hits, 130);
}

TEST(Hypotheses, OfADefectOfARecurrentKernelNameItFirst) {
  for (const char* id : {"decay_after_write", "residual_undecayed", "residual_key_before", "read_undecayed_token"}) {
    const Hit hit = hit_of(*find_defect(id), "recurrent", FileOf::declared_order);
    EXPECT_TRUE(hit.is_first() && hit.fits) << id << ": first " << hit.first;
  }
}

TEST(Hypotheses, OfADefectOfACacheNameItFirst) {
  for (const char* id : {"cache_first", "cache_lowest", "score_square", "sink_missing", "gate_no_sigmoid"}) {
    const Hit hit = hit_of(*find_defect(id), "hola", FileOf::declared_order);
    EXPECT_TRUE(hit.is_first() && hit.fits) << id << ": first " << hit.first;
  }
}

// Files that say nothing of the order of roundings, of another library's: bits are no help.
TEST(Hypotheses, OfAnotherOrderNameTheDefectFirst) {
  for (const char* id : {"gate_shift", "decay_twice_last", "qS_gate_off1", "beta0_tok", "w_nogate", "S_lasttok",
                         "P_future_ij", "kchan_S", "decay_base_2", "A_off1", "scale_none", "solve_off", "merge_sign",
                         "gva_tiled", "initial_transposed", "varlen_carried", "tail_decay", "final_early", "zero_row",
                         "transposed_S"}) {
    const Hit hit = hit_of(*find_defect(id), "chunk", FileOf::other_order);
    EXPECT_TRUE(hit.is_first() && hit.fits) << id << ": rank " << hit.rank << ", first " << hit.first;
  }
}

TEST(Hypotheses, OfAnotherOrderWithItsStatesNameTheDefectFirst) {
  for (const char* id : {"gate_shift", "nocarry", "carry_transposed", "carry_stale", "final_early", "stale_S", "S_lasttok",
                         "transposed_S", "swap_heads"}) {
    const Hit hit = hit_of(*find_defect(id), "chunk", FileOf::other_order_with_states);
    EXPECT_TRUE(hit.is_first() && hit.fits) << id << ": rank " << hit.rank << ", first " << hit.first;
  }
}

ProblemSpec two_rows() {
  ProblemSpec spec;
  spec.options = {{"rule", "gated_delta"}, {"chunk_size", "16"}};
  spec.shape.B = 2, spec.shape.tokens = 40;
  spec.shape.K = 16, spec.shape.V = 16, spec.shape.H = 2, spec.shape.HV = 2;
  spec.shape.initial_state = true;
  return spec;
}

Outputs run_with(const Problem& problem, const MakeFault& make) {
  Generator draw(1, {});
  const FaultyKernel kernel(problem, built_in("deltaproof-chunk", problem.options().rule).value());
  return kernel.run(make(problem, draw));
}

// Defects that no entry of the catalogue resembles.
struct Invented {
  const char* what;
  MakeFault make;
};

std::vector<Invented> invented_defects() {
  using namespace faults;
  std::vector<Invented> all;
  all.push_back({"each token decays by the gate of the token two before", of_run([](auto&, auto&, auto, HeadInputs& run) {
    for (Index t = run.g.rows() - 1; t > 1; --t) run.g.row(t) = run.g.row(t - 2).eval();
  })});
  all.push_back({"value channels are rotated by 3, the first three negated", of_run([](auto&, auto&, auto, HeadInputs& run) {
    const Matrix v = run.v;
    for (Index c = 0; c < v.cols(); ++c) run.v.col((c + 3) % v.cols()) = c < 3 ? Matrix(-v.col(c)) : Matrix(v.col(c));
  })});
  Fault small_L;
  small_L.strictly_lower = [](const MatrixF&, MatrixF& L) { L *= 0.9f; };
  all.push_back({"L is a tenth too small", always(small_L)});
  all.push_back({"queries are those of the other row of the batch",
                 of_run([](const Problem& problem, const Sequence& s, std::int64_t head, HeadInputs& run) {
                   run.q = head_inputs(problem, problem.sequences()[static_cast<std::size_t>(1 - s.index)], head).q;
                 })});
  Fault half_read = at_product(Product::q_state, [](const ChunkStep&, MatrixF& read) { read.bottomRows(read.rows() / 2) *= 0.5f; });
  all.push_back({"the second half of a chunk reads half of the state", always(half_read)});
  Fault odd_writes;
  odd_writes.chunk_inputs = [](TextInput<Bits>& in) {
    for (Index t = 1; t < in.beta.rows(); t += 2) in.beta.row(t) *= 0.5f;
  };
  all.push_back({"every second token is written by half", always(odd_writes)});
  return all;
}

TEST(Hypotheses, NothingFitsADefectOutsideTheCatalogue) {
  const ProblemSpec spec = two_rows();
  const Problem problem = problem_of(spec);
  for (const Invented& defect : invented_defects()) {
    const Outputs outputs = run_with(problem, defect.make);
    for (const char* declares : {"deltaproof-chunk", "generic"}) {
      const ExplainedFile file = explained_file(spec, problem, outputs, declares);
      EXPECT_TRUE(file.out_of_bound) << defect.what;
      EXPECT_GT(file.hypotheses.tried, 80);
      for (const Hypothesis& hypothesis : file.hypotheses.ranked) {
        EXPECT_FALSE(hypothesis.fits()) << defect.what << " (" << declares << "): " << hypothesis.defect->id;
      }
    }
  }
}

TEST(Hypotheses, ARightRunHasNone) {
  const ProblemSpec spec = two_rows();
  const Problem problem = problem_of(spec);
  for (const auto& [order, declares] : {std::pair("chunk", "deltaproof-chunk"), std::pair("fla-chunk", "generic")}) {
    const ExplainedFile file = explained_file(spec, problem, DefectKernel(nullptr, order).run(problem), declares);
    EXPECT_EQ(id_of(file.hypotheses), "nothing") << declares;
    EXPECT_EQ(file.hypotheses.tried, 0) << declares;
  }
}

TEST(Hypotheses, AreTheSameOnAnyNumberOfThreads) {
  const ProblemSpec spec = two_rows();
  const Problem problem = problem_of(spec).with_arithmetic("deltaproof-chunk");
  const DefectKernel kernel(find_defect("gate_shift"), "chunk");
  const Measured measured = measure(problem, kernel, {});
  const Outputs outputs = kernel.run(problem);
  const auto ranked = [&](int threads) {
    std::string text;
    for (const Hypothesis& h : hypotheses(problem, outputs, std::nullopt, measured, {threads, {}}).ranked) {
      text += std::string(h.defect->id) + " " + std::to_string(h.explained) + " " + std::to_string(h.outside) + "\n";
    }
    return text;
  };
  EXPECT_EQ(ranked(1), ranked(3));
  EXPECT_TRUE(ranked(1).starts_with("gate_shift 1.000000 0\n")) << ranked(1);
}

TEST(Hypotheses, SayWhyADefectWasNotTriedAndWhatWasAssumed) {
  const ProblemSpec spec = two_rows();
  const Problem problem = problem_of(spec);
  const Outputs outputs = DefectKernel(find_defect("scale_none"), "chunk").run(problem);
  const Hypotheses found = explained_file(spec, problem, outputs, "generic").hypotheses;
  EXPECT_EQ(found.kernel, "a chunk kernel in fp32");
  EXPECT_EQ(found.assumed, "arithmetic generic declares no order of roundings");
  bool padding = false;
  for (const auto& [defect, why] : found.untried) padding |= defect->id == "slot_padding" && !why.empty();
  EXPECT_TRUE(padding);
  EXPECT_EQ(explained_file(spec, problem, outputs, "deltaproof-chunk").hypotheses.assumed, "");
}

TEST(Hypotheses, NameThePlaceOfADefectThatTouchesAPart) {
  const ProblemSpec spec = two_rows();
  const Problem problem = problem_of(spec);
  const Outputs outputs = DefectKernel(find_defect("P_strict_row"), "chunk").run(problem);
  const Hypotheses found = explained_file(spec, problem, outputs, "deltaproof-chunk").hypotheses;
  ASSERT_EQ(id_of(found), "P_strict_row");
  EXPECT_TRUE(found.ranked.front().place.starts_with("sequence ")) << found.ranked.front().place;
}

}  // namespace
}  // namespace deltaproof
