#include "reference/arithmetic/resolved.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "reference/arithmetic/texts.hpp"

namespace deltaproof {
namespace {

bool has(const TextInfo& text, Point point) {
  return std::find(text.points.begin(), text.points.end(), point) != text.points.end();
}

// The last point that a factor went through.
Point last_of(const TextInfo& text, Point preferred, Point otherwise) {
  return has(text, preferred) ? preferred : otherwise;
}

std::pair<Point, Point> factors(const TextInfo& text, Product product) {
  switch (product) {
    case Product::gram:
      if (has(text, Point::x_decayed)) return {Point::x_decayed, Point::x_decayed};
      // Texts that round b k before the Gram product have no decay in that point.
      return {has(text, Point::w_decayed) ? Point::k_beta : Point::k, Point::k};
    case Product::scores:
      if (has(text, Point::x_decayed)) return {Point::x_decayed, Point::x_decayed};
      return {last_of(text, Point::q_scaled, Point::q), Point::k};
    case Product::u:
      return {Point::T, Point::v_beta};
    case Product::w:
      return {Point::T, last_of(text, Point::k_beta_decayed, Point::k_beta)};
    case Product::w_state:
      return {last_of(text, Point::w_decayed, Point::w), Point::state_copy};
    case Product::q_state:
      return {last_of(text, Point::q_scaled, Point::q), Point::state_copy};
    case Product::p_v:
      return {Point::P, Point::v_new};
    case Product::state:
      return {last_of(text, Point::k_scaled, Point::k), last_of(text, Point::v_scaled, Point::v_new)};
  }
  throw std::logic_error("unknown product");
}

}  // namespace

std::optional<Format> Resolved::format(Point point) const {
  switch (declared[point].format) {
    case PointFormat::beta:
      if (beta_in_f32) return std::nullopt;
      [[fallthrough]];
    case PointFormat::input:
      if (input == formats::f32) return std::nullopt;
      return input;
    case PointFormat::stored:
      if (stored == formats::f32) return std::nullopt;
      return stored;
    case PointFormat::bf16:
      return formats::bf16;
    case PointFormat::f16:
      return formats::f16;
    case PointFormat::tf32:
      return formats::tf32;
    case PointFormat::f32:
      return std::nullopt;
  }
  throw std::logic_error("unknown format of a rounding point");
}

// Rows that the kernel does not make, and values of points that the text does not have, are inputs.
Format Resolved::factor(Point point) const {
  const bool given = (point == Point::q && !normalises_q) || (point == Point::k && !normalises_k) ||
                     !has(*find_text(declared.text), point);
  return given ? input : format(point).value_or(formats::f32);
}

std::optional<Operand> Resolved::operand(Product product) const {
  const bool ieee = declared.f32_products == F32Products::ieee || (product == Product::u && declared.u_ieee);
  if (input == formats::f32 && ieee) return std::nullopt;
  const auto [left, right] = factors(*find_text(declared.text), product);
  const Format a = factor(left), b = factor(right);
  if (a == formats::bf16 && b == formats::bf16) return Operand::bf16;
  if (a == formats::f16 && b == formats::f16) return Operand::f16;
  return Operand::tf32;
}

Resolved resolve(const Declared& declared, const Format& input, const Format& stored, bool normalises_q,
                 bool normalises_k, bool beta_in_f32) {
  if (find_text(declared.text) == nullptr) throw std::logic_error("no text named " + declared.text);
  return {declared, input, stored, normalises_q, normalises_k, beta_in_f32};
}

}  // namespace deltaproof
