#include <algorithm>

#include "properties/claims/hola_figures.hpp"
#include "properties/claims/hola_parts.hpp"
#include "properties/claims/hola_search.hpp"

namespace deltaproof::claims {
namespace {

const char* const place = "Section 3.5";
constexpr int bf16_bytes = 2;

Rational value(const std::string& key) { return hola(key).value; }

/// Of all layers: scales of the norms of queries and keys, one for every channel of a head, and a sink and a gate a
/// head.
Derived added_parameters(bool scales_of_each_head) {
  const Rational copies = scales_of_each_head ? value("heads") : Rational(1);
  return exact_number(scales_of_each_head ? "24 (2 x 4 x 256 + 4 + 4)" : "24 (2 x 256 + 4 + 4)",
                      value("layers") * (2 * copies * value("head_dimension") + 2 * value("heads")));
}

Claim parameters() {
  return figure_claim(
      "hola.parameters", Voice::stated, place, "6",
      "the cache adds 12,480 trained parameters: in each of 24 layers scales for queries and keys, "
      "256 each and shared by the heads, and a sink and a gate for each of 4 heads",
      is_printed(added_parameters(false), hola("parameters")),
      {{"each head has its own scales", Outcome::refuted, is_printed(added_parameters(true), hola("parameters"))},
       {"with scales of their own the heads add 49,344", Outcome::holds, is_printed(added_parameters(true), "49344")}});
}

Claim parameter_share() {
  const Range all = exactly(1000000) * hola("model_parameters").range;
  const Derived share{"12480 of 340 million, in percent",
                      100 * value("parameters") / (1000000 * value("model_parameters")),
                      exactly(100 * value("parameters")) / all};
  return figure_claim("hola.parameter_share", Voice::stated, place, "6",
                      "the 12,480 added parameters are less than 0.004 % of the 340M model",
                      lies_in(share, {0, value("parameter_share")}),
                      {{"they are less than 0.003 %", Outcome::refuted, lies_in(share, {0, Rational(3, 1000)})},
                       {"they are 0.00367 %", Outcome::holds, is_printed(share, "0.00367")}});
}

Claim temperatures() {
  const Derived each = exact_number("24 x 4", value("layers") * value("heads"));
  return figure_claim("hola.temperatures", Voice::derived, place, "6",
                      "there are 96 frozen temperatures, one for each head of each layer",
                      is_printed(each, hola("temperatures")),
                      {{"one for each layer makes 96", Outcome::refuted,
                        is_printed(exact_number("24", value("layers")), hola("temperatures"))}});
}

/// Keys and values of some entries in all heads.
Derived cache_bytes(const std::string& entries, const Rational& count) {
  return exact_number("24 layers x 4 heads x " + entries + " entries x 2 x 256 x 2 bytes",
                      value("layers") * value("heads") * count * 2 * value("head_dimension") * bf16_bytes);
}

Derived all_entries() { return cache_bytes("(64 + 256)", value("w") + value("chunk")); }

Claim cache_size() {
  return figure_claim(
      "hola.cache_bytes", Voice::stated, place, "6",
      "keys and values of one sequence take 31,457,280 bytes: those of w + C = 320 entries a head, in bf16",
      is_printed(all_entries(), hola("kv_bytes")),
      {{"they are those of w + C + 1 = 321 entries", Outcome::refuted,
        is_printed(cache_bytes("321", value("w") + value("chunk") + 1), hola("kv_bytes"))},
       {"they are those of the w = 64 persistent ones", Outcome::refuted,
        is_printed(cache_bytes("64", value("w")), hola("kv_bytes"))}});
}

Claim cache_units() {
  const Derived mib = exact_number("31457280 / 2^20", value("kv_bytes") / (1 << 20)),
                mb = exact_number("31457280 / 10^6", value("kv_bytes") / 1000000);
  return figure_claim("hola.cache_mib", Voice::stated, place, "6", "31,457,280 bytes are 30 MiB, exactly",
                      lies_in(mib, exactly(value("kv_mib"))),
                      {{"they are 31.46 MB", Outcome::holds, is_printed(mb, hola("kv_mb"))},
                       {"they are 30 MB", Outcome::refuted, is_printed(mb, hola("kv_mib"))}});
}

Claim peak_share() {
  const Derived more = percent_change(hola("peak_gdn"), hola("peak_hola"));
  return figure_claim("hola.peak_memory", Voice::stated, place, "6",
                      "at 0.75 GB against 0.72 GB HOLA's peak allocation is about 5 % larger than GDN's",
                      is_printed(more, hola("peak_share")),
                      {{"it is 4.2 % larger", Outcome::holds, is_printed(more, "4.2")},
                       {"it is 10 % larger", Outcome::refuted, is_printed(more, "10")}});
}

Claim peak_explained() {
  const Range difference = change(hola("peak_gdn"), hola("peak_hola")).range;
  const auto gigabytes = [](const Derived& bytes, int factor) {
    return exact_number("cache in GB", factor * bytes.value / 1000000000);
  };
  return figure_claim(
      "hola.peak_difference", Voice::derived, place, "6",
      "the peak allocations of HOLA and GDN differ by the cache's keys and values, as far as the printed digits tell",
      lies_in(gigabytes(all_entries(), 1), difference),
      {{"so it is in fp32", Outcome::refuted, lies_in(gigabytes(all_entries(), 2), difference)},
       {"so it is with the w persistent entries alone", Outcome::refuted,
        lies_in(gigabytes(cache_bytes("64", value("w")), 1), difference)}});
}

Claim head_width() {
  const Derived all = exact_number("4 x 256", value("heads") * value("head_dimension"));
  return figure_claim("hola.head_width", Voice::derived, "Section 4.1", "7",
                      "the heads of the main model, 4 of 256 channels, have its width, 1024",
                      is_printed(all, hola("width")),
                      {{"8 heads of 256 have", Outcome::refuted,
                        is_printed(exact_number("8 x 256", 8 * value("head_dimension")), hola("width"))}});
}

/// A sequence length.
struct Length {
  std::int64_t tokens;
};

std::vector<Named> inputs_of(const Length& length) { return {{"T", std::to_string(length.tokens)}}; }

enum class Reader { cache, full_attention };

/// Entries that the query at `t` sees, at most, and that are then held; the sink is one.
std::int64_t entries(std::int64_t t, Reader reader) {
  const std::int64_t w = 64, chunk = 256, before = t / chunk * chunk;
  return reader == Reader::full_attention ? t + 2 : std::min(w, before) + (t - before + 1) + 1;
}

Quantity<Length> peak(Reader reader, int factor, const std::string& name) {
  return {name, [=](const Length& length) {
            std::int64_t most = 0;
            for (std::int64_t t = 0; t < factor * length.tokens; ++t) most = std::max(most, entries(t, reader));
            return number(most * 2 * 256 + 256 * 256);  // keys, values and the state of a head
          }};
}

Quantity<Length> reads(Reader reader) {
  return {"entries read by all queries", [=](const Length& length) {
            std::int64_t sum = 0;
            for (std::int64_t t = 0; t < length.tokens; ++t) sum += entries(t, reader);
            return number(sum);
          }};
}

Check over_lengths(const Universal<Length>& statement) {
  return [statement](const Effort&) {
    std::vector<Length> lengths;
    for (const std::int64_t tokens : {1, 64, 255, 320, 321, 512, 642, 1000, 2048, 8192, 32768, 131072})
      lengths.push_back({tokens});
    return decide(statement, lengths);
  };
}

Claim bounded_memory() {
  const Premise<Length> filled{"T >= 512", [](const Length& length) { return length.tokens >= 512; }};
  Universal<Length> stated{peak(Reader::cache, 1, "numbers held by a head at T"),
                           Relation::equal,
                           peak(Reader::cache, 4, "numbers held at 4 T"),
                           filled,
                           {},
                           "From the second chunk on w + C + 1 entries are the most."};
  Universal<Length> full = stated, from_one = stated;
  full.left = peak(Reader::full_attention, 1, "numbers held by full attention at T");
  full.right = peak(Reader::full_attention, 4, "numbers held at 4 T");
  from_one.premise = {};
  return {"hola.bounded_memory",
          {"hola", place, "6", Voice::derived},
          "hOLA's memory does not grow with the sequence: at 32k and at 128k it is the same",
          "fixed w, C and widths; at least two chunks",
          "counted token by token for lengths up to 131,072 and four times that, w = 64, C = 256, heads of 256 x 256",
          over_lengths(stated),
          {{"so it is from the first token on", Outcome::refuted, over_lengths(from_one)},
           {"so is that of full attention", Outcome::refuted, over_lengths(full)}}};
}

Claim linear_reads() {
  const Quantity<Length> line{"321 T", [](const Length& length) { return number(321 * length.tokens); }};
  Universal<Length> stated{
      reads(Reader::cache), Relation::at_most, line, {}, {}, "Each of T queries reads at most w + C + 1 entries."};
  Universal<Length> full = stated, fewer = stated;
  full.left = reads(Reader::full_attention);
  fewer.right = {"64 T", [](const Length& length) { return number(64 * length.tokens); }};
  return {"hola.linear_reads",
          {"hola", place, "6", Voice::derived},
          "hOLA's reads of a sequence cost no more than in proportion to its length: 321 entries a query",
          "fixed w and C",
          "counted token by token for lengths up to 131,072, w = 64, C = 256",
          over_lengths(stated),
          {{"so do those of full attention", Outcome::refuted, over_lengths(full)},
           {"they cost 64 entries a query", Outcome::refuted, over_lengths(fewer)}}};
}

}  // namespace

std::vector<Claim> hola_cost_claims() {
  return {parameters(), parameter_share(), temperatures(), cache_size(),     cache_units(),
          peak_share(), peak_explained(),  head_width(),   bounded_memory(), linear_reads()};
}

}  // namespace deltaproof::claims
