#include "properties/claims/kla_step.hpp"

namespace deltaproof::claims {

RationalMatrix base(const Step& step) { return step.decay * step.before; }

RationalVector residual(const RationalMatrix& state, const Step& step) {
  return step.v - transposed_times(state, step.k);
}

Rational loss(const RationalMatrix& state, const Step& step) { return squared_norm(residual(state, step)) / 2; }

std::optional<Rational> coefficient(const Step& step) {
  const Rational energy = squared_norm(step.k) + step.eps;
  if (energy == 0) return std::nullopt;
  return step.eta / energy;
}

RationalMatrix written(const RationalMatrix& base, const Step& step, const Rational& beta) {
  return base + beta * outer(step.k, residual(base, step));
}

std::vector<Named> inputs_of(const Step& step, std::string_view letters) {
  std::vector<Named> inputs;
  for (const char letter : letters) {
    switch (letter) {
      case 'a':
        inputs.push_back({"alpha", text(step.decay)});
        break;
      case 'S':
        inputs.push_back({"S", text(step.before)});
        break;
      case 'k':
        inputs.push_back({"k", text(step.k)});
        break;
      case 'v':
        inputs.push_back({"v", text(step.v)});
        break;
      case 'n':
        inputs.push_back({"eta", text(step.eta)});
        break;
      case 'b':
        inputs.push_back({"beta", text(step.eta)});
        break;
      case 'e':
        inputs.push_back({"epsilon", text(step.eps)});
        break;
      default:
        break;
    }
  }
  return inputs;
}

}  // namespace deltaproof::claims
