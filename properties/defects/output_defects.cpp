#include "properties/defects/output_damage.hpp"
#include "properties/defects/tables.hpp"

namespace deltaproof {

std::vector<Defect> output_defects() {
  using namespace damage;
  using enum Stage;
  using enum Reach;
  const std::vector<std::string> states = {"chunk_states", "final_state"};
  return {
      {"o_x1.003", output, BugClass::miscompile, "every output is 0.3 % too large", "o times 1.003",
       scale({"o"}, 1.003)},
      {"o_x1.01", output, BugClass::miscompile, "every output is 1 % too large", "o times 1.01", scale({"o"}, 1.01)},
      {"chunk_x1.003", output, BugClass::miscompile, "the outputs of one chunk are 0.3 % too large",
       "o of chunk 1 times 1.003", scale_chunk(1.003), everywhere, Needs::two_chunks},
      {"S_x1.0003", output, BugClass::miscompile, "every state is 0.03 % too large", "S times 1.0003",
       scale(states, 1.0003)},
      {"S_x1.003", output, BugClass::miscompile, "every state is 0.3 % too large", "S times 1.003",
       scale(states, 1.003)},
      {"ulp1", output, BugClass::miscompile, "one output is one unit off", "one element of o, 1 ulp",
       move(1, Element::any), one_place},
      {"ulp2", output, BugClass::miscompile, "one output is two units off", "one element of o, 2 ulp",
       move(2, Element::any), one_place},
      {"ulp4", output, BugClass::miscompile, "one output is four units off", "one element of o, 4 ulp",
       move(4, Element::any), one_place},
      {"ulp8", output, BugClass::miscompile, "one output is eight units off", "one element of o, 8 ulp",
       move(8, Element::any), one_place},
      {"ulp2_big", output, BugClass::miscompile, "the largest output of a row is two units off",
       "largest |o| of a row, 2 ulp", move(2, Element::largest_of_a_row), one_place},
      {"ulp8_max", output, BugClass::miscompile, "the largest output of the run is eight units off",
       "largest |o|, 8 ulp", move(8, Element::largest)},
      {"zero_el", output, BugClass::uninitialised, "one output is zero", "one element of o = 0", zero_element(),
       one_place},
      {"zero_row", output, BugClass::uninitialised, "the outputs of one token are zero", "o_t = 0 in one head",
       zero_row(), one_place},
      {"zero_col", output, BugClass::uninitialised, "one value channel of one head is zero", "o[:, c] = 0",
       zero_column(), one_channel},
      {"swap_rows", output, BugClass::layout, "the outputs of two neighbouring tokens are exchanged",
       "o_t, o_{t+1} swapped", swap_tokens(), one_place},
      {"swap_cols", output, BugClass::layout, "two neighbouring value channels are exchanged",
       "o[:, c], o[:, c+1] swapped", swap_columns(), one_channel, Needs::two_columns},
      {"swap_heads", output, BugClass::layout, "the outputs of two heads are exchanged", "o of heads 0 and 1 swapped",
       swap_heads(), everywhere, Needs::two_heads},
      {"shift_token", output, BugClass::causality, "outputs come one token late", "o_t = o_{t-1}", shift_token()},
      {"transposed_S", output, BugClass::layout, "states are stored with key and value channels exchanged",
       "S^T for every S", transpose_states(false), everywhere, Needs::square_state},
      {"transposed_ST", output, BugClass::layout, "the last state is stored with key and value channels exchanged",
       "S^T for the final state", transpose_states(true), everywhere, Needs::square_state},
      {"S_el_1e-3", output, BugClass::miscompile, "one element of one state is 0.1 % too large",
       "one element of S times 1.001", scale_state_element(1.001), one_place},
      {"noise_2e-3", output, BugClass::miscompile, "outputs carry noise of 0.2 %", "o + N(0, 0.002 rms(o))",
       noise(2e-3)},
      {"noise_5e-3", output, BugClass::miscompile, "outputs carry noise of 0.5 %", "o + N(0, 0.005 rms(o))",
       noise(5e-3)},
  };
}

}  // namespace deltaproof
