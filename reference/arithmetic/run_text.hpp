#pragma once

#include <stdexcept>

#include "reference/arithmetic/deltaproof_recurrent.hpp"
#include "reference/arithmetic/fla_chunk.hpp"
#include "reference/arithmetic/fla_gla_chunk.hpp"
#include "reference/arithmetic/fla_kda_chunk.hpp"
#include "reference/arithmetic/fla_recurrent.hpp"
#include "reference/arithmetic/fla_simple_gla_chunk.hpp"
#include "reference/arithmetic/nvlabs_chunk.hpp"

namespace deltaproof {

/// Reads the declared text over one chunk. One line for each text. Throws std::logic_error for a name that is
/// not in the table of texts.
template <Reading R>
TextOutput<R> run_text(const R& r, const TextInput<R>& in) {
  const std::string& text = r.declared().text;
  if (text == "fla-chunk") return fla_chunk(r, in);
  if (text == "fla-simple-gla-chunk") return fla_simple_gla_chunk(r, in);
  if (text == "fla-kda-chunk") return fla_kda_chunk(r, in);
  if (text == "fla-gla-chunk") return fla_gla_chunk(r, in);
  if (text == "nvlabs-chunk") return nvlabs_chunk(r, in);
  if (text == "fla-recurrent") return fla_recurrent(r, in);
  if (text == "deltaproof-recurrent") return deltaproof_recurrent(r, in);
  throw std::logic_error("no text of arithmetic named " + text);
}

}  // namespace deltaproof
