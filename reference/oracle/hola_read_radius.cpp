#include "reference/oracle/hola_read_radius.hpp"

#include <algorithm>
#include <cmath>

#include "reference/oracle/coefficient_error.hpp"
#include "reference/rules/hola.hpp"

// Theorem 10 of docs/certificate.md.

namespace deltaproof {

using namespace certificate;

ReadCertificate::ReadCertificate(const HeadInputs& head, int bits)
    : v_(&head.v),
      K_(head.K),
      sink_(head.sink),
      rounding_{CoefficientArithmetic(bits).u, CoefficientArithmetic(bits).exp_error} {
  const double K = static_cast<double>(K_);
  const double scale = std::abs(head.options.hola.tau) / std::sqrt(K) * outward_factor;
  c_ = constants_of(K, scale, false, rounding_.u, -1);
  query_error_ = row_error(head, head.q, head.gamma_q, bits);
  key_error_ = row_error(head, head.k, head.gamma_k, bits);
}

ReadCertificate::RowError ReadCertificate::row_error(const HeadInputs& head, const Matrix& rows, const Matrix& gamma,
                                                     int bits) const {
  const CoefficientArithmetic arithmetic(bits);
  if (head.options.hola.read == CacheRead::l2)
    return {normalised_error(rows, head.options.qk_l2norm_eps, arithmetic), c_.h};
  // x / sqrt(mean + eps) = sqrt(K) x / sqrt(sum x^2 + K eps): a division by K and a product with gamma more.
  const double eps = head.options.hola.read_eps * static_cast<double>(K_);
  const double norm = normalised_error(rows, eps, arithmetic), more = gamma_bound(3, arithmetic.u);
  return {(norm + more + norm * more) * outward_factor, c_.h * (2 + gamma.cwiseAbs().maxCoeff())};
}

Sized ReadCertificate::sized(double norm, const RowError& error) const {
  if (!(error.relative < 0.25)) return {infinity, infinity};
  const double lost = error.absolute * c_.root_K;
  // |x| <= (|x^| + lost) / (1 - e)
  const double size = (norm + lost) * (1 + 2 * error.relative) * outward_factor + outward_tiny;
  return {size, size * error.relative + lost};
}

double ReadCertificate::weight_error_of(Index i, const std::vector<double>& logits) const {
  if (logits.empty()) return weight_error(logits, 0, sink_, rounding_);
  const Sized query = queries_[static_cast<std::size_t>(i)], key = keys_[logits.size() - 1];
  const double formed = dot(query, key, c_).radius;
  // The scale is a root, a quotient and a product away from exact.
  const double size = (query.size + query.radius) * (key.size + key.radius);
  const double radius =
      outward(c_.scale * (formed + 4 * c_.u * (size + formed)) + 4 * c_.h * (1 + c_.K * c_.scale));
  return weight_error(logits, radius, sink_, rounding_);
}

void ReadCertificate::read_radius(const Vector& weights, double weight_error, double* radius) const {
  const double count = static_cast<double>(weights.size());
  const RowVector mixed = weights.transpose() * values_.topRows(weights.size());
  for (Index c = 0; c < mixed.size(); ++c)
    radius[c] = mixing_radius(mixed[c] * (1 + count * 0x1p-52), largest_value_[c], count, weight_error, rounding_);
}

Sized sigmoid_bound(double gate, int bits) {
  const CoefficientArithmetic arithmetic(bits);
  const double value = sigmoid<double>(gate) * (1 + 0x1p-40) + outward_tiny;
  // An exponential, a sum and a quotient; the exponential moves the quotient by less than itself. A subnormal
  // exponential may be off by 2^-1073.
  const double relative = (arithmetic.exp_error + 2 * arithmetic.u) * (1 + 8 * arithmetic.u);
  return {value, outward(value * relative) + (arithmetic.double_range ? 0x1p-1072 : 0)};
}

}  // namespace deltaproof
